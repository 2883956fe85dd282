/**
 * [U-48] Who looks at a breaker and who prepares an override of it, told to those who look at it
 * too. It is what their sockets ask for and nothing more: it locks nothing, is stored nowhere, and
 * ends with the socket.
 */
import type { LiveFrame } from '@/lib/protocol/live-frames';
import type { User } from '../../auth/identity/sessions';
import type { Clock } from '../../services/contract';

/** Somebody who left the dialog open and went away is not preparing anything. */
const PREPARES_FOR_MS = 10 * 60_000;
const MOST_PEOPLE = 20;
const LOOKS = /^breaker:([\w-]+)$/;
const PREPARES = /^preparing:([\w-]+)$/;

export type Presence = {
  /** What this reader asks for now; nothing when it leaves. */
  follow(reader: PresenceReader, topics: ReadonlySet<string>): void;
};

export type PresenceReader = {
  readonly user: Pick<User, 'id' | 'name'>;
  readonly tell: (frame: Extract<LiveFrame, { type: 'presence' }>) => void;
};

/** At one breaker: since when the override is being prepared, epoch ms; null for one who looks. */
type Here = { readonly preparingSince: number | null; readonly expiry: { cancel(): void } | null };
type Place = Map<PresenceReader, Here>;

function find(topics: ReadonlySet<string>, pattern: RegExp): Set<string> {
  return new Set([...topics].flatMap((topic) => pattern.exec(topic)?.[1] ?? []));
}

/** Everybody but this person, who may have it open twice. */
function othersOf(place: Place, self: string) {
  const people = new Map<string, { name: string; preparingSince: number | null }>();
  for (const [{ user }, { preparingSince }] of place) {
    if (user.id === self) continue;
    const before = people.get(user.id)?.preparingSince ?? null;
    people.set(user.id, { name: user.name, preparingSince: before ?? preparingSince });
  }
  return [...people.values()].slice(0, MOST_PEOPLE);
}

export function createPresence(clock: Clock): Presence {
  const places = new Map<string, Place>();

  function tell(breakerId: string, reader: PresenceReader): void {
    const people = othersOf(places.get(breakerId) ?? new Map(), reader.user.id);
    reader.tell({ type: 'presence', breakerId, people });
  }

  function tellAll(breakerId: string): void {
    for (const reader of places.get(breakerId)?.keys() ?? []) tell(breakerId, reader);
  }

  function leave(breakerId: string, reader: PresenceReader): void {
    const place = places.get(breakerId);
    place?.get(reader)?.expiry?.cancel();
    place?.delete(reader);
    if (place?.size === 0) places.delete(breakerId);
  }

  function put(breakerId: string, reader: PresenceReader, prepares: boolean): boolean {
    const place = places.get(breakerId) ?? new Map<PresenceReader, Here>();
    const before = place.get(reader);
    if (before !== undefined && prepares === (before.expiry !== null)) return false;
    before?.expiry?.cancel();
    places.set(breakerId, place);
    const expiry = prepares ? clock.after(PREPARES_FOR_MS, () => expire(breakerId, reader)) : null;
    place.set(reader, { preparingSince: prepares ? clock.wall() : null, expiry });
    return true;
  }

  function expire(breakerId: string, reader: PresenceReader): void {
    const here = places.get(breakerId)?.get(reader);
    if (here === undefined) return;
    places.get(breakerId)?.set(reader, { ...here, preparingSince: null });
    tellAll(breakerId);
  }

  return {
    follow(reader, topics) {
      const preparing = find(topics, PREPARES);
      const wanted = new Set([...find(topics, LOOKS), ...preparing]);
      const before = [...places].filter(([, place]) => place.has(reader)).map(([id]) => id);
      const left = before.filter((id) => !wanted.has(id));
      for (const id of left) leave(id, reader);
      const changed = [...wanted].filter((id) => put(id, reader, preparing.has(id)));
      for (const id of [...left, ...changed]) tellAll(id);
    },
  };
}
