/** OpenAPI 3.1 speaks JSON Schema 2020-12, which is what zod writes: no second schema library. */
import { z } from 'zod';
import * as api from '@/lib/protocol/api';
import * as commandViews from '@/lib/protocol/command-views';
import * as commands from '@/lib/protocol/commands';
import * as access from '@/lib/protocol/access';
import * as people from '@/lib/protocol/people';
import * as views from '@/lib/protocol/views';
import type { Route } from './route';

type Json = Record<string, unknown>;
type Names = ReturnType<typeof z.registry<{ id: string }>>;

const COMPONENTS = '#/components/schemas/';

function operationId({ method, path }: Route): string {
  const words = path.split(/[^a-z]+/i).filter((word) => word !== '');
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Every schema of the document has a name: its own, or that of the operation it belongs to. */
function nameSchemas(routes: readonly Route[]): Names {
  const names: Names = z.registry<{ id: string }>();
  const schemas = { ...views, ...commands, ...commandViews, ...api, ...people, ...access };
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema instanceof z.ZodType) {
      names.add(schema, { id: name.charAt(0).toUpperCase() + name.slice(1) });
    }
  }
  for (const route of routes) {
    const { body, response } = route;
    if (body !== null && !names.has(body)) names.add(body, { id: `${operationId(route)}Request` });
    if (!names.has(response)) names.add(response, { id: `${operationId(route)}Response` });
  }
  return names;
}

/** The only schemas that refer to themselves are those for any JSON value, which `{}` says as well. */
function isAnyJson(value: Json): boolean {
  return typeof value['$ref'] === 'string' && value['$ref'].includes('__shared');
}

const NOT_IN_OPENAPI = new Set(['$schema', '$id', '~standard']);

function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const object = value as Json;
  if (isAnyJson(object)) return {};
  const kept = Object.entries(object).filter(([key]) => !NOT_IN_OPENAPI.has(key));
  return Object.fromEntries(kept.map(([key, item]) => [key, tidy(item)]));
}

function parameters(schema: z.ZodType, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: tidy(property),
  }));
}

/** A file is named by its media types and described by its own documentation. */
function contentOf({ files }: Route, content: Json): Json {
  if (files === undefined) return content;
  return Object.fromEntries(files.map((type) => [type, { schema: { type: 'string' } }]));
}

function operation(route: Route, names: Names): Json {
  const json = (schema: z.ZodType) => ({
    'application/json': { schema: { $ref: `${COMPONENTS}${names.get(schema)?.id}` } },
  });
  return {
    operationId: operationId(route),
    summary: route.summary,
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    ...(route.body === null ? {} : { requestBody: { required: true, content: json(route.body) } }),
    responses: {
      [route.status]: { description: 'Done', content: contentOf(route, json(route.response)) },
      default: { description: 'Refused or failed', content: json(api.errorBody) },
    },
  };
}

export function openApiDocument(routes: readonly Route[]): Json {
  const names = nameSchemas(routes);
  const { schemas } = z.toJSONSchema(names, { uri: (id) => `${COMPONENTS}${id}`, io: 'input' });
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route, names) };
  }
  const named = Object.entries(schemas).filter(([name]) => name !== '__shared');
  return {
    openapi: '3.1.0',
    info: { title: 'Recloser', version: '1', description: 'The API of the console.' },
    paths,
    components: {
      schemas: Object.fromEntries(named.map(([name, schema]) => [name, tidy(schema)])),
    },
  };
}
