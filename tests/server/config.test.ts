import { describe, expect, it } from 'vitest';
import { ConfigError, helpText, parseConfig } from '@/server/config';

const parse = (environment: Record<string, string>) => parseConfig(environment, '/app');

function refusal(environment: Record<string, string>): string {
  try {
    parse(environment);
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message;
  }
  return 'accepted';
}

describe('configuration', () => {
  it('[S-01] is safe without any setting', () => {
    expect(parse({})).toEqual({
      port: 4600,
      host: '127.0.0.1',
      dataDir: './data',
      logLevel: 'info',
      allowedHosts: [],
      sampleRetentionDays: 7,
      auditLog: null,
      pages: 'on',
      mode: 'production',
      rootDir: '/app',
    });
  });

  it('takes what it is given, and an empty text as nothing', () => {
    const config = parse({
      PORT: ' 80 ',
      HOST: '::1',
      RECLOSER_DATA_DIR: '',
      RECLOSER_ALLOWED_HOSTS: 'console.example, box.local:8080,',
    });
    expect(config).toMatchObject({ port: 80, host: '::1', dataDir: './data' });
    expect(config.allowedHosts).toEqual(['console.example', 'box.local:8080']);
  });

  it.each([
    '0.0.0.0',
    '::',
    '192.168.1.4',
    '10.0.0.1',
    'console.example',
    '127.0.0.1.evil.example',
    '128.0.0.1',
  ])('[S-01] does not listen on an address that others reach: %s', (host) => {
    expect(() => parse({ HOST: host })).toThrow(
      `HOST is "${host}", but must be a loopback address (127.0.0.1, ::1, localhost); there is no sign-in yet.`,
    );
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '4600x'],
    ['PORT', '0x10'],
    ['RECLOSER_LOG_LEVEL', 'loud'],
    ['RECLOSER_SAMPLE_RETENTION_DAYS', '0'],
    ['RECLOSER_SAMPLE_RETENTION_DAYS', '1.5'],
    ['RECLOSER_ALLOWED_HOSTS', '*.example'],
    ['RECLOSER_ALLOWED_HOSTS', 'https://console.example'],
    ['RECLOSER_PAGES', 'maybe'],
    ['NODE_ENV', 'staging'],
  ])('names the setting, what it got and what it takes: %s=%s', (name, value) => {
    const message = refusal({ [name]: value });
    expect(message).toContain(`${name} is "${value}", but must be `);
    expect(message).not.toContain('\n');
  });

  it('does not print control characters back', () => {
    expect(() => parse({ PORT: '\u001B[2Jx' })).toThrow('\\u001b[2Jx');
  });

  it('help lists every setting with its default', () => {
    for (const name of [
      'PORT',
      'HOST',
      'RECLOSER_DATA_DIR',
      'RECLOSER_ALLOWED_HOSTS',
      'NODE_ENV',
    ]) {
      expect(helpText()).toContain(`  ${name}\n`);
    }
    expect(helpText()).toContain('default: 4600');
  });
});
