import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '@/server/http/openapi';
import { routes } from '@/server/http/routes';

type Json = Record<string, unknown>;

const document = JSON.parse(JSON.stringify(openApiDocument(routes))) as {
  openapi: string;
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json> };
};

function refsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === '$ref' ? [String(item)] : refsOf(item),
  );
}

describe('the OpenAPI document', () => {
  it('lists every route and no other', () => {
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(listed.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
    expect(document.openapi).toBe('3.1.0');
  });

  it('refers only to schemas that it has, and has none without a type', () => {
    const known = Object.keys(document.components.schemas).map(
      (name) => `#/components/schemas/${name}`,
    );
    const refs = refsOf(document);
    expect(refs.length).toBeGreaterThan(30);
    expect(refs.filter((ref) => !known.includes(ref))).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(/__shared|\$schema|\$id/);
  });

  it('names each operation once and each parameter of its path', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, operation })),
    );
    const ids = operations.map(({ operation }) => operation['operationId']);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of operations) {
      const inPath = (operation['parameters'] as Json[]).filter(
        ({ in: place }) => place === 'path',
      );
      expect(inPath.map(({ name }) => `{${String(name)}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      expect(Object.keys(operation['responses'] as Json)).toContain('default');
    }
  });

  it('holds schemas that JSON Schema 2020-12 can read', () => {
    const { schemas } = document.components;
    const whole = { $ref: '#/$defs/BreakerBody', $defs: rebase(schemas) };
    expect(() => z.fromJSONSchema(whole as never)).not.toThrow();
  });

  it('says which fields of a request must be there', () => {
    const { IssueOverrideBody } = document.components.schemas;
    expect(IssueOverrideBody?.['required']).toContain('expectedGeneration');
    expect(IssueOverrideBody?.['additionalProperties']).toBe(false);
  });
});

function rebase(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll('#/components/schemas/', '#/$defs/');
  return JSON.parse(text) as unknown;
}
