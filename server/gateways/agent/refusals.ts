import { CloseCode } from '@/lib/protocol/version';
import { RecloserError } from '../../services/errors';

export type Refusal = {
  readonly closeCode: CloseCode;
  readonly code: string;
  readonly message: string;
  readonly permanent: boolean;
};

/** Null when the fault is ours: nothing was acknowledged, so the agent comes back and sends it again. */
export function refusalOf(thrown: unknown): Refusal | null {
  if (!(thrown instanceof RecloserError)) return null;
  const { code, message } = thrown;
  switch (code) {
    case 'not_allowed':
      return { closeCode: CloseCode.Unauthorized, code, message, permanent: true };
    case 'internal':
      return null;
    case 'not_ready':
    case 'read_only':
      return { closeCode: CloseCode.Internal, code, message, permanent: false };
    default:
      return { closeCode: CloseCode.PolicyViolation, code, message, permanent: true };
  }
}
