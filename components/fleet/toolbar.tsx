'use client';

import { ArrowDownUp, Rows3, Rows4 } from 'lucide-react';
import { usePreferences } from '../shell/providers';
import { ActionChip } from '../ui/chip';
import { Select } from '../ui/field';
import { Segmented } from '../ui/segmented';
import type { FleetFilter } from './filter';
import { SearchBox } from './search-box';
import styles from './toolbar.module.css';

type Props = {
  filter: FleetFilter;
  onFilter: (change: Partial<FleetFilter>) => void;
  environments: readonly string[];
  services: readonly string[];
  shown: number;
  total: number;
  orderWaits: boolean;
  onApplyOrder: () => void;
};

const choices = (all: string, names: readonly string[]) => [
  { value: '', label: all },
  ...names.map((name) => ({ value: name, label: name })),
];

function DensitySwitch() {
  const { preferences, prefer } = usePreferences();
  return (
    <Segmented
      label="Row height"
      value={preferences.density}
      onValue={(density) => prefer({ density })}
      options={[
        { value: 'comfortable', label: <Rows3 />, name: 'Comfortable rows' },
        { value: 'dense', label: <Rows4 />, name: 'Dense rows' },
      ]}
    />
  );
}

export function Toolbar(props: Props) {
  const { filter, onFilter, environments, services, shown, total, orderWaits, onApplyOrder } =
    props;
  return (
    <search className={styles.toolbar}>
      <SearchBox value={filter.text} onText={(text) => onFilter({ text })} />
      <Select
        aria-label="Environment"
        className={styles.select}
        value={filter.environment ?? ''}
        options={choices('All environments', environments)}
        onValue={(value) => onFilter({ environment: value === '' ? null : value })}
      />
      <Select
        aria-label="Service"
        className={styles.select}
        value={filter.service ?? ''}
        options={choices('All services', services)}
        onValue={(value) => onFilter({ service: value === '' ? null : value })}
      />
      <span className={styles.count}>
        {shown === total ? `${total} breakers` : `${shown} of ${total} breakers`}
      </span>
      <span className={styles.right}>
        {orderWaits && (
          <ActionChip icon={<ArrowDownUp size={12} aria-hidden="true" />} onClick={onApplyOrder}>
            New order
          </ActionChip>
        )}
        <span className={styles.density}>
          <DensitySwitch />
        </span>
      </span>
    </search>
  );
}
