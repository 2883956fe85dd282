import type { Route } from '../route';
import { auditRoutes } from './audit';
import { breakerRoutes } from './breakers';
import { fleetRoutes } from './fleet';
import { overrideRoutes } from './overrides';
import { tokenRoutes } from './tokens';

export const routes: readonly Route[] = [
  ...fleetRoutes,
  ...breakerRoutes,
  ...overrideRoutes,
  ...tokenRoutes,
  ...auditRoutes,
];
