/**
 * The real server in its own process. `DIE_AT` is `<method> <n> <before|after>`: at the n-th call of
 * this write of the store it kills itself with SIGKILL, before the transaction or after its commit.
 */
import { SqliteStore } from '@/server/store/sqlite/store';

const [method = '', count = '0', when = ''] = (process.env['DIE_AT'] ?? '').split(' ');
const original: unknown = Reflect.get(SqliteStore.prototype, method);

const die = () => process.kill(process.pid, 'SIGKILL');

if (typeof original === 'function') {
  let calls = 0;
  const dying = async function dying(this: SqliteStore, ...args: unknown[]): Promise<unknown> {
    calls += 1;
    if (calls === Number(count) && when === 'before') die();
    const result: unknown = await Reflect.apply(original, this, args);
    if (calls === Number(count) && when === 'after') die();
    return result;
  };
  Object.defineProperty(SqliteStore.prototype, method, { value: dying });
}

await import('@/server/main');
