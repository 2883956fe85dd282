/** [S-20] How many sockets of one address may be open before they have said who they are. */
export type WaitingRoom = {
  /** Null when the address has its share already; else what to call, once or more, when it has spoken or gone. */
  enter(address: string | null): (() => void) | null;
};

export function createWaitingRoom(perAddress: number): WaitingRoom {
  const waiting = new Map<string | null, number>();
  return {
    enter(address) {
      const before = waiting.get(address) ?? 0;
      if (before >= perAddress) return null;
      waiting.set(address, before + 1);
      let isInside = true;
      return () => {
        if (!isInside) return;
        isInside = false;
        const left = (waiting.get(address) ?? 1) - 1;
        if (left === 0) waiting.delete(address);
        else waiting.set(address, left);
      };
    },
  };
}
