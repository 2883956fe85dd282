import { Section } from '../shell/page';
import {
  StateBadge,
  StateGlyph,
  stateLabel,
  STATES_WORST_FIRST,
  StateText,
  type Freshness,
} from '../state';
import { Table, Td, Th } from '../ui/table';
import styles from './design.module.css';

const FRESHNESS: readonly Freshness[] = ['live', 'stale', 'offline'];

export function StatesSection() {
  return (
    <Section title="State grammar">
      <Table aria-label="States">
        <thead>
          <tr>
            <Th>State</Th>
            <Th>Glyph 12, 14, 18, 28</Th>
            <Th>In a row</Th>
            <Th>Badge</Th>
            <Th>Large</Th>
          </tr>
        </thead>
        <tbody>
          {STATES_WORST_FIRST.flatMap((state) =>
            FRESHNESS.map((freshness) => (
              <tr key={`${state}-${freshness}`}>
                <Td>{stateLabel(state, freshness)}</Td>
                <Td>
                  <span className={styles.row}>
                    {[12, 14, 18, 28].map((size) => (
                      <StateGlyph key={size} state={state} freshness={freshness} size={size} />
                    ))}
                  </span>
                </Td>
                <Td>
                  <StateText state={state} freshness={freshness} />
                </Td>
                <Td>
                  <StateBadge state={state} freshness={freshness} detail="12:40 left" />
                </Td>
                <Td>
                  <StateBadge state={state} freshness={freshness} size="large" />
                </Td>
              </tr>
            )),
          )}
        </tbody>
      </Table>
    </Section>
  );
}
