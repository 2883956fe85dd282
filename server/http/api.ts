/** `/api/*`, `/healthz` and `/livez`: parse, call a service, answer. */
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Exchange } from '../auth/identity/exchange';
import { OIDC_CALLBACK } from '../auth/identity/paths';
import type { AuditFile } from '../services/contract';
import { RecloserError } from '../services/errors';
import { fileAnswer } from './file-answer';
import type { ApiContext, ApiDeps, ApiEnv } from './api-deps';
import { failure, failureOf, unexpected, type Failure } from './error-answer';
import { readJsonBody } from './json-body';
import { checkApiDoor } from './mutation-door';
import { openApiDocument } from './openapi';
import type { Readiness } from './readiness';
import { REQUEST_ID } from './request-id';
import { anonymousExchange, enter, notReady } from './session-door';
import type { Route } from './route';
import { routes as allRoutes } from './routes';

const requestIdOf = (context: ApiContext): string =>
  String(context.env.outgoing.getHeader(REQUEST_ID) ?? '');

function answer(context: ApiContext, { status, body }: Failure) {
  const wait = body.error.details?.['retryAfterMs'];
  if (typeof wait === 'number') context.header('retry-after', String(Math.ceil(wait / 1_000)));
  // Every status of a failure has a body.
  return context.json(body, status as ContentfulStatusCode);
}

export function createApi(deps: ApiDeps): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
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
  // The provider sends the browser here from its own site, so it stands in front of the door.
  app.get(OIDC_CALLBACK, async (context) => finishOidc(context, deps));
  app.use('/api/*', async (context, next) => {
    checkApiDoor(context.req.raw, deps.rules);
    await next();
  });

  mountHealth(app, deps.readiness);
  const document = lazy(() => openApiDocument(routes));
  app.get('/api/openapi.json', async (context) => {
    await enter(context, deps, 'session');
    return context.json(document());
  });
  for (const route of routes) mountRoute(app, route, deps);
  refuseOtherMethods(app, [
    ...routes,
    { path: '/api/openapi.json', method: 'get' },
    { path: OIDC_CALLBACK, method: 'get' },
    { path: '/healthz', method: 'get' },
    { path: '/livez', method: 'get' },
  ]);
  return app;
}

function mountHealth(app: Hono<ApiEnv>, readiness: Readiness): void {
  app.get('/livez', (context) => context.json({ status: 'live' }));
  app.get('/healthz', async (context) => {
    const health = await readiness.check();
    return context.json(health, health.status === 'ready' ? 200 : 503);
  });
}

function setCookies(context: ApiContext, { setCookies: cookies }: Exchange): void {
  for (const cookie of cookies) context.header('set-cookie', cookie, { append: true });
}

async function finishOidc(context: ApiContext, deps: ApiDeps): Promise<Response> {
  const running = deps.running();
  if (running === null) throw notReady();
  const exchange = anonymousExchange(context, deps);
  const { search } = new URL(context.req.url);
  const next = await running.identity.finishOidc(exchange, search);
  setCookies(context, exchange);
  return context.redirect(next, 302);
}

const honoPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

function mountRoute(app: Hono<ApiEnv>, route: Route, deps: ApiDeps): void {
  app.on(route.method.toUpperCase(), honoPath(route.path), async (context) => {
    const { running, exchange, csrf } = await enter(context, deps, route.access);
    if (!route.writesNothing && deps.readiness.phase === 'damaged') {
      throw new RecloserError('read_only', 'The store is damaged; nothing can be changed.');
    }
    const raw = {
      params: context.req.param(),
      query: context.req.query(),
      body: route.body === null ? {} : await readJsonBody(context.req.raw),
    };
    const { services, identity } = running;
    const door = services.forCaller(exchange.caller);
    const { now, isSecure } = deps;
    const { screens } = services;
    const body = await route
      .run(raw, { services: door, identity, exchange, csrf, screens, isSecure, now })
      .finally(() => setCookies(context, exchange));
    if (route.files !== undefined) return fileAnswer(body as AuditFile, deps.log);
    for (const [name, value] of Object.entries(route.headers)) context.header(name, value);
    return context.json(body as object, route.status);
  });
}

function refuseOtherMethods(
  app: Hono<ApiEnv>,
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
