import { Callout } from '@/components/ui/callout';
import type { BreakerConfigView, BreakerInstanceView } from '@/lib/protocol/views';
import { configDrift, configGroups } from './config-words';
import { Fact, Facts, Panel } from './panel';
import styles from './config-panel.module.css';

type Props = {
  configs: readonly BreakerConfigView[];
  instances: readonly BreakerInstanceView[];
};

function DriftNote({ configs, instances }: Props) {
  const drift = configDrift(configs.map((one) => one.config));
  const names = (ids: readonly string[]) =>
    instances
      .filter((one) => ids.includes(one.instanceId))
      .map((one) => one.instance)
      .join(', ');
  return (
    <Callout tone="warning" title="Instances disagree on the configuration">
      <ul className={styles.drift}>
        {drift.map((one) => (
          <li key={one.path}>
            <b>{one.label}</b>:{' '}
            {one.values
              .map(
                (value, index) =>
                  `${value ?? 'not set'} (${names(configs[index]?.instanceIds ?? [])})`,
              )
              .join(', ')}
          </li>
        ))}
      </ul>
    </Callout>
  );
}

/** The complete effective options as the instances report them. */
export function ConfigPanel({ configs, instances }: Props) {
  const [first] = [...configs].sort((a, b) => b.instanceIds.length - a.instanceIds.length);
  if (first === undefined) {
    return (
      <Panel title="Configuration">
        <p className={styles.none}>No instance has reported its options yet.</p>
      </Panel>
    );
  }
  return (
    <Panel title="Configuration" aside={<code>{first.configHash.slice(0, 8)}</code>}>
      <div className={styles.body}>
        {configs.length > 1 && <DriftNote configs={configs} instances={instances} />}
        <div className={styles.groups}>
          {configGroups(first.config).map((group) => (
            <div key={group.title}>
              <h3 className={styles.heading}>{group.title}</h3>
              <Facts>
                {group.lines.map((line) => (
                  <Fact key={line.path} label={line.label}>
                    {line.value}
                  </Fact>
                ))}
              </Facts>
            </div>
          ))}
        </div>
      </div>
    </Panel>
  );
}
