import type { z } from 'zod';
import { agentFrame, type AgentFrame } from './agent-frames';
import { serverFrame, type ServerFrame } from './server-frames';
import { LIMITS } from './version';

export type Parsed<T> = { ok: true; value: T } | { ok: false; problem: string };

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Null when the value is plain data no deeper than `maxDepth`, else what is wrong with it. */
function shapeProblem(value: unknown, maxDepth: number): string | null {
  // 1e400 is read as infinity, which is written as null.
  if (typeof value === 'number' && !Number.isFinite(value)) return 'holding a number out of range';
  if (value === null || typeof value !== 'object') return null;
  if (maxDepth === 0) return 'nested too deeply';
  if (Array.isArray(value)) {
    for (const item of value) {
      const problem = shapeProblem(item, maxDepth - 1);
      if (problem !== null) return problem;
    }
    return null;
  }
  for (const [key, item] of Object.entries(value)) {
    if (FORBIDDEN_KEYS.has(key)) return `key "${key}" is not allowed`;
    const problem = shapeProblem(item, maxDepth - 1);
    if (problem !== null) return problem;
  }
  return null;
}

/** Text to plain JSON data, bounded in depth and free of prototype keys. */
export function parseJson(raw: string, maxDepth: number = LIMITS.maxJsonDepth): Parsed<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return { ok: false, problem: 'not JSON' };
  }
  const problem = shapeProblem(value, maxDepth);
  return problem === null ? { ok: true, value } : { ok: false, problem };
}

/** Names the first few faults of a value; never echoes the value itself. */
function describe(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.map(String).join('.') || 'frame'}: ${issue.message}`)
    .join('; ');
}

/** The one way from text to a typed value. */
export function parseWith<S extends z.ZodType>(
  schema: S,
  raw: string,
  maxDepth?: number,
): Parsed<z.infer<S>> {
  const json = parseJson(raw, maxDepth);
  if (!json.ok) return json;
  const result = schema.safeParse(json.value);
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, problem: describe(result.error) };
}

export const parseAgentFrame = (raw: string): Parsed<AgentFrame> => parseWith(agentFrame, raw);
export const parseServerFrame = (raw: string): Parsed<ServerFrame> => parseWith(serverFrame, raw);
