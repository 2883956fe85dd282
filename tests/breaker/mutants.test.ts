import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listed, mutated } from '@/scripts/mutants/apply.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the listed mutants', () => {
  it.each(listed.map((mutant) => [mutant.name, mutant] as const))('%s applies', (_, mutant) => {
    expect(mutated(root, mutant)).toContain(mutant.replace);
  });

  it('have names of their own', () => {
    expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length);
  });
});
