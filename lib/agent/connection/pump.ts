import type { Outbox } from '../outbox/outbox';
import type { AgentTime, Wire } from '../ports';
import type { Credit } from './credit';
import { joinFrame, jsonOf } from './frames';
import { ENVELOPE_BYTES, type SendLimits } from './limits';

/** A link this far behind gets nothing more until it has caught up. */
const MAX_BUFFERED_BYTES = 256 * 1024;

type Line = { readonly credit: Credit; readonly limits: SendLimits };

/** Sends as much as credit, limits and the link allow: events first, then samples. */
export function sendBatches(
  outbox: Outbox,
  line: Line,
  wire: Wire,
  time: AgentTime,
): { gapSent: boolean } {
  const { credit, limits } = line;
  const room = limits.maxFrameBytes - ENVELOPE_BYTES;
  let gapSent = false;
  const ready = () => wire.bufferedBytes() < MAX_BUFFERED_BYTES;
  while (outbox.events.hasUnsent && credit.forEvents && ready()) {
    const { gap, entries } = outbox.events.take(limits.maxEvents, room);
    const items = entries.map(jsonOf);
    if (gap !== null) {
      gapSent = true;
      items.unshift(JSON.stringify({ type: 'gap', at: time.wall(), mono: time.mono(), ...gap }));
    }
    if (items.length === 0) break;
    credit.spend();
    wire.send(joinFrame('events', items));
  }
  while (outbox.samples.unsent > 0 && credit.forSamples && ready()) {
    const { entries, dropped } = outbox.samples.take(limits.maxSamples, room);
    if (entries.length === 0) break;
    credit.spend();
    wire.send(joinFrame('samples', entries.map(jsonOf), dropped > 0 ? { dropped } : undefined));
  }
  return { gapSent };
}
