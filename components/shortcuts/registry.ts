import { keysOf, SHORTCUTS, type KeyChanges, type ShortcutId } from './catalogue';
import { isSingleKey } from './chord';

/** The second key of two counts this long after the first. */
export const SECOND_KEY_MS = 1_500;

export type Press = {
  readonly chord: string;
  /** The focus is in a field, a menu or a list box: its keys are its own. */
  readonly isTyping: boolean;
  /** A dialog is open: the page behind it takes no keys. */
  readonly isModal: boolean;
  readonly now: number;
};

type Run = () => void;

/**
 * Who listens to which key. The newest listener of an id wins, so that a dialog or a nested page can
 * take a key over and give it back. Nothing here touches the document.
 */
export class ShortcutRegistry {
  readonly #runs = new Map<ShortcutId, Run[]>();
  readonly #listeners = new Set<() => void>();
  #changes: KeyChanges = {};
  #singleKeys = true;
  #first: { chord: string; at: number } | null = null;
  #active: readonly ShortcutId[] = [];

  /** Returns its undo. */
  add(id: ShortcutId, run: Run): () => void {
    this.#runs.set(id, [...(this.#runs.get(id) ?? []), run]);
    this.#publish();
    return () => {
      const left = (this.#runs.get(id) ?? []).filter((other) => other !== run);
      if (left.length === 0) this.#runs.delete(id);
      else this.#runs.set(id, left);
      this.#publish();
    };
  }

  prefer(changes: KeyChanges, singleKeys: boolean): void {
    this.#changes = changes;
    this.#singleKeys = singleKeys;
    this.#first = null;
  }

  /** Those that would do something on this page, in the order of the table. */
  readonly active = (): readonly ShortcutId[] => this.#active;
  readonly watch = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  run(id: ShortcutId): boolean {
    const run = this.#runs.get(id)?.at(-1);
    run?.();
    return run !== undefined;
  }

  /** True when the press was ours, so that the browser does nothing with it. */
  press({ chord, isTyping, isModal, now }: Press): boolean {
    const first = this.#first;
    this.#first = null;
    if (isModal) return false;
    if (isTyping && isSingleKey(chord)) return false;
    if (first !== null && now - first.at <= SECOND_KEY_MS) {
      const both = this.#find(`${first.chord} ${chord}`);
      if (both !== null) return this.run(both);
    }
    const one = this.#find(chord);
    if (one !== null) return this.run(one);
    if (!this.#startsTwo(chord)) return false;
    this.#first = { chord, at: now };
    return true;
  }

  #find(keys: string): ShortcutId | null {
    const id = this.#active.find((candidate) => this.#keys(candidate) === keys);
    return id !== undefined && (this.#singleKeys || !isSingleKey(keys)) ? id : null;
  }

  #startsTwo(chord: string): boolean {
    return this.#singleKeys && this.#active.some((id) => this.#keys(id).startsWith(`${chord} `));
  }

  #keys(id: ShortcutId): string {
    return keysOf(id, this.#changes);
  }

  #publish(): void {
    this.#active = SHORTCUTS.map(({ id }) => id).filter((id) => this.#runs.has(id));
    for (const listener of this.#listeners) listener();
  }
}
