import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RedisEval } from '@/lib/breaker';

/** Where a Redis server is, if this machine has one. */
export function redisServer(): string | null {
  const places = [
    process.env['RECLOSER_REDIS_SERVER'],
    '/usr/bin/redis-server',
    '/usr/local/bin/redis-server',
    '/usr/bin/valkey-server',
  ];
  return places.find((path) => path !== undefined && existsSync(path)) ?? null;
}

export type RunningRedis = RedisEval & {
  command(...words: readonly string[]): Promise<unknown>;
  stop(): Promise<void>;
};

/** Starts a server on a free loopback port, without files, and connects to it. */
export async function startRedis(server: string): Promise<RunningRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'recloser-redis-'));
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn(server, [...args, '--dir', folder], { stdio: 'ignore' });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const socket = await connect(port);
  const command = client(socket);
  return {
    command,
    eval: (script, keys, given) => command('EVAL', script, String(keys.length), ...keys, ...given),
    async stop() {
      socket.destroy();
      child.kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

async function connect(port: number): Promise<Socket> {
  for (let tries = 0; ; tries++) {
    try {
      return await new Promise<Socket>((resolve, reject) => {
        const socket = createConnection({ port, host: '127.0.0.1' });
        socket.once('connect', () => resolve(socket));
        socket.once('error', reject);
      });
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
  }
}

type Waiting = { resolve(value: unknown): void; reject(error: Error): void };

/** As much of the protocol as scripts need: strings, errors, numbers, bulk strings and lists. */
function client(socket: Socket): (...words: readonly string[]) => Promise<unknown> {
  const waiting: Waiting[] = [];
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    for (let read = answer(text, 0); read !== null; read = answer(text, 0)) {
      text = text.slice(read.next);
      const { value } = read;
      const caller = waiting.shift();
      if (value instanceof Error) caller?.reject(value);
      else caller?.resolve(value);
    }
  });
  return (...words) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
      socket.write(`*${words.length}\r\n${parts.join('')}`);
    });
}

type Answer = { readonly value: unknown; readonly next: number };

/** null: the rest of it has not arrived. */
function answer(text: string, from: number): Answer | null {
  const end = text.indexOf('\r\n', from);
  if (end < 0) return null;
  const line = text.slice(from + 1, end);
  const next = end + 2;
  switch (text[from]) {
    case '-':
      return { value: new Error(line), next };
    case ':':
      return { value: Number(line), next };
    case '$': {
      const length = Number(line);
      if (length < 0) return { value: null, next };
      if (text.length < next + length + 2) return null;
      return { value: text.slice(next, next + length), next: next + length + 2 };
    }
    case '*': {
      const list: unknown[] = [];
      let at = next;
      for (let i = 0; i < Number(line); i++) {
        const item = answer(text, at);
        if (item === null) return null;
        list.push(item.value);
        at = item.next;
      }
      return { value: list, next: at };
    }
    default:
      return { value: line, next };
  }
}
