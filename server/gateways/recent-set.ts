/** The last `limit` values that were added. */
export function createRecentSet(limit: number) {
  const values = new Set<string>();
  return {
    has: (value: string): boolean => values.has(value),
    add(value: string): void {
      values.add(value);
      for (const oldest of values) {
        if (values.size <= limit) return;
        values.delete(oldest);
      }
    },
  };
}
