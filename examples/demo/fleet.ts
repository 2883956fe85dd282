import type { Service } from './service';
import { checkout } from './services/checkout';
import { edge } from './services/edge';
import { inventory } from './services/inventory';
import { inventoryDbClassic, inventoryDbRamp } from './services/inventory-db';
import { load } from './services/load';
import { payments } from './services/payments';
import { pricing } from './services/pricing';

/** Callees first, so that a caller finds its peers when it starts. */
export const fleet: readonly Service[] = [
  inventoryDbRamp,
  inventoryDbClassic,
  inventory,
  payments,
  pricing,
  checkout,
  edge,
  load,
];

export function findService(name: string): Service | undefined {
  return fleet.find((service) => service.name === name);
}
