import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { more } from './listed-more.mjs';
import { named } from './listed-named.mjs';

export const listed = [...named, ...more];

/** The file with the mutant in it. Throws when the text to replace is not there exactly once. */
export function mutated(root, { name, file, find, replace }) {
  const parts = readFileSync(join(root, file), 'utf8').split(find);
  if (parts.length !== 2) {
    throw new Error(
      `Mutant "${name}": its text stands in ${file} ${parts.length - 1} times, not once. ` +
        'Adapt it in scripts/mutants to the code as it is now.',
    );
  }
  return parts.join(replace);
}
