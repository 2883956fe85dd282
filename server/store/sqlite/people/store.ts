import type { PeopleStore } from '../../port/people';
import type { Connection } from '../connection';
import {
  changeAuthRows,
  countAuthRows,
  findAuthRows,
  insertAuthRow,
  removeAuthRows,
} from './auth-rows';
import * as codes from './codes';
import * as people from './people';
import * as sessions from './sessions';

type Unit = <T>(work: (connection: Connection) => T | Promise<T>) => Promise<T>;
type Work<A extends unknown[], R> = (connection: Connection, ...args: A) => R;

/** Each method is one unit of work of its topic's file. */
export function createPeopleStore(unit: Unit): PeopleStore {
  const of =
    <A extends unknown[], R>(work: Work<A, R>) =>
    (...args: A): Promise<R> =>
      unit((connection) => work(connection, ...args));
  return {
    auth: {
      insert: of(insertAuthRow),
      find: of(findAuthRows),
      count: of(countAuthRows),
      change: of(changeAuthRows),
      remove: of(removeAuthRows),
    },
    listPeople: of(people.listPeople),
    findPerson: of(people.findPerson),
    passwordHash: of(people.passwordHash),
    addPerson: of(people.addPerson),
    setGrants: of(people.setGrants),
    setDisabled: of(people.setDisabled),
    setPassword: of(people.setPassword),
    resetFactors: of(people.resetFactors),
    removeTotp: of(people.removeTotp),
    listPasskeys: of(people.listPasskeys),
    removePasskey: of(people.removePasskey),
    findSession: of(sessions.findSession),
    getSession: of(sessions.getSession),
    listSessions: of(sessions.listSessions),
    touchSession: of(sessions.touchSession),
    rotateSession: of(sessions.rotateSession),
    endSessions: of(sessions.endSessions),
    pruneSessions: of(sessions.pruneSessions),
    setupCompletedAt: of(codes.setupCompletedAt),
    putCode: of(codes.putCode),
    findCode: of(codes.findCode),
    listInvitations: of(codes.listInvitations),
    revokeCode: of(codes.revokeCode),
    redeemForPerson: of(codes.redeemForPerson),
    redeemRecovery: of(codes.redeemRecovery),
    putStepUp: of(codes.putStepUp),
    consumeStepUp: of(codes.consumeStepUp),
    reserveOnce: of(sessions.reserveOnce),
  };
}
