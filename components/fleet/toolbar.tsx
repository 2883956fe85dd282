'use client';

import { ArrowDownUp, LayoutGrid, Rows3, Rows4, TableProperties } from 'lucide-react';
import { memo } from 'react';
import { usePreferences } from '../shell/providers';
import { useShortcut } from '../shortcuts/use-shortcut';
import { ActionChip, RemovableChip } from '../ui/chip';
import { Select } from '../ui/field';
import { formatCount } from '../ui/format';
import { Segmented } from '../ui/segmented';
import { groupings, type FleetAddress, type Grouping, type Layout } from './address';
import type { FleetFilter } from './filter';
import { SavedViews } from './saved-views';
import { SearchBox } from './search-box';
import styles from './toolbar.module.css';

type Choosing = {
  address: FleetAddress;
  onAddress: (change: Partial<FleetAddress>) => void;
  onFilter: (change: Partial<FleetFilter>) => void;
  environments: readonly string[];
  services: readonly string[];
};

type Props = Choosing & {
  shown: number;
  total: number;
  orderWaits: boolean;
  onApplyOrder: () => void;
};

const choices = (all: string, names: readonly string[]) => [
  { value: '', label: all },
  ...names.map((name) => ({ value: name, label: name })),
];

const GROUP_LABELS: Record<Grouping, string> = {
  service: 'By service',
  target: 'By target',
  environment: 'By environment',
};
const GROUPS = [
  { value: '', label: 'No groups' },
  ...groupings.map((value) => ({ value, label: GROUP_LABELS[value] })),
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

function LayoutSwitch({ layout, onLayout }: { layout: Layout; onLayout: (to: Layout) => void }) {
  return (
    <Segmented
      label="Layout"
      value={layout}
      onValue={onLayout}
      options={[
        { value: 'table', label: <TableProperties />, name: 'Table' },
        { value: 'tiles', label: <LayoutGrid />, name: 'Tiles' },
      ]}
    />
  );
}

/** Hundreds of services are hundreds of options: drawn when they change, not with every count. */
const Filters = memo(function Filters({
  address,
  onAddress,
  onFilter,
  environments,
  services,
}: Choosing) {
  const { filter, group } = address;
  return (
    <>
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
      <Select
        aria-label="Group"
        className={styles.group}
        value={group ?? ''}
        options={GROUPS}
        onValue={(value) =>
          onAddress({
            group: groupings.find((known) => known === value) ?? null,
            folded: false,
            flipped: [],
          })
        }
      />
      <SavedViews />
      {filter.target !== null && (
        <RemovableChip onRemove={() => onFilter({ target: null })}>
          to {filter.target}
        </RemovableChip>
      )}
      {filter.only.length > 0 && (
        <RemovableChip onRemove={() => onFilter({ only: [] })}>
          {filter.only.length} picked
        </RemovableChip>
      )}
    </>
  );
});

const Switches = memo(function Switches({
  layout,
  onAddress,
}: {
  layout: Layout;
  onAddress: Choosing['onAddress'];
}) {
  return (
    <>
      <span className={styles.layout}>
        <LayoutSwitch layout={layout} onLayout={(next) => onAddress({ layout: next })} />
      </span>
      <span className={styles.density}>
        <DensitySwitch />
      </span>
    </>
  );
});

export function Toolbar(props: Props) {
  const { shown, total, orderWaits, onApplyOrder, ...choosing } = props;
  const { address, onAddress } = choosing;
  const all = formatCount(total);
  useShortcut('order', onApplyOrder, orderWaits);
  useShortcut('layout', () =>
    onAddress({ layout: address.layout === 'table' ? 'tiles' : 'table' }),
  );
  return (
    <search className={styles.toolbar}>
      <Filters {...choosing} />
      <output className={styles.count}>
        {shown === total ? all : `${formatCount(shown)} of ${all}`}{' '}
        {total === 1 ? 'breaker' : 'breakers'}
      </output>
      <span className={styles.right}>
        <span className={styles.order}>
          {orderWaits && (
            <ActionChip icon={<ArrowDownUp size={12} aria-hidden="true" />} onClick={onApplyOrder}>
              New order
            </ActionChip>
          )}
        </span>
        <Switches layout={address.layout} onAddress={onAddress} />
      </span>
    </search>
  );
}
