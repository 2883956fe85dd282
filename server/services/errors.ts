import type { ErrorCode } from '@/lib/protocol/api';

const statusByCode = {
  invalid_input: 400,
  not_signed_in: 401,
  not_allowed: 403,
  step_up_needed: 403,
  approval_needed: 409,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  too_many: 429,
  not_ready: 503,
  read_only: 503,
  internal: 500,
} as const satisfies Record<ErrorCode, number>;

/**
 * Every refusal that a person or a script can see. `code` is part of the API and keeps its meaning;
 * `message` is for people. `details` must be plain JSON without internals.
 */
export class RecloserError extends Error {
  override readonly name = 'RecloserError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; details?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
  }

  get status(): 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503 {
    return statusByCode[this.code];
  }
}
