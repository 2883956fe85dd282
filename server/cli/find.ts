import { fleetBody } from '@/lib/protocol/api';
import type { BreakerView, ServiceView } from '@/lib/protocol/views';
import type { z } from 'zod';
import type { Api } from './api';
import { usageProblem } from './problem';
import { visible } from './text';

export type Fleet = z.output<typeof fleetBody>;

export const loadFleet = (api: Api): Promise<Fleet> => api.get('/api/fleet', fleetBody);

export const pathOf = ({ environment, service, name }: BreakerView): string =>
  `${environment}/${service}/${name}`;

const MAX_SHOWN = 5;

function oneOf<T>(found: readonly T[], given: string, what: string, show: (one: T) => string): T {
  const [first, ...more] = found;
  if (first !== undefined && more.length === 0) return first;
  if (first === undefined) throw usageProblem(`No ${what} is called ${visible(given)}.`);
  const shown = found.slice(0, MAX_SHOWN).map((one) => visible(show(one)));
  const rest = found.length > MAX_SHOWN ? ', …' : '';
  throw usageProblem(
    `${visible(given)} is not one ${what} but ${found.length}: ${shown.join(', ')}${rest}`,
  );
}

/** By id, by `environment/service/breaker`, or by any end of that which is unique. */
export function findBreaker({ breakers }: Fleet, given: string): BreakerView {
  const exact = breakers.filter((one) => one.id === given || pathOf(one) === given);
  const found =
    exact.length > 0 ? exact : breakers.filter((one) => pathOf(one).endsWith(`/${given}`));
  return oneOf(found, given, 'breaker', pathOf);
}

/** By id, by `environment/service`, or by a name that is unique. */
export function findService({ services }: Fleet, given: string): ServiceView {
  const exact = services.filter((one) => one.id === given || servicePath(one) === given);
  const found = exact.length > 0 ? exact : services.filter((one) => one.name === given);
  return oneOf(found, given, 'service', servicePath);
}

type Target = { readonly environment: string; readonly target: string };

const targetPath = ({ environment, target }: Target): string => `${environment}/${target}`;
const servicePath = ({ environment, name }: ServiceView): string => `${environment}/${name}`;

/** `environment/target`, or a target that only one environment has. */
export function findTarget({ breakers }: Fleet, given: string): Target {
  const all = new Map(
    breakers.map(({ environment, target }) => [
      JSON.stringify([environment, target]),
      { environment, target },
    ]),
  );
  const exact = [...all.values()].filter((one) => targetPath(one) === given);
  const found = exact.length > 0 ? exact : [...all.values()].filter((one) => one.target === given);
  return oneOf(found, given, 'target', targetPath);
}
