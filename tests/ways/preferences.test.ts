import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { landingParams } from '@/components/shell/landing';
import {
  DEFAULT_PREFERENCES,
  parsePreferences,
  readPreferences,
  rootAttributes,
} from '@/components/shell/preferences';
import { importPreferences } from '@/components/shell/preferences-section';

const chosen = {
  theme: 'light',
  density: 'dense',
  zone: 'Asia/Kathmandu',
  otherZone: 'Asia/Kathmandu',
  singleKeys: false,
  keys: { pause: 'z', 'go.fleet': 'g h' },
  landing: 'env=production&state=open',
} as const;

describe('[U-49] preferences', () => {
  it('come back from the cookie and from an export as they were chosen', () => {
    const text = JSON.stringify(chosen);
    expect(parsePreferences(text)).toEqual(chosen);
    expect(importPreferences(text)).toEqual(chosen);
  });

  it('are the defaults when there is none, or it cannot be read', () => {
    for (const text of [undefined, null, '', '{', '[]', '7', 'null']) {
      expect(parsePreferences(text)).toEqual(DEFAULT_PREFERENCES);
    }
  });

  it('are read part by part: what is not known is as if never chosen', () => {
    expect(
      readPreferences({
        ...chosen,
        theme: 'pink',
        zone: '<script>',
        keys: { pause: 'z', constructor: 'x', help: 7, search: 'a b c' },
        landing: 'x'.repeat(501),
      }),
    ).toEqual({
      ...chosen,
      theme: 'system',
      zone: 'utc',
      keys: { pause: 'z' },
      landing: '',
    });
  });

  it('come out whole, whatever is in the file', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = readPreferences(value);
        expect(readPreferences(JSON.parse(JSON.stringify(read)))).toEqual(read);
      }),
    );
  });

  it('a file that is none of ours is refused, not taken for the defaults', () => {
    expect(importPreferences('{"name":"x"}')).toBeNull();
    expect(importPreferences('not json')).toBeNull();
  });
});

describe('[U-37] the theme of the first picture', () => {
  it('is on the page that the server sends; the system decides where nobody chose', () => {
    expect(rootAttributes({ ...DEFAULT_PREFERENCES, theme: 'light' })).toEqual({
      'data-density': 'comfortable',
      'data-theme': 'light',
    });
    expect(rootAttributes(DEFAULT_PREFERENCES)).toEqual({ 'data-density': 'comfortable' });
  });
});

describe('[U-49] what the fleet starts with', () => {
  it('fills an address that asks for nothing, and no other', () => {
    expect(landingParams('/', '', 'env=production')).toEqual({ env: 'production' });
    expect(landingParams('/', '?tz=Asia%2FTokyo', 'env=production')).toEqual({ env: 'production' });
    expect(landingParams('/', '?q=pay', 'env=production')).toBeNull();
    expect(landingParams('/services', '', 'env=production')).toBeNull();
    expect(landingParams('/', '', '')).toBeNull();
  });
});
