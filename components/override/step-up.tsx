import { stepUpFactors, StepUpDialog } from '@/components/people/step-up-dialog';
import { ApiError } from '@/lib/client/api-error';

type Props = {
  /** The act that the proof is for, as a person would say it. */
  what: string;
  error: unknown;
  onProved: (stepUpId: string) => void;
  onClose: () => void;
};

/** [S-13] Asks for the proof that a refused act named; nothing for any other error. */
export function StepUp({ what, error, onProved, onClose }: Props) {
  const factors = stepUpFactors(error);
  const digest = error instanceof ApiError ? error.details['digest'] : undefined;
  if (factors === null || typeof digest !== 'string') return null;
  return (
    <StepUpDialog
      what={what}
      digest={digest}
      factors={factors}
      onProved={onProved}
      onClose={onClose}
    />
  );
}
