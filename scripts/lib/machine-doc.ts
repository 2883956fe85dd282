import { machineStates, transitions, type MachineState } from '../../lib/breaker/machine';

const words: Record<MachineState, string> = {
  closed: 'closed',
  open: 'open',
  half_open: 'half-open, step by step',
  forced: 'forced by an override',
};

/** The state machine as Mermaid, from the table that the tests hold the breaker to. */
export function machineDiagram(): string {
  const names = machineStates.map((state) => `  state "${words[state]}" as ${state}`);
  const edges = transitions.flatMap(({ id, from, to, when }) =>
    from.flatMap((start) => to.map((end) => `  ${start} --> ${end}: ${id} ${when}`)),
  );
  return ['```mermaid', 'stateDiagram-v2', ...names, '  [*] --> closed', ...edges, '```'].join(
    '\n',
  );
}
