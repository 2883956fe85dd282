import { Tally } from '@/lib/diagnosis/tally';
import { RateWindow } from '@/lib/live/rate-window';
import { Spark } from '@/lib/live/spark';
import type { Word } from '@/lib/live/word';
import type { BreakerRecord, InstanceRecord, ServiceRecord } from '../../store/port';
import { OverrideBook } from './override-book';
import type { BreakerEntry, Cell, InstanceEntry, ServiceEntry } from './entries';

/**
 * Everything that is known now, indexed. Holds no rule and publishes nothing. Breakers and instances
 * enter after the commit that stored them.
 */
export class Fleet {
  readonly services = new Map<string, ServiceEntry>();
  readonly breakers = new Map<string, BreakerEntry>();
  readonly instances = new Map<string, InstanceEntry>();
  readonly overrides = new OverrideBook();
  /** Cells whose rates are not all zero, breakers whose sparkline is not all empty. */
  readonly busyCells = new Set<Cell>();
  readonly busySparks = new Set<BreakerEntry>();
  /** Cells whose word is newer than the stored one. */
  readonly unsaved = new Set<Cell>();
  /** Breakers that changed state since somebody looked for findings. */
  readonly changed = new Set<string>();

  putService(record: ServiceRecord): ServiceEntry {
    const known = this.services.get(record.id);
    if (known) {
      known.record = { ...known.record, owner: record.owner };
      return known;
    }
    const entry: ServiceEntry = {
      record,
      breakers: new Set(),
      instances: new Set(),
      pendingBreakers: new Set(),
    };
    this.services.set(record.id, entry);
    return entry;
  }

  putBreaker(record: BreakerRecord): BreakerEntry {
    const service = this.services.get(record.serviceId);
    service?.pendingBreakers.delete(record.id);
    service?.breakers.add(record.id);
    const known = this.breakers.get(record.id);
    if (known) {
      known.record = { ...record, generation: known.record.generation };
      return known;
    }
    const entry: BreakerEntry = {
      record,
      cells: new Map(),
      spark: new Spark(),
      tally: new Tally(),
      tallyFrom: null,
      isSeeded: true,
      examined: null,
    };
    this.breakers.set(record.id, entry);
    return entry;
  }

  putInstance(record: InstanceRecord, heardMono: number): InstanceEntry {
    this.services.get(record.serviceId)?.instances.add(record.id);
    const known = this.instances.get(record.id);
    if (known) {
      known.record = record;
      return known;
    }
    const entry: InstanceEntry = {
      record,
      cells: new Map(),
      heardMono,
      touchedMono: heardMono,
      shownMono: heardMono,
      epochs: new Set(),
    };
    this.instances.set(record.id, entry);
    return entry;
  }

  cell(breakerId: string, instanceId: string): Cell | undefined {
    return this.breakers.get(breakerId)?.cells.get(instanceId);
  }

  /** Null when the breaker or the instance is not known. */
  putWord(breakerId: string, instanceId: string, word: Word): Cell | null {
    const breaker = this.breakers.get(breakerId);
    const instance = this.instances.get(instanceId);
    if (!breaker || !instance) return null;
    const known = breaker.cells.get(instanceId);
    if (known) {
      known.word = word;
      return known;
    }
    const cell: Cell = { breakerId, instanceId, word, config: null, window: new RateWindow() };
    breaker.cells.set(instanceId, cell);
    instance.cells.set(breakerId, cell);
    return cell;
  }

  removeCell(cell: Cell): void {
    const breaker = this.breakers.get(cell.breakerId);
    breaker?.cells.delete(cell.instanceId);
    breaker?.tally.forget(cell.instanceId);
    this.instances.get(cell.instanceId)?.cells.delete(cell.breakerId);
    this.busyCells.delete(cell);
    this.unsaved.delete(cell);
  }

  /** With everything in it; gives the ids of what is gone. */
  removeService(id: string): {
    readonly breakers: readonly string[];
    readonly instances: readonly string[];
    readonly overrides: readonly string[];
  } {
    const entry = this.services.get(id);
    const breakers = [...(entry?.breakers ?? [])];
    const instances = [...(entry?.instances ?? [])];
    for (const instance of instances) this.removeInstance(instance);
    const overrides = breakers.flatMap((breaker) =>
      this.overrides.ofBreaker(breaker).map(({ record }) => record.id),
    );
    for (const override of overrides) this.overrides.forget(override);
    for (const breaker of breakers) this.#removeBreaker(breaker);
    this.services.delete(id);
    return { breakers, instances, overrides };
  }

  #removeBreaker(id: string): void {
    const entry = this.breakers.get(id);
    if (entry === undefined) return;
    for (const cell of entry.cells.values()) this.removeCell(cell);
    this.busySparks.delete(entry);
    this.changed.delete(id);
    this.breakers.delete(id);
  }

  /** The breakers that it took part in. */
  removeInstance(id: string): string[] {
    const entry = this.instances.get(id);
    if (!entry) return [];
    const cells = [...entry.cells.values()];
    for (const cell of cells) this.removeCell(cell);
    this.instances.delete(id);
    this.services.get(entry.record.serviceId)?.instances.delete(id);
    return cells.map((cell) => cell.breakerId);
  }
}
