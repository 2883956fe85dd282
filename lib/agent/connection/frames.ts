import type { AppliedFrame } from '../../protocol/agent-frames';
import type { ReportedState } from '../../protocol/breaker-state';
import type { Entry } from '../outbox/entry';

/** Already serialized records joined into one frame, without parsing them again. */
export function joinFrame(
  type: 'events' | 'samples',
  items: readonly string[],
  extra?: Readonly<Record<string, number>>,
): string {
  const tail = extra === undefined ? '' : `,${JSON.stringify(extra).slice(1, -1)}`;
  return `{"type":"${type}","${type}":[${items.join(',')}]${tail}}`;
}

export const jsonOf = (entry: Entry): string => entry.json;

/** Splits a list so that no part is longer than `maxItems` or `maxBytes` when serialized. */
function chunks(texts: readonly string[], maxItems: number, maxBytes: number): string[][] {
  const parts: string[][] = [];
  let part: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    const size = Buffer.byteLength(text) + 1;
    if (part.length > 0 && (part.length >= maxItems || bytes + size > maxBytes)) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(text);
    bytes += size;
  }
  parts.push(part);
  return parts;
}

/** The full state as one or more `state` frames; an empty process sends one empty part. */
export function stateFrames(
  digest: string,
  states: readonly ReportedState[],
  maxBytes: number,
): string[] {
  const parts = chunks(
    states.map((state) => JSON.stringify(state)),
    200,
    maxBytes,
  );
  return parts.map(
    (part, index) =>
      `{"type":"state","digest":"${digest}","breakers":[${part.join(',')}],"part":${index + 1},"parts":${parts.length}}`,
  );
}

export function appliedFrames(
  revision: number,
  results: AppliedFrame['results'],
  maxBytes: number,
): string[] {
  const parts = chunks(
    results.map((result) => JSON.stringify(result)),
    1000,
    maxBytes,
  );
  return parts.map(
    (part) => `{"type":"applied","revision":${revision},"results":[${part.join(',')}]}`,
  );
}
