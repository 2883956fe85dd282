export { Recloser, type BreakerPolicy, type RecloserStatus } from './recloser';
export { GuardedBreaker } from './guarded-breaker';
export { RecloserConfigError } from './config-error';
export { guardFetch, type FetchBreaker, type GuardedFetch } from './fetch/guard-fetch';
export type { ClassifyResponse } from './fetch/judge';
export type { FetchTarget, GuardedCall, GuardFetchOptions } from './fetch/options';
export { currentProbe, type ProbeMark } from './probe-context';
export type { ProbeKey } from './probe-header/probe-key';
export type { FetchRequest, NodeRequest, ProbeRequest } from './probe-header/request';
export { ProbeSigner, type ProbeSignerOptions, type SignInput } from './probe-header/sign';
export { stripProbeHeader } from './probe-header/strip';
export { PROBE_HEADER } from './probe-header/value';
export {
  ProbeVerifier,
  type ProbeReason,
  type ProbeVerdict,
  type ProbeVerifierOptions,
} from './probe-header/verify';
export type { RecloserOptions } from './options';
export type { AgentLogger, LogDetails } from './ports';
export * from '../breaker';
