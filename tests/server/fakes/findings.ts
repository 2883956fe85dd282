import type { DiagnosisBody, Finding, FindingsBody } from '@/lib/protocol/findings';

const drift: Finding = {
  kind: 'config_drift',
  severity: 'risk',
  summary: '1 of 2 live instances run another configuration, different in open.baseMs.',
  evidence: [
    { label: 'Configurations among live instances', unit: 'count', value: 2 },
    { label: 'Differ from the rest', unit: 'text', text: 'two' },
  ],
  advice: [{ option: 'open.baseMs', now: '30000', suggest: '10000', text: 'as most have it' }],
  instanceIds: ['ins_1'],
  eventIds: [1],
  firstAt: 1,
  lastAt: 2,
  current: true,
};

export const diagnosisBody: DiagnosisBody = {
  now: 2,
  breakerId: 'br_1',
  findings: [drift],
  lookedAt: { from: 1, to: 2, events: 3, probes: 0, calls: 40, cut: false },
};

export const findingsBody: FindingsBody = {
  now: 2,
  findings: [
    {
      breakerId: 'br_1',
      breaker: 'payments',
      serviceId: 'svc_1',
      service: 'checkout',
      environment: 'test',
      target: 'payments-api',
      finding: drift,
    },
  ],
  examined: 1,
  breakers: 1,
};
