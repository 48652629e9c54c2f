import { type Millis, millisBetween, plusMillis, type RedisTime } from '../base/time.ts';
import type { EventType, LockEvent } from '../events/event.ts';
import { clientOf } from '../events/names/names.ts';
import { lockIdOf } from '../state/lock-state.ts';

/** Late renewals that arrive within this time after the first of them count as one group. */
const TOGETHER_MS: Millis = 250;
/** A renewal that arrives more than this after it was due (a third of its lease) shows a delay of its client. */
const DELAYED_MS: Millis = 1000;
/** At most this many pauses are listed: the newest. */
const MOST_PAUSES = 20;

/**
 * A range without any command of a client about a lock, although renewals of several of its locks were due. After it,
 * they arrived together. The process or its network may have stood still; the stream does not show which.
 */
type SharedPause = {
  readonly from: RedisTime;
  readonly to: RedisTime;
  /** How many locks were renewed late together. */
  readonly locks: number;
  /** `seq` of the first renewal after the pause. */
  readonly seq: number;
};

/** How one client renewed its leases in a range of time. */
export type RenewalRhythm = {
  /** Renewals by the watchdog of this client. */
  readonly renewals: number;
  /** Renewals after two thirds of their lease. */
  readonly late: number;
  /** Leases that were renewed at least once, and then expired. */
  readonly expired: number;
  /** The longest time from the setting of a lease to its renewal; null: no such time was seen from beginning to end. */
  readonly longestMs: Millis | null;
  /** The shortest time that a lease had left when it was renewed; null: as in `longestMs`. */
  readonly leastLeftMs: Millis | null;
  readonly pauses: readonly SharedPause[];
};

/** The events that a `RhythmReader` needs. */
export const RHYTHM_EVENTS = [
  'lock.acquired',
  'lock.reentered',
  'lock.refused',
  'lock.partially-released',
  'lock.released',
  'unlock.refused',
  'lease.renewed',
  'lease.shortened',
  'renewal.refused',
  'lease.expired',
  'blind-spot.began',
  'blind-spot.ended',
  'failover',
] as const satisfies readonly EventType[];

type Lease = { readonly at: RedisTime; readonly ms: Millis; readonly isRenewed: boolean };
type Delayed = { readonly lock: string; readonly dueAt: RedisTime; readonly at: RedisTime; readonly seq: number };

/**
 * Reads the rhythm of one client from the events of its source, oldest first.
 *
 *   lock 1   ┃────▲────▲─────────────────▲────▲
 *   lock 2     ┃────▲────▲───────────────▲────▲
 *                           └── pause ──┘
 */
export class RhythmReader {
  readonly #client: string;
  /** By lock, holder and mode. */
  readonly #leases = new Map<string, Lease>();
  readonly #pauses: SharedPause[] = [];
  /** Late renewals that arrived together, and the last command before them. */
  #together: { readonly after: RedisTime | null; readonly delayed: Delayed[] } | null = null;
  #lastAt: RedisTime | null = null;
  #renewals = 0;
  #late = 0;
  #expired = 0;
  #longestMs: Millis | null = null;
  #leastLeftMs: Millis | null = null;

  constructor(client: string) {
    this.#client = client;
  }

  take(event: LockEvent): void {
    // renewals within a blind spot are not known
    if (event.type === 'blind-spot.began' || event.type === 'blind-spot.ended' || event.type === 'failover') {
      this.#endTogether();
      this.#leases.clear();
      this.#lastAt = null;
      return;
    }
    const holder = 'holder' in event ? event.holder : undefined;
    if (holder === undefined || clientOf(holder) !== this.#client) return;
    const mode = 'mode' in event ? event.mode : undefined;
    const key = `${lockIdOf(event)} ${holder} ${mode ?? 'exclusive'}`;
    if (event.type === 'lease.expired') {
      // this event is not a command of the client, so it does not end a pause
      if (this.#leases.get(key)?.isRenewed) this.#expired++;
      this.#leases.delete(key);
      return;
    }
    if (event.type === 'lease.renewed') {
      if (event.cause === 'watchdog') this.#renewed(event, key);
      else this.#leases.delete(key);
      return;
    }
    if (this.#together) this.#endTogether();
    this.#lastAt = event.at;
    if (event.type === 'lock.released' || event.type === 'lease.shortened') this.#leases.delete(key);
    else if (event.type !== 'lock.refused' && 'leaseMs' in event && event.leaseMs !== undefined) {
      this.#leases.set(key, { at: event.at, ms: event.leaseMs, isRenewed: this.#leases.get(key)?.isRenewed === true });
    }
  }

  /** What was read so far. */
  rhythm(): RenewalRhythm {
    this.#endTogether();
    return {
      ...{ renewals: this.#renewals, late: this.#late, expired: this.#expired },
      ...{ longestMs: this.#longestMs, leastLeftMs: this.#leastLeftMs, pauses: this.#pauses.slice(-MOST_PAUSES) },
    };
  }

  #renewed(event: LockEvent & { readonly type: 'lease.renewed' }, key: string): void {
    const { at, leaseMs, seq } = event;
    const before = this.#leases.get(key);
    this.#renewals++;
    const first = this.#together?.delayed[0];
    if (first && millisBetween(first.at, at) > TOGETHER_MS) this.#endTogether();
    if (before) {
      const gapMs = millisBetween(before.at, at);
      const dueAt = plusMillis(before.at, before.ms / 3);
      this.#longestMs = Math.max(this.#longestMs ?? 0, gapMs);
      this.#leastLeftMs = Math.min(this.#leastLeftMs ?? Number.POSITIVE_INFINITY, Math.max(0, before.ms - gapMs));
      if (gapMs > (2 * before.ms) / 3) this.#late++;
      if (millisBetween(dueAt, at) > DELAYED_MS) this.#delayed({ lock: lockIdOf(event), dueAt, at, seq });
    }
    if (leaseMs === undefined) this.#leases.delete(key);
    else this.#leases.set(key, { at, ms: leaseMs, isRenewed: true });
    this.#lastAt = at;
  }

  #delayed(renewal: Delayed): void {
    this.#together ??= { after: this.#lastAt, delayed: [] };
    this.#together.delayed.push(renewal);
  }

  /**
   * If several locks were renewed late together, notes a pause before these renewals. It begins with the last command
   * before them, or when all of them were due, whichever is later. A pause of 1 s or less is not noted.
   */
  #endTogether(): void {
    const together = this.#together;
    this.#together = null;
    const first = together?.delayed[0];
    if (!together || !first || together.after === null) return;
    const { after, delayed } = together;
    const locks = new Set(delayed.map(({ lock }) => lock)).size;
    const from = Math.max(after, ...delayed.map(({ dueAt }) => dueAt)) as RedisTime; // both are instants of Redis
    if (locks < 2 || millisBetween(from, first.at) <= DELAYED_MS) return;
    this.#pauses.push({ from, to: first.at, locks, seq: first.seq });
    if (this.#pauses.length > 2 * MOST_PAUSES) this.#pauses.splice(0, MOST_PAUSES);
  }
}
