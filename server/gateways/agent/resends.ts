/** Frames that were on their way when a resend was asked for run into the same hole; ask once. */
export function createResends() {
  let askedAt = 0;
  return {
    /** `received`: frames that had arrived by now; `lastIndex`: the last of those that met the hole. */
    shouldAsk(lastIndex: number, received: number): boolean {
      if (lastIndex <= askedAt) return false;
      askedAt = received;
      return true;
    },
  };
}
