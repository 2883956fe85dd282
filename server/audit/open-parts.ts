/** Key, second sink and memory of the audit trail, as the configuration asks for them. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { auditCheckpoint } from '@/lib/protocol/audit';
import type { AuditParts, AuditSink } from '../services/audit/parts';
import { verifySignature } from './ed25519';
import { createFileSink } from './file-sink';
import { openKeys } from './key-file';
import { readSmallJson, writeSmallJson } from './small-file';
import { createStdoutSink } from './stdout-sink';

export type AuditSettings = {
  readonly dataDir: string;
  readonly rootDir: string;
  /** A path, `stdout`, or null for none. */
  readonly auditLog: string | null;
};

function openSink({ auditLog, dataDir }: AuditSettings): AuditSink | null {
  if (auditLog === null) return null;
  return auditLog === 'stdout'
    ? createStdoutSink(join(dataDir, 'audit-stdout.json'))
    : createFileSink(resolve(auditLog));
}

function versionOf(rootDir: string): string {
  try {
    const { version } = JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8')) as {
      version?: unknown;
    };
    return typeof version === 'string' ? version : 'unknown';
  } catch {
    return 'unknown';
  }
}

/** Throws `AuditKeyError` when there is a key that cannot be used. */
export function openAuditParts(settings: AuditSettings): AuditParts {
  const { dataDir, rootDir } = settings;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const memoryFile = join(dataDir, 'audit-checkpoint.json');
  return {
    ...openKeys(dataDir),
    verifySignature,
    sink: openSink(settings),
    memory: {
      read() {
        const kept = auditCheckpoint.safeParse(readSmallJson(memoryFile));
        return kept.success ? kept.data : null;
      },
      write: async (checkpoint) => writeSmallJson(memoryFile, checkpoint),
    },
    version: versionOf(rootDir),
  };
}
