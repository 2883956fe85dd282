import { verifySignature } from '@/server/audit/ed25519';
import type { AuditParts, AuditSink, SinkPosition } from '@/server/services/audit/parts';
import type { AuditCheckpoint } from '@/lib/protocol/audit';
import { newSigner } from './support';

/** A second sink in memory that can be told to fail. */
export class FakeSink implements AuditSink {
  readonly name: string = 'memory';
  readonly lines: string[] = [];
  end: SinkPosition | null = null;
  broken = false;
  closed = false;

  async position(): Promise<SinkPosition | null> {
    if (this.broken) throw new Error('the sink cannot be read');
    return this.end;
  }
  async append(lines: readonly string[], end: SinkPosition): Promise<void> {
    if (this.broken) throw new Error('the sink is full');
    this.lines.push(...lines);
    this.end = end;
  }
  async close(): Promise<void> {
    this.closed = true;
  }

  get rows(): number[] {
    return this.lines.flatMap((text) => {
      const { kind, id } = JSON.parse(text) as { kind: string; id: number };
      return kind === 'audit' ? [id] : [];
    });
  }
  /** In order, as "row 3" or "checkpoint 1". */
  get order(): string[] {
    return this.lines.map((text) => {
      const line = JSON.parse(text) as { id?: number; checkpoint?: { number: number } };
      return line.checkpoint ? `checkpoint ${line.checkpoint.number}` : `row ${line.id}`;
    });
  }
}

export type FakeParts = AuditParts & { kept: AuditCheckpoint | null };

export function fakeParts(over: Partial<AuditParts> = {}): FakeParts {
  const parts: FakeParts = {
    signer: newSigner(),
    elder: null,
    verifySignature,
    sink: null,
    kept: null,
    memory: {
      read: () => parts.kept,
      write: async (checkpoint) => {
        parts.kept = checkpoint;
      },
    },
    version: '0.0.0',
    ...over,
  };
  return parts;
}
