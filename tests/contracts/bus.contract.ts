import { beforeEach, describe, expect, it } from 'vitest';
import type { Bus, Publication } from '@/server/bus/port';

const revoked = (tokenId: string): Publication => ({ type: 'token_revoked', tokenId });
const idOf = (publication: Publication): string =>
  publication.type === 'token_revoked' ? publication.tokenId : publication.type;

export type BusUnderTest = {
  readonly bus: Bus;
  /** What listeners threw so far. */
  readonly reported: readonly unknown[];
  /** Resolves when everything that was published has been delivered. */
  settled(): Promise<void>;
};

/** What every bus does, in one process or between several. */
export function busContract(name: string, create: () => Promise<BusUnderTest>): void {
  describe(`${name} keeps the bus contract`, () => {
    let subject: BusUnderTest;
    let bus: Bus;

    beforeEach(async () => {
      subject = await create();
      bus = subject.bus;
    });

    async function publish(...ids: string[]): Promise<void> {
      for (const id of ids) bus.publish(revoked(id));
      await subject.settled();
    }

    function collect(): string[] {
      const heard: string[] = [];
      bus.subscribe((publication) => heard.push(idOf(publication)));
      return heard;
    }

    it('delivers each publication to each listener, in order', async () => {
      const one = collect();
      const two = collect();
      await publish('a', 'b', 'c');
      expect(one).toEqual(['a', 'b', 'c']);
      expect(two).toEqual(['a', 'b', 'c']);
    });

    it('hands over the publication as it was', async () => {
      const heard: Publication[] = [];
      bus.subscribe((publication) => heard.push(publication));
      const fleet: Publication = {
        type: 'fleet',
        urgent: true,
        changes: { removedBreakers: ['b'] },
      };
      const desired: Publication = { type: 'desired', instanceIds: ['i'], revision: 4 };
      bus.publish(fleet);
      bus.publish(desired);
      await subject.settled();
      expect(heard).toEqual([fleet, desired]);
    });

    it('keeps the order for everybody when a listener publishes', async () => {
      bus.subscribe((publication) => {
        if (idOf(publication) === 'a') bus.publish(revoked('from a'));
        if (idOf(publication) === 'from a') bus.publish(revoked('from it'));
      });
      const heard = collect();
      await publish('a', 'b');
      expect(heard.toSorted()).toEqual(['a', 'b', 'from a', 'from it']);
      expect(heard.indexOf('a')).toBeLessThan(heard.indexOf('from a'));
      expect(heard.indexOf('from a')).toBeLessThan(heard.indexOf('from it'));
    });

    it('does not nest: a listener ends before it hears the next one', async () => {
      let depth = 0;
      let deepest = 0;
      bus.subscribe((publication) => {
        depth++;
        deepest = Math.max(deepest, depth);
        if (idOf(publication) === 'a') bus.publish(revoked('b'));
        depth--;
      });
      await publish('a');
      expect(deepest).toBe(1);
    });

    it('reports a listener that throws and goes on', async () => {
      const fault = new Error('listener');
      bus.subscribe(() => {
        throw fault;
      });
      const heard = collect();
      await publish('a', 'b');
      expect(heard).toEqual(['a', 'b']);
      expect(subject.reported).toEqual([fault, fault]);
    });

    it('stops for one who left, also in the middle of a delivery', async () => {
      const heard: string[] = [];
      bus.subscribe(() => leave());
      const leave = bus.subscribe((publication) => heard.push(idOf(publication)));
      const stay = collect();
      await publish('a', 'b');
      leave();
      expect(heard).toEqual([]);
      expect(stay).toEqual(['a', 'b']);
    });

    it('lets one who joins in the middle hear what comes next', async () => {
      const late: string[] = [];
      let joined = false;
      bus.subscribe(() => {
        if (joined) return;
        joined = true;
        bus.subscribe((publication) => late.push(idOf(publication)));
      });
      await publish('a');
      await publish('b');
      expect(late).toEqual(['b']);
    });

    it('takes one function twice as two listeners', async () => {
      const heard: string[] = [];
      const listener = (publication: Publication): void => void heard.push(idOf(publication));
      bus.subscribe(listener);
      const leave = bus.subscribe(listener);
      await publish('a');
      leave();
      await publish('b');
      expect(heard).toEqual(['a', 'a', 'b']);
    });

    it('is silent once closed', async () => {
      const heard = collect();
      await bus.close();
      collect();
      await publish('a');
      await bus.close();
      expect(heard).toEqual([]);
    });
  });
}
