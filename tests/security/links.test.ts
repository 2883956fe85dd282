import { describe, expect, it } from 'vitest';
import { localPath } from '@/lib/protocol/local-path';
import { HOSTILE_NAMES } from '@/tests/support/hostile-names';

const HOME = 'https://console.example';

describe('[S-28] where a link leads after sign-in', () => {
  it.each(['/', '/audit', '/breakers/br_1?from=1&to=2#cause', '/targets/a%20b*(c)!', '/a//b'])(
    'is the page that was asked for: %s',
    (next) => expect(localPath(next)).toBe(next),
  );

  it.each([
    null,
    undefined,
    '',
    'audit',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n\\evil.example',
    '\t//evil.example',
    ' /audit',
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    '/\u2215/evil.example',
    '/api/sign-out',
    '/api',
  ])('is the fleet instead of %j', (next) => expect(localPath(next)).toBe('/'));

  it('is never another host, whatever a name says', () => {
    for (const name of HOSTILE_NAMES.flatMap((one) => [one, `/${one}`, `/\t/${one}`])) {
      expect(new URL(localPath(name), HOME).origin).toBe(HOME);
    }
  });
});
