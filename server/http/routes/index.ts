import type { Route } from '../route';
import { apiTokenRoutes } from './api-tokens';
import { auditRoutes } from './audit';
import { breakerRoutes } from './breakers';
import { commandRoutes } from './commands';
import { fleetRoutes } from './fleet';
import { instanceRoutes } from './instances';
import { overrideRoutes } from './overrides';
import { peopleRoutes } from './people';
import { profileRoutes } from './profile';
import { screenRoutes } from './screens';
import { signInRoutes } from './sign-in';
import { simulatorRoutes } from './simulator';
import { tokenRoutes } from './tokens';

export const routes: readonly Route[] = [
  ...fleetRoutes,
  ...breakerRoutes,
  ...instanceRoutes,
  ...overrideRoutes,
  ...commandRoutes,
  ...tokenRoutes,
  ...simulatorRoutes,
  ...apiTokenRoutes,
  ...auditRoutes,
  ...screenRoutes,
  ...signInRoutes,
  ...profileRoutes,
  ...peopleRoutes,
];
