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
      publicUrl: null,
      tls: null,
      agentCa: null,
      trustedProxies: [],
      secret: [],
      oidc: null,
      dataDir: './data',
      logLevel: 'info',
      allowedHosts: [],
      sampleRetentionDays: 7,
      overrideLimits: { perPerson: 10, inAll: 60 },
      auditLog: null,
      auditLogRequired: false,
      webhook: null,
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
      `HOST is "${host}", which others reach: set RECLOSER_TLS_CERT and RECLOSER_TLS_KEY, or RECLOSER_BEHIND_TLS_PROXY.`,
    );
    const url = { RECLOSER_URL: 'https://console.example' };
    const tls = { RECLOSER_TLS_CERT: 'cert.pem', RECLOSER_TLS_KEY: 'key.pem' };
    const proxy = { RECLOSER_BEHIND_TLS_PROXY: '10.0.0.7, fd00::7' };
    expect(parse({ HOST: host, ...tls, ...url }).tls).toEqual({
      certFile: 'cert.pem',
      keyFile: 'key.pem',
    });
    expect(parse({ HOST: host, ...proxy, ...url }).trustedProxies).toEqual(['10.0.0.7', 'fd00::7']);
    expect(() => parse({ HOST: host, ...tls })).toThrow('RECLOSER_URL must say where');
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '4600x'],
    ['PORT', '0x10'],
    ['RECLOSER_LOG_LEVEL', 'loud'],
    ['RECLOSER_SAMPLE_RETENTION_DAYS', '0'],
    ['RECLOSER_AUDIT_LOG_REQUIRED', 'yes'],
    ['RECLOSER_WEBHOOK_URL', 'file:///etc/passwd'],
    ['RECLOSER_WEBHOOK_URL', 'https://a:b@x.example/'],
    ['RECLOSER_WEBHOOK_ALLOW', '10.0.0.0/40'],
    ['RECLOSER_OVERRIDES_PER_MINUTE', '0'],
    ['RECLOSER_OVERRIDES_PER_MINUTE_IN_ALL', 'many'],
    ['RECLOSER_SAMPLE_RETENTION_DAYS', '1.5'],
    ['RECLOSER_ALLOWED_HOSTS', '*.example'],
    ['RECLOSER_ALLOWED_HOSTS', 'https://console.example'],
    ['RECLOSER_PAGES', 'maybe'],
    ['RECLOSER_URL', 'http://console.example'],
    ['RECLOSER_URL', 'https://console.example/path'],
    ['RECLOSER_BEHIND_TLS_PROXY', '10.0.0.0/8'],
    ['RECLOSER_BEHIND_TLS_PROXY', 'proxy.example'],
    ['RECLOSER_OIDC_ISSUER', 'http://idp.example'],
    ['NODE_ENV', 'staging'],
  ])('names the setting, what it got and what it takes: %s=%s', (name, value) => {
    const message = refusal({ [name]: value });
    expect(message).toContain(`${name} is "${value}", but must be `);
    expect(message).not.toContain('\n');
  });

  it('[S-18] does not print a secret back', () => {
    const message = refusal({ RECLOSER_SECRET: 'too-short-a-secret' });
    expect(message).toContain(
      'RECLOSER_SECRET is set, but must be one secret of at least 32 characters',
    );
    expect(message).not.toContain('too-short');
  });

  it.each([
    [{ RECLOSER_TLS_CERT: 'cert.pem' }, 'RECLOSER_TLS_KEY go together'],
    [{ RECLOSER_AUDIT_LOG_REQUIRED: 'on' }, 'set RECLOSER_AUDIT_LOG as well'],
    [{ RECLOSER_OIDC_ISSUER: 'https://idp.example' }, '_CLIENT_SECRET go together'],
  ])('takes settings that belong together only together: %o', (environment, message) => {
    expect(refusal(environment)).toContain(message);
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
