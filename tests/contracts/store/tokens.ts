import { describe, expect, it } from 'vitest';
import { audit, T0, token } from '../fixtures';
import type { Subject } from './subject';

export function tokensContract(subject: Subject): void {
  describe('tokens', () => {
    it('are found by their hash alone', async () => {
      const store = subject.store();
      await store.createToken(token('t1'), 'hash-1', audit('token.create'));
      await store.createToken(token('t2', { abilities: ['publish'] }), 'hash-2', audit('x'));
      expect(await store.findToken('hash-1')).toEqual(token('t1'));
      expect(await store.findToken('hash-2')).toEqual(token('t2', { abilities: ['publish'] }));
      expect(await store.findToken('t1')).toBeNull();
      const list = await store.listTokens();
      expect(list.map((row) => row.id)).toEqual(['t1', 't2']);
      expect(JSON.stringify(list)).not.toContain('hash');
    });

    it('are created with their audit row or not at all', async () => {
      const store = subject.store();
      await store.createToken(token('t1'), 'hash-1', audit('token.create'));
      await expect(store.createToken(token('t2'), 'hash-1', audit('token.create'))).rejects.toThrow(
        /UNIQUE|hash/,
      );
      expect(await store.listTokens()).toHaveLength(1);
      expect(await store.listAudit({ limit: 10 })).toHaveLength(1);
    });

    it('remember their last use, never backwards', async () => {
      const store = subject.store();
      await store.createToken(token('t1'), 'hash-1', audit('token.create'));
      await store.touchToken('t1', T0 + 9);
      await store.touchToken('t1', T0 + 3);
      expect(await store.findToken('hash-1')).toMatchObject({ lastUsedAt: T0 + 9 });
    });

    it('are revoked once and stay listed', async () => {
      const store = subject.store();
      await store.createToken(token('t1'), 'hash-1', audit('token.create'));
      const revoked = await store.revokeToken('t1', T0 + 5, audit('token.revoke'));
      expect(revoked).toEqual(token('t1', { revokedAt: T0 + 5 }));
      expect(await store.revokeToken('t1', T0 + 8, audit('token.revoke'))).toEqual(revoked);
      expect(await store.revokeToken('nobody', T0, audit('token.revoke'))).toBeNull();
      expect(await store.findToken('hash-1')).toEqual(revoked);
      const rows = await store.listAudit({ limit: 10 });
      expect(rows.map((row) => row.action)).toEqual(['token.revoke', 'token.create']);
    });
  });
}
