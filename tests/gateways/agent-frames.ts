export const EPOCH = 'a'.repeat(32);

export const hello = (over: Record<string, unknown> = {}) => ({
  type: 'hello',
  protocol: 1,
  sdk: { name: 'test', version: '1' },
  service: 'checkout',
  environment: 'test',
  instance: 'one',
  epoch: EPOCH,
  startedAt: 1,
  accepts: { kinds: ['force_open'], maxLeaseMs: 60_000 },
  firstSeq: 1,
  nextSeq: 1,
  clock: { at: 1, mono: 1 },
  ...over,
});

export const event = (seq: number) => ({
  type: 'starved',
  seq,
  at: 1,
  mono: 1,
  breaker: 'payments',
  step: 1,
});

export const events = (...seqs: number[]) => ({ type: 'events', events: seqs.map(event) });

export const samples = (...seqs: number[]) => ({
  type: 'samples',
  dropped: 1,
  samples: seqs.map((seq) => ({
    type: 'probe',
    seq,
    at: 1,
    mono: 1,
    breaker: 'payments',
    step: 1,
    outcome: 'success',
    latencyMs: 1,
    idempotent: true,
    inFlight: 0,
  })),
});
