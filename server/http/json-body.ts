import { parseJson } from '@/lib/protocol/parse';
import { RecloserError } from '../services/errors';

export const MAX_BODY_BYTES = 64 * 1024;

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

export function isJsonType(contentType: string | null | undefined): boolean {
  return JSON_TYPE.test(contentType ?? '');
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const tooLarge = () =>
    new RecloserError('too_large', `A body may have at most ${MAX_BODY_BYTES} bytes.`);
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body === null) return new Uint8Array();
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The one way from a request's body to plain data; a missing body is an empty object. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return {};
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new RecloserError('invalid_input', 'The body is not UTF-8.', { cause });
  }
  const json = parseJson(text);
  if (!json.ok)
    throw new RecloserError('invalid_input', `The body is ${bodyProblem(json.problem)}.`);
  return json.value;
}

function bodyProblem(problem: string): string {
  return problem.startsWith('key') ? `refused: ${problem}` : problem;
}
