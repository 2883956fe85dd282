import type { ArgsDef } from 'citty';
import type { BreakerView } from '@/lib/protocol/views';
import { createApi } from '../api';
import { findBreaker, findService, loadFleet, pathOf, type Fleet } from '../find';
import type { CliIo } from '../io';
import { EXIT, type ExitCode } from '../problem';
import { json, percent, table } from '../text';
import { showDuration } from '../duration';

export const statusArgs = {
  breaker: {
    type: 'positional',
    required: false,
    description: 'environment/service/breaker, or its end',
  },
  service: { type: 'string', description: 'only the breakers of this service' },
  trouble: { type: 'boolean', description: 'only those that are not closed', default: false },
  json: { type: 'boolean', description: 'print JSON', default: false },
} as const satisfies ArgsDef;

type Args = {
  readonly breaker?: string | undefined;
  readonly service?: string | undefined;
  readonly trouble: boolean;
  readonly json: boolean;
};

function chosen(fleet: Fleet, { breaker, service, trouble }: Args): readonly BreakerView[] {
  if (breaker !== undefined) return [findBreaker(fleet, breaker)];
  const of = service === undefined ? null : findService(fleet, service).id;
  return fleet.breakers
    .filter((one) => of === null || one.serviceId === of)
    .filter((one) => !trouble || one.state !== 'closed')
    .toSorted((x, y) => (pathOf(x) < pathOf(y) ? -1 : 1));
}

/** Stale and offline copies are said, because their word is old. */
function instancesOf({ instances: { live, stale, offline } }: BreakerView): string {
  const old = [stale > 0 ? `${stale} stale` : '', offline > 0 ? `${offline} offline` : ''];
  return [`${live} live`, ...old.filter((part) => part !== '')].join(', ');
}

function rowOf(view: BreakerView, now: number): string[] {
  const { override, ramp } = view;
  return [
    pathOf(view),
    ramp === null ? view.state : `${view.state} ${percent(ramp.share)}`,
    instancesOf(view),
    percent(view.failureShare),
    `${view.refusedPerSecond.toFixed(1)}/s`,
    override === null
      ? ''
      : `${override.kind} by ${override.actor}, ${showDuration(override.endsAt - now)} left`,
  ];
}

export async function status(args: Args, io: CliIo): Promise<ExitCode> {
  const fleet = await loadFleet(createApi(io));
  const views = chosen(fleet, args);
  if (args.json) {
    io.out(json({ now: fleet.now, breakers: views }));
    return EXIT.done;
  }
  if (views.length === 0) io.out(args.trouble ? 'Every breaker is closed.' : 'No breakers.');
  else {
    const head = ['BREAKER', 'STATE', 'INSTANCES', 'FAILURES', 'REFUSED', 'OVERRIDE'];
    for (const line of table([head, ...views.map((view) => rowOf(view, fleet.now))])) io.out(line);
  }
  return EXIT.done;
}
