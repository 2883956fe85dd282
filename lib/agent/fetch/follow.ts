import { defaultMaxListeners, getMaxListeners, setMaxListeners } from 'node:events';

const controllers = new WeakMap<AbortSignal, AbortController>();
/** As fetch itself has it: a signal of a whole process serves many calls at a time. */
const MAX_LISTENERS = 1_500;
const forgotten = new FinalizationRegistry<() => void>((stop) => stop());

/**
 * A signal that aborts with any of the sources, for as long as somebody holds it. `AbortSignal.any`
 * of Node 20 keeps more than a kilobyte on a long-lived source for every call.
 */
export function followSignals(sources: readonly AbortSignal[]): {
  readonly signal: AbortSignal;
  /** Leaves nothing on the sources; the signal then stays as it is. */
  readonly stop: () => void;
} {
  const controller = new AbortController();
  const { signal } = controller;
  // From the signal to its controller, so that the sources need to hold neither.
  controllers.set(signal, controller);
  const weak = new WeakRef(signal);
  const stops = sources.map((source) => listen(source, weak));
  const stop = () => stops.forEach((end) => end());
  forgotten.register(signal, stop);
  return { signal, stop };
}

function listen(source: AbortSignal, weak: WeakRef<AbortSignal>): () => void {
  const onAbort = () => {
    const signal = weak.deref();
    if (signal !== undefined) controllers.get(signal)?.abort(source.reason);
  };
  if (source.aborted) onAbort();
  if (getMaxListeners(source) === defaultMaxListeners) setMaxListeners(MAX_LISTENERS, source);
  source.addEventListener('abort', onAbort, { once: true });
  return () => source.removeEventListener('abort', onAbort);
}
