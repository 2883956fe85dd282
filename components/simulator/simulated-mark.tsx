import { FlaskConical } from 'lucide-react';
import { isSimulated } from '@/lib/protocol/simulated';
import { Chip } from '../ui/chip';

/** Stands at everything that the built-in simulator made up; nothing at what is real. */
export function SimulatedMark(place: { environment: string }) {
  if (!isSimulated(place)) return null;
  return (
    <Chip
      tone="off"
      icon={<FlaskConical size={11} aria-hidden="true" />}
      title="Made up by the simulator of this console; no real service is behind it"
    >
      simulated
    </Chip>
  );
}
