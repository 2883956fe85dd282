/**
 * Text ids to row keys. What a transaction learns counts inside it and is kept only when it
 * commits: a key that was handed out in a rolled back transaction may belong to another row later.
 */
export class KeyCache<T> {
  readonly #committed = new Map<string, T>();
  readonly #learned = new Map<string, T>();

  get(id: string): T | undefined {
    return this.#learned.get(id) ?? this.#committed.get(id);
  }

  learn(id: string, value: T): void {
    this.#learned.set(id, value);
  }

  commit(): void {
    for (const [id, value] of this.#learned) this.#committed.set(id, value);
    this.#learned.clear();
  }

  clear(): void {
    this.#committed.clear();
    this.#learned.clear();
  }

  rollBack(): void {
    this.#learned.clear();
  }
}
