import type { DiagnosisBody, FindingsBody, FindingsQuery } from '@/lib/protocol/findings';

export interface Diagnosis {
  /** Looks now, unless somebody did within the last seconds. */
  breaker(breakerId: string): Promise<DiagnosisBody>;
  /** What the last look at each breaker found of the last hour, of all or of one service. */
  findings(query: FindingsQuery): Promise<FindingsBody>;
}
