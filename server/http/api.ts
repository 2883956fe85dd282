/** `/api/*`, `/healthz` and `/livez`: parse, call a service, answer. */
import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { DoorRules } from '../auth/doors';
import type { Caller } from '../services/caller';
import type { AuditFile, Logger, Services } from '../services/contract';
import { RecloserError } from '../services/errors';
import { fileAnswer } from './file-answer';
import { failure, failureOf, unexpected, type Failure } from './error-answer';
import { readJsonBody } from './json-body';
import { checkApiDoor, isReading } from './mutation-door';
import { openApiDocument } from './openapi';
import type { Readiness } from './readiness';
import { REQUEST_ID } from './request-id';
import type { Route } from './route';
import { routes as allRoutes } from './routes';

export type ApiDeps = {
  readonly rules: DoorRules;
  /** Null while the server starts or stops. */
  readonly services: () => Services | null;
  readonly readiness: Readiness;
  readonly now: () => number;
  readonly log: Logger;
  readonly routes?: readonly Route[];
};

type Env = { Bindings: HttpBindings };
type ApiContext = Context<Env>;

const requestIdOf = (context: ApiContext): string =>
  String(context.env.outgoing.getHeader(REQUEST_ID) ?? '');

const MAX_AGENT_CHARS = 200;

/** Whoever reaches the loopback address, until people sign in. */
function callerOf(context: ApiContext): Caller {
  return {
    principal: { kind: 'local', name: 'console' },
    ip: context.env.incoming.socket.remoteAddress ?? null,
    userAgent: context.req.header('user-agent')?.slice(0, MAX_AGENT_CHARS) ?? null,
    requestId: requestIdOf(context),
  };
}

const answer = (context: ApiContext, { status, body }: Failure) =>
  // Every status of a failure has a body.
  context.json(body, status as ContentfulStatusCode);

export function createApi(deps: ApiDeps): Hono<Env> {
  const app = new Hono<Env>();
  const routes = deps.routes ?? allRoutes;

  app.onError((thrown, context) => {
    const requestId = requestIdOf(context);
    const known = failureOf(thrown, requestId);
    if (known !== null) {
      const waitMs = known.body.error.details?.['retryAfterMs'];
      if (typeof waitMs === 'number') context.header('retry-after', `${Math.ceil(waitMs / 1000)}`);
      return answer(context, known);
    }
    deps.log.error({ requestId, route: context.req.routePath, err: thrown }, 'request failed');
    return answer(context, unexpected(requestId));
  });
  app.notFound((context) =>
    answer(context, failure(404, 'not_found', 'No such path.', requestIdOf(context))),
  );
  app.use('/api/*', async (context, next) => {
    checkApiDoor(context.req.raw, deps.rules);
    await next();
  });

  mountHealth(app, deps.readiness);
  const document = lazy(() => openApiDocument(routes));
  app.get('/api/openapi.json', (context) => context.json(document()));
  for (const route of routes) mountRoute(app, route, deps);
  refuseOtherMethods(app, [
    ...routes,
    { path: '/api/openapi.json', method: 'get' },
    { path: '/healthz', method: 'get' },
    { path: '/livez', method: 'get' },
  ]);
  return app;
}

function mountHealth(app: Hono<Env>, readiness: Readiness): void {
  app.get('/livez', (context) => context.json({ status: 'live' }));
  app.get('/healthz', async (context) => {
    const health = await readiness.check();
    return context.json(health, health.status === 'ready' ? 200 : 503);
  });
}

const honoPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

function mountRoute(app: Hono<Env>, route: Route, deps: ApiDeps): void {
  app.on(route.method.toUpperCase(), honoPath(route.path), async (context) => {
    const services = deps.services();
    if (services === null)
      throw new RecloserError('not_ready', 'The server is starting or stopping.');
    if (!isReading(context.req.method) && deps.readiness.phase === 'damaged') {
      throw new RecloserError('read_only', 'The store is damaged; nothing can be changed.');
    }
    const raw = {
      params: context.req.param(),
      query: context.req.query(),
      body: route.body === null ? {} : await readJsonBody(context.req.raw),
    };
    const door = services.forCaller(callerOf(context));
    const body = await route.run(raw, { services: door, now: deps.now });
    if (route.files !== undefined) return fileAnswer(body as AuditFile, deps.log);
    return context.json(body as object, route.status);
  });
}

function refuseOtherMethods(
  app: Hono<Env>,
  routes: readonly Pick<Route, 'path' | 'method'>[],
): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method);
    const allowed = [...methods, ...(methods.includes('get') ? ['head'] : [])].join(', ');
    app.all(honoPath(path), (context) => {
      const allow = allowed.toUpperCase();
      context.header('allow', allow);
      return answer(
        context,
        failure(405, 'invalid_input', `This path takes ${allow}.`, requestIdOf(context)),
      );
    });
  }
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
