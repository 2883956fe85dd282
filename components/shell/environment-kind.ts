/** Names people use for the one that hurts; anything else is another. */
const PRODUCTION = /^(prod|prd|production|live)([-_.\d].*)?$/i;

export function environmentKind(name: string): 'production' | 'other' {
  return PRODUCTION.test(name) ? 'production' : 'other';
}
