import type { ErrorBody, ErrorCode } from '../protocol/api';

/** `unreachable`: no answer at all, or one that is not ours (a proxy's page, say). */
export type ApiErrorCode = ErrorCode | 'unreachable';
export type ApiErrorDetails = NonNullable<ErrorBody['error']['details']>;

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly status: number | null;
  readonly details: ApiErrorDetails;
  readonly requestId: string | null;

  constructor(
    code: ApiErrorCode,
    message: string,
    options: {
      status?: number;
      details?: ApiErrorDetails;
      requestId?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? null;
    this.details = options.details ?? {};
    this.requestId = options.requestId ?? null;
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false;
  const { error } = body;
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string' &&
    'message' in error &&
    typeof error.message === 'string'
  );
}

export function errorFrom(status: number, body: unknown): ApiError {
  if (!isErrorBody(body)) {
    return new ApiError('unreachable', `The server answered ${status} without saying why.`, {
      status,
    });
  }
  const { code, message, details, requestId } = body.error;
  return new ApiError(code, message, {
    status,
    ...(details ? { details } : {}),
    ...(requestId ? { requestId } : {}),
  });
}

/** What a person reads; never a stack, never "undefined". */
export function errorText(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'Something went wrong.';
}
