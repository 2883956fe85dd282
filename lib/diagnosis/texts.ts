/** The words of each finding that do not depend on figures: `docs/diagnosis.md` says more. */
import type { FindingKind, Severity } from '../protocol/findings';

type Text = {
  readonly title: string;
  /** Why it is a finding. */
  readonly reason: string;
};

export const findingTexts: Readonly<Record<FindingKind, Text>> = {
  flapping: {
    title: 'Flapping',
    reason:
      'It goes from half-open to closed and trips again, over and over. Each round sends a burst of calls to a target that is not well. The proof asked of a recovery is too small, or the open time too short for this target.',
  },
  stuck_half_open: {
    title: 'Stuck half-open',
    reason:
      'A step ends only with a verdict: enough good answers, or too many bad ones. Without traffic, with probes that are cancelled, or with permits that never come back there is none, and callers stay refused.',
  },
  half_open_too_wide: {
    title: 'Half-open too wide',
    reason:
      'The latency of the probes rises with the share of traffic. So the recovery itself overloads the target, and what is measured is the load of the probes, not the health of the target.',
  },
  never_enough_volume: {
    title: 'Never enough volume',
    reason:
      'A failure share counts only from a minimum of calls in the window. This breaker sees fewer, so it watches every failure and can never open: callers wait for each timeout.',
  },
  hair_trigger: {
    title: 'Hair trigger',
    reason:
      'It trips at a failure share that this service shows while all is well. With few calls in the window chance alone gets there. Each such trip refuses calls that would have gone well.',
  },
  own_overload: {
    title: 'Own overload',
    reason:
      'Calls are refused by a pool, a bulkhead or a queue of the caller before they leave it, and the target answers well. The sick one is the caller. Such refusals are not counted against the target, and opening would help nobody.',
  },
  shared_key: {
    title: 'Shared key',
    reason:
      'One breaker guards operations that behave very differently. A rare one that fails opens the door on a busy one that works, or a slow one spoils the latency by which both are judged.',
  },
  nobody_calling: {
    title: 'Open with nobody calling',
    reason:
      'When the wait is over the next call becomes a probe. Without a call nothing happens, however well the target is. This is no fault, but the state on the screen says nothing about the target.',
  },
  next_step_fails: {
    title: 'Step clears, next step fails',
    reason:
      'A small share of traffic goes well every time and the next larger one fails every time. That is a lack of capacity, not of health: no number of attempts will get further.',
  },
  probe_timeout_hides_hold: {
    title: 'Probe timeout hides the hold',
    reason:
      'The ramp holds while answers are slow, so that a target may catch up. If a probe is timed out before it can be that slow, the hold is never reached: the timeout counts as a failure and the breaker opens again.',
  },
  probe_storm: {
    title: 'Probe storm',
    reason:
      'Each instance has its own breaker and each sends its own probe. Many that tripped together become ready together, and the target is hit by all of them at its weakest moment.',
  },
  config_drift: {
    title: 'Configuration drift',
    reason:
      'Instances of one service run different options, so they trip and recover differently. What one of them does says little about the others.',
  },
  forgotten_override: {
    title: 'Forgotten override',
    reason:
      'An override takes the breaker out of its own hands. One that is renewed again and again, or that is much older than usual, has become configuration that nobody reviews.',
  },
};

export const severityWords: Readonly<Record<Severity, string>> = {
  harm: 'Hurts now',
  risk: 'Will hurt',
  note: 'Good to know',
};

/** Where our own documentation explains it. */
export const docOf = (kind: FindingKind): string =>
  `docs/diagnosis.md#${findingTexts[kind].title
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .replaceAll(' ', '-')}`;
