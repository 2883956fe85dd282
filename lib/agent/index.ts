export { Recloser, type BreakerPolicy, type RecloserStatus } from './recloser';
export { GuardedBreaker } from './guarded-breaker';
export { RecloserConfigError } from './config-error';
export { currentProbe, type ProbeMark } from './probe-context';
export type { RecloserOptions } from './options';
export type { AgentLogger, LogDetails } from './ports';
export * from '../breaker';
