import { eq, sql } from 'drizzle-orm';
import type { Connection } from './connection';
import { meta } from './schema';

type Counter = 'desired_revision' | 'writable';

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
