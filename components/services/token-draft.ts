export type TokenDraft = {
  name: string;
  servicePattern: string;
  environment: string;
  expiresInDays: '7' | '30' | '90' | '365';
};

export const EMPTY_TOKEN: TokenDraft = {
  name: '',
  servicePattern: '',
  environment: 'production',
  expiresInDays: '90',
};

export type TokenProblems = Partial<Record<keyof TokenDraft, string>>;

const MAX_NAME = 128;

function nameProblem(value: string, what: string): string | null {
  if (value.trim() === '') return `${what} is needed`;
  return value.length > MAX_NAME ? `${what} may have ${MAX_NAME} characters` : null;
}

/** The server has the last word; this spares a round trip. */
export function tokenProblems(draft: TokenDraft): TokenProblems {
  const problems: TokenProblems = {};
  const name = nameProblem(draft.name, 'A name');
  const environment = nameProblem(draft.environment, 'An environment');
  const pattern = nameProblem(draft.servicePattern, 'A service or a pattern');
  if (name) problems.name = name;
  if (environment) problems.environment = environment;
  if (pattern) problems.servicePattern = pattern;
  else if (!/^[^*]*\*?$/.test(draft.servicePattern)) {
    problems.servicePattern = 'A * is allowed at the end only';
  }
  return problems;
}
