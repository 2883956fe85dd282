import { eq, sql } from 'drizzle-orm';
import type { Connection } from './connection';
import { meta } from './schema';

type Counter = 'desired_revision' | 'writable';
type Fact = 'setup_completed_at';

export function increment({ db }: Connection, key: Counter): number {
  const { value } = db
    .insert(meta)
    .values({ key, value: 1 })
    .onConflictDoUpdate({ target: meta.key, set: { value: sql`${meta.value} + 1` } })
    .returning({ value: meta.value })
    .get();
  return value;
}

export function readCounter({ db }: Connection, key: Counter): number {
  return db.select({ value: meta.value }).from(meta).where(eq(meta.key, key)).get()?.value ?? 0;
}

/** Null while it was never written. */
export function readMeta({ db }: Connection, key: Fact): number | null {
  return db.select({ value: meta.value }).from(meta).where(eq(meta.key, key)).get()?.value ?? null;
}

export function writeMeta({ db }: Connection, key: Fact, value: number): void {
  db.insert(meta)
    .values({ key, value })
    .onConflictDoUpdate({ target: meta.key, set: { value } })
    .run();
}
