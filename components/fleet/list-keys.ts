'use client';

import type { KeyboardEvent } from 'react';
import { isGroupKey, type Group, type Line } from './groups';
import type { useCursor } from './use-cursor';

type Hands = {
  readonly lines: readonly Line[];
  readonly cursor: ReturnType<typeof useCursor>;
  readonly onOpen: (id: string) => void;
  readonly onFold: (key: string) => void;
  readonly selecting: Selecting;
};

export type Selecting = {
  readonly toggle: (id: string) => void;
  readonly extend: (id: string) => void;
  readonly all: () => void;
  readonly none: () => void;
  readonly some: boolean;
};

function groupAt({ lines, cursor }: Hands): Group | null {
  const line = cursor.line === null ? undefined : lines[cursor.line];
  return line?.kind === 'group' ? line.group : null;
}

/** On the head of a group: open and close it. */
function onGroup(event: KeyboardEvent, group: Group, { onFold }: Hands): boolean {
  const wants =
    event.key === 'Enter' ||
    event.key === ' ' ||
    event.key === (group.folded ? 'ArrowRight' : 'ArrowLeft');
  if (wants) onFold(group.key);
  return wants || event.key === 'x';
}

function onBreaker(event: KeyboardEvent, id: string, hands: Hands): boolean {
  const { onOpen, selecting } = hands;
  if (event.key === 'Enter') onOpen(id);
  else if (event.key === ' ') selecting.toggle(id);
  else if (event.key === 'x') selecting.extend(id);
  else return false;
  return true;
}

function onList(event: KeyboardEvent, { selecting }: Hands): boolean {
  if (event.key === 'Escape' && selecting.some) selecting.none();
  else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) selecting.all();
  else return false;
  return true;
}

/** Everything but moving. */
function act(event: KeyboardEvent, hands: Hands): boolean {
  if (onList(event, hands)) return true;
  if (event.ctrlKey || event.metaKey) return false;
  const group = groupAt(hands);
  if (group !== null) return onGroup(event, group, hands);
  const { key } = hands.cursor;
  return key !== null && onBreaker(event, key, hands);
}

function move(event: KeyboardEvent, hands: Hands): void {
  const { cursor, selecting } = hands;
  const from = groupAt(hands) === null ? cursor.key : null;
  const reached = cursor.onKey(event);
  if (!event.shiftKey || reached === null || isGroupKey(reached)) return;
  if (!selecting.some && from !== null) selecting.toggle(from);
  selecting.extend(reached);
}

/**
 * Keys of the list: Enter opens, Space selects, `x` selects the range from the last selected one,
 * Shift with a moving key as well, Ctrl+A all, Escape none; groups fold with the arrows.
 */
export function listKeys(hands: Hands) {
  return (event: KeyboardEvent) => {
    // A link or a box within the list has keys of its own.
    if (event.target !== event.currentTarget || event.altKey) return;
    if (act(event, hands)) event.preventDefault();
    else if (!event.ctrlKey && !event.metaKey) move(event, hands);
  };
}
