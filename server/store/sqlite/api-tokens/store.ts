import type { ApiTokenStore } from '../../port/api-tokens';
import type { Connection } from '../connection';
import * as rows from './rows';

type Unit = <T>(work: (connection: Connection) => T | Promise<T>) => Promise<T>;
type Work<A extends unknown[], R> = (connection: Connection, ...args: A) => R;

export function createApiTokenStore(unit: Unit): ApiTokenStore {
  const of =
    <A extends unknown[], R>(work: Work<A, R>) =>
    (...args: A): Promise<R> =>
      unit((connection) => work(connection, ...args));
  return {
    createApiToken: of(rows.createApiToken),
    findApiToken: of(rows.findApiToken),
    getApiToken: of(rows.getApiToken),
    listApiTokens: of(rows.listApiTokens),
    touchApiToken: of(rows.touchApiToken),
    revokeApiToken: of(rows.revokeApiToken),
  };
}
