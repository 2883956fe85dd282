'use client';

import { ArrowDownUp, Rows3, Rows4, Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { usePreferences } from '../shell/providers';
import { ActionChip } from '../ui/chip';
import { Input, Select } from '../ui/field';
import { Segmented } from '../ui/segmented';
import type { FleetFilter } from './filter';
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

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, [contenteditable]') !== null;

/** `/` goes to the search field from anywhere but another field. */
function useSearchKey() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return input;
}

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
  const search = useSearchKey();
  return (
    <search className={styles.toolbar}>
      <div className={styles.search}>
        <Search size={14} aria-hidden="true" />
        <Input
          ref={search}
          type="search"
          value={filter.text}
          placeholder="Breaker, service or target"
          aria-label="Search breakers"
          onChange={(event) => onFilter({ text: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onFilter({ text: '' });
          }}
        />
        <kbd className={styles.key} aria-hidden="true">
          /
        </kbd>
      </div>
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
