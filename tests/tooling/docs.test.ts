import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { machineDiagram } from '@/scripts/lib/machine-doc';
import { peersDocument } from '@/scripts/lib/peers-doc';

const advice = 'out of date: run "node --import tsx scripts/docs.ts"';

function read(name: string): string {
  return readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
}

/** The formatter pads tables and breaks no lines. */
function bare(text: string): string {
  return text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---').trim();
}

describe('documentation that is made from code', () => {
  it(`docs/peers.md is not ${advice}`, () => {
    expect(bare(read('peers.md'))).toBe(bare(peersDocument()));
  });

  it(`the drawing in docs/breaker.md is not ${advice}`, () => {
    expect(read('breaker.md')).toContain(machineDiagram());
  });
});
