import { type RedisTime, redisTime } from '../base/time.ts';
import type { About } from './context.ts';
import type { EventDetail, LockEvent } from './event.ts';
import { isTokenKind, KINDS } from './kinds/kinds.ts';
import type { VersionRange } from './libraries/script-versions.ts';
import type { Clients } from './mirror/clients/clients.ts';
import type { LockKey } from './mirror/lock-key.ts';
import type { LockKeys } from './mirror/lock-keys.ts';
import { clientOf } from './names/names.ts';

/** The fields that all events have, writable while an event is built. */
type EventHead = { -readonly [Field in CommonField]: LockEvent[Field] } & {
  by?: string;
  because?: number[];
  library?: string;
  clientVersion?: string;
};
type CommonField = 'seq' | 'at' | 'source' | 'db' | 'lock' | 'kind' | 'certainty';

/** Writes the events of one source: numbers them, dates them, and adds what all events of a kind have. */
export class EventWriter {
  readonly #source: string;
  readonly #keys: LockKeys;
  readonly #clients: Clients;
  #events: LockEvent[] = [];
  #seq: number;
  #at = redisTime(0);

  constructor(source: string, firstSeq: number, keys: LockKeys, clients: Clients) {
    this.#source = source;
    this.#seq = firstSeq;
    this.#keys = keys;
    this.#clients = clients;
  }

  /** The `seq` of the next event. */
  get seq(): number {
    return this.#seq;
  }

  /** The time of the newest observed event, or of a blind spot or failover after it. */
  get at(): RedisTime {
    return this.#at;
  }

  /** The events of the current step. */
  get events(): LockEvent[] {
    return this.#events;
  }

  /** Begins the events of the next step. */
  begin(): void {
    this.#events = [];
  }

  /** Notes the time of a blind spot or failover. */
  noteTime(at: RedisTime): void {
    this.#at = redisTime(Math.max(this.#at, at));
  }

  /** Adds an event and returns its `seq`. The time of observed events never decreases. */
  emit(about: About, detail: EventDetail): number {
    const { db, lock, kind, by, because, certainty = 'observed' } = about;
    const seq = this.#seq++;
    const isObserved = certainty === 'observed';
    const at = isObserved && about.at < this.#at ? this.#at : about.at;
    if (isObserved) this.#at = at;
    const event: EventHead = { seq, at, source: this.#source, db, lock, kind, certainty };
    if (by !== undefined) event.by = by;
    if (about.library !== undefined) event.library = about.library;
    const causes = because && causesFrom(because);
    if (causes) event.because = causes;
    if (isTokenKind(kind) || KINDS[kind].hasPermitIds) Object.assign(event, tokenFields(this.#keys.find(db, lock)));
    const version = this.#versionOfHolder(detail);
    this.#events.push(Object.assign(event, detail));
    if (version) event.clientVersion = version.text;
    return seq;
  }

  /**
   * The release among the events from `seq` on, otherwise the last event; undefined: there is none. The end of another
   * kind's hold may follow the release.
   */
  releaseSince(seq: number): number | undefined {
    if (this.#seq === seq) return undefined;
    const release = this.#events.findLast((event) => event.seq >= seq && event.type === 'lock.released');
    return release?.seq ?? this.#seq - 1;
  }

  /** The newest event from `seq` on that reports an unlock: a release, a partial release or a refusal. */
  unlockSince(seq: number): number | undefined {
    return this.#events.findLast((event) => event.seq >= seq && UNLOCKS.has(event.type))?.seq;
  }

  /** The Redisson versions that a holder's client may have, added to its acquisitions and renewals. */
  #versionOfHolder(detail: EventDetail): VersionRange | undefined {
    if (detail.type !== 'lock.acquired' && detail.type !== 'lease.renewed') return undefined;
    return detail.holder === undefined ? undefined : this.#clients.versionOf(clientOf(detail.holder));
  }
}

const UNLOCKS: ReadonlySet<string> = new Set(['lock.released', 'lock.partially-released', 'unlock.refused']);

/**
 * Fields added to every event of a token lock, and of a semaphore that is a sorted set or a hash of jobs: the library.
 * While the key only looks like a lock, also `kindKnown: false`, and the evidence if no known library uses the key.
 */
function tokenFields(key: LockKey | undefined): Pick<LockEvent, 'library' | 'kindKnown' | 'evidence'> {
  const tokens = key?.mirrors?.tokens;
  const library = tokens?.library === undefined ? undefined : { library: tokens.library };
  if (tokens?.isSure !== false) return { ...library };
  return { ...library, kindKnown: false, ...(tokens.evidence && { evidence: tokens.evidence }) };
}

/** The causes that are `seq`s of events; `undefined` if there are none. */
function causesFrom(because: readonly (number | undefined)[]): number[] | undefined {
  let causes: number[] | undefined;
  for (const cause of because) {
    if (cause === undefined || cause < 0) continue;
    if (causes) causes.push(cause);
    else causes = [cause];
  }
  return causes;
}
