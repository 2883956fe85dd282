/** [S-32] What an agent makes of the signed states of the console's audit trail. */
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '@/lib/agent/hash';
import { Witness } from '@/lib/agent/witness';
import type { AuditCheckpoint } from '@/lib/protocol/audit';
import { checkpointDigest } from '@/lib/protocol/checkpoint-text';

const first: AuditCheckpoint = {
  chainId: 'c'.repeat(32),
  number: 1,
  fromRow: 1,
  toRow: 10,
  headHash: '1'.repeat(64),
  root: 'b'.repeat(64),
  at: 1,
  previous: null,
  keyId: 'd'.repeat(64),
  publicKey: 'key',
  signature: 'signature',
};

function after(before: AuditCheckpoint, over: Partial<AuditCheckpoint> = {}): AuditCheckpoint {
  return {
    ...before,
    number: before.number + 1,
    fromRow: before.toRow + 1,
    toRow: before.toRow + 10,
    headHash: String(before.number + 1).repeat(64),
    previous: checkpointDigest(sha256Hex, before),
    ...over,
  };
}

function shown(...checkpoints: AuditCheckpoint[]) {
  const witness = new Witness();
  return checkpoints.map((one) => witness.see(one)?.kind ?? null);
}

describe('[S-32] a witness', () => {
  const second = after(first);
  const third = after(second);

  it('says nothing while the trail goes on, also over what it did not see', () => {
    expect(shown(first, first, second, third)).toEqual([null, null, null, null]);
    expect(shown(first, third)).toEqual([null, null]);
  });

  it('sees a console that comes back with less', () => {
    expect(shown(first, second, first)).toEqual([null, null, 'rollback']);
    expect(shown(third, { ...third, number: 4, toRow: 5 })).toEqual([null, 'rollback']);
  });

  it('sees another history under the same number or behind the one it keeps', () => {
    const other = after(first, { headHash: 'f'.repeat(64) });
    expect(shown(first, second, other)).toEqual([null, null, 'fork']);
    expect(shown(first, second, after(other))).toEqual([null, null, 'fork']);
  });

  it('sees another chain, and watches that one from then on', () => {
    const other = { ...first, chainId: 'e'.repeat(32) };
    expect(shown(third, other, after(other))).toEqual([null, 'other_chain', null]);
  });

  it('keeps the largest and says so once on each connection', () => {
    const witness = new Witness();
    witness.see(second);
    expect(witness.see(first)).toMatchObject({ kept: { number: 2 }, seen: { number: 1 } });
    expect(witness.see(first)).toBeNull();
    witness.connected();
    expect(witness.see(first)).toMatchObject({ type: 'rollback_alarm', kept: second });
  });
});
