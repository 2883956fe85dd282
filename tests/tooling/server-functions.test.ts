import { expect, it } from 'vitest';
import config from '@/next.config';
import { serverFunctionProblem } from '@/scripts/lib/server-functions.mjs';

it('[S-07] a build with a Server Function is refused, wherever it would run', () => {
  const one = { id1: { workers: { 'app/page': {} } } };
  expect(serverFunctionProblem('{"node":{},"edge":{},"encryptionKey":"k"}')).toBeNull();
  expect(serverFunctionProblem(JSON.stringify({ node: one, edge: {} }))).toMatch(/^1 Server/);
  expect(serverFunctionProblem(JSON.stringify({ node: {}, edge: one }))).toMatch(/^1 Server/);
});

it('[S-07] no image of another host is fetched to make it smaller', () => {
  expect(config.images).toEqual({ unoptimized: true });
});
