import { EMPTY_FLEET, type Fleet } from '../live/fold';
import { EMPTY_SUMMARY, summarize, type FleetSummary } from '../live/summary';
import { sameValue } from '../live/share';
import type { BreakerView, OverrideView, ServiceView } from '../protocol/views';
import { Breather, type Painted } from './breather';
import { Channels } from './channels';
import type { Clock, Timer } from './clock';

/** Figures may wait this long before the whole list is looked at again; states never wait. */
const LIST_EVERY_MS = 1_000;
/** In a storm every patch brings states: whole lists no more than ten times a second, rows at once. */
const URGENT_EVERY_MS = 100;
const ROW = 'row:';

type List = readonly BreakerView[];

/** Something a person must see at once: a new row, a lost row, another state or override. */
function matters(before: BreakerView | undefined, after: BreakerView): boolean {
  return (
    before === undefined ||
    before.state !== after.state ||
    before.override?.id !== after.override?.id ||
    (before.instances.live === 0) !== (after.instances.live === 0)
  );
}

/**
 * The fleet as an external store. A row wakes only those who watch it; the list and the summary
 * are rebuilt when a state changed, at once or within 100 ms of the last time, and once a second for
 * figures.
 */
export class LiveStore {
  readonly channels = new Channels();
  #latest: Fleet = EMPTY_FLEET;
  #shown: Fleet = EMPTY_FLEET;
  #paused = false;
  #list: List = [];
  #summary: FleetSummary = EMPTY_SUMMARY;
  #overrides: readonly OverrideView[] = [];
  #services: readonly ServiceView[] = [];
  #pending: Timer | null = null;
  #dueAt = 0;
  #urgentAt = -Infinity;
  #publishDue = () => this.#publishList();
  #missed: Timer | null = null;

  readonly #breather: Breather;

  /** `painted`: without it every patch is shown at once, also on a page that cannot follow. */
  constructor(
    private readonly clock: Clock,
    painted?: Painted,
  ) {
    this.#breather = new Breather(clock, painted);
  }

  /** The newest; what is shown stays behind it while paused. */
  get fleet(): Fleet {
    return this.#latest;
  }

  readonly paused = (): boolean => this.#paused;

  /** Goes on listening, and shows nothing of it until it is resumed. */
  setPaused(paused: boolean): void {
    if (this.#paused === paused) return;
    this.#paused = paused;
    this.#missed?.cancel();
    this.#missed = null;
    // Whoever resumes has waited long enough.
    this.#urgentAt = -Infinity;
    if (!paused) this.#show(this.#latest);
    this.channels.emit('paused');
  }

  readonly breaker = (id: string): BreakerView | null => this.#shown.breakers.get(id) ?? null;
  readonly list = (): List => this.#list;
  readonly summary = (): FleetSummary => this.#summary;
  readonly overrides = (): readonly OverrideView[] => this.#overrides;
  readonly services = (): readonly ServiceView[] => this.#services;
  readonly environments = (): readonly string[] => this.#shown.environmentNames;

  watchRow(id: string, listener: () => void): () => void {
    return this.channels.add(ROW + id, listener);
  }

  apply(next: Fleet): void {
    this.#latest = next;
    if (!this.#paused) this.#draw();
    else this.#missed ??= this.clock.after(LIST_EVERY_MS, () => this.#tellMissed());
  }

  /** Rows and the list, when it is due; on a slow page one of them, and the other after a rest. */
  #draw(): void {
    this.#breather.draw(() => {
      const isNew = !this.#paused && this.#shown !== this.#latest;
      if (this.#breather.isSlow && this.#isListDue()) {
        this.#publishDue();
        if (isNew) this.#draw();
        return;
      }
      if (isNew) this.#show(this.#latest);
      if (!this.#breather.isSlow && this.#isListDue()) this.#publishDue();
    });
  }

  #isListDue(): boolean {
    return this.#pending !== null && this.#dueAt <= this.clock.now();
  }

  #tellMissed(): void {
    this.#missed = null;
    this.channels.emit('missed');
  }

  #show(next: Fleet): void {
    const before = this.#shown;
    this.#shown = next;
    if (next.environmentNames !== before.environmentNames) this.channels.emit('environments');
    if (next.overrides !== before.overrides) {
      this.#overrides = [...next.overrides.values()];
      this.channels.emit('overrides');
    }
    if (next.services !== before.services) {
      this.#services = [...next.services.values()];
      this.channels.emit('services');
    }
    if (next.breakers !== before.breakers) this.#applyBreakers(before.breakers);
  }

  #applyBreakers(before: Fleet['breakers']): void {
    const now = this.#shown.breakers;
    for (const name of this.channels.names()) {
      if (!name.startsWith(ROW)) continue;
      const id = name.slice(ROW.length);
      if (before.get(id) !== now.get(id)) this.channels.emit(name);
    }
    // Soon anyway, whatever this brings.
    const soon = this.#pending !== null && this.#dueAt <= this.clock.now() + URGENT_EVERY_MS;
    if (!soon) this.#publishWithin(this.#isUrgent(before, now));
  }

  #isUrgent(before: Fleet['breakers'], now: Fleet['breakers']): boolean {
    if (before.size !== now.size) return true;
    for (const row of now.values()) {
      const old = before.get(row.id);
      if (old !== row && matters(old, row)) return true;
    }
    return false;
  }

  #publishWithin(urgent: boolean): void {
    const now = this.clock.now();
    const dueAt = urgent ? this.#urgentAt + URGENT_EVERY_MS : now + LIST_EVERY_MS;
    if (dueAt <= now && !this.#breather.isSlow) {
      this.#publishUrgent();
      return;
    }
    if (this.#pending !== null && this.#dueAt <= dueAt) return;
    this.#pending?.cancel();
    this.#dueAt = dueAt;
    this.#publishDue = urgent ? () => this.#publishUrgent() : () => this.#publishList();
    this.#pending = this.clock.after(Math.max(0, dueAt - now), () => {
      // A timer may be early by the clock of the day, and that may be set back.
      this.#dueAt = -Infinity;
      this.#draw();
    });
  }

  #publishUrgent(): void {
    this.#urgentAt = this.clock.now();
    this.#publishList();
  }

  #publishList(): void {
    this.#pending?.cancel();
    this.#pending = null;
    this.#list = [...this.#shown.breakers.values()];
    const summary = summarize(this.#list);
    if (!sameValue(summary, this.#summary)) this.#summary = summary;
    this.channels.emit('list');
  }
}
