import { type Millis, millisBetween, type RedisTime, redisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import type { HoldMode } from '../events/types/hold-event.ts';
import type { Lease } from '../events/types/lease.ts';
import type { HolderState, LockState } from '../state/lock-state.ts';
import { PermitTakers } from './permit-takers.ts';

/** One range of possession by one holder. */
export type Hold = {
  readonly holder: string;
  readonly mode: HoldMode;
  readonly from: RedisTime;
  /** True if the beginning of the hold was not seen: the lock was already held at `from`. */
  readonly isOpenStart: boolean;
  to: RedisTime | null;
  /**
   * How the hold ended; null: it goes on. `freed`: it was not seen whether it was released, force-released or deleted.
   * `unseen`: it may have ended at another time.
   */
  ended:
    | ('released' | 'freed' | 'expired' | 'force-released' | 'deleted' | 'evicted' | 'flushed' | 'lost' | 'moved')
    | 'unseen'
    | null;
  /** The highest hold count, as far as seen. */
  deepest: number;
  readonly renewals: RedisTime[];
  /** The number of renewals before the first event of the hold in this list; absent: none. */
  readonly renewalsBefore?: number;
  readonly fromSeq: number;
  toSeq: number | null;
  /** Permit with an id: the connection that acquired it, and its deadline; null: no deadline. */
  taker?: string;
  until?: RedisTime | null;
  /** The lease as it was last set. Absent: not seen, or it has no end. */
  lease?: Lease;
  /** The greatest part of a lease, 0 to 1, that had passed when it was set again or the hold was released. */
  leaseUsed?: number;
};

const ENDINGS = {
  'lock.force-released': 'force-released',
  'lock.deleted': 'deleted',
  'lock.evicted': 'evicted',
  'db.flushed': 'flushed',
  'lock.moved': 'moved',
  'drift.healed': 'unseen',
  'blind-spot.began': 'unseen',
} as const;

/**
 * How the hold of a permit ended, by the type of the event after which it is over. A read (`permits.set`) does not show
 * how.
 */
function endBy(type: LockEvent['type']): NonNullable<Hold['ended']> {
  if (type === 'permits.set') return 'unseen';
  return type === 'permits.expired' ? 'expired' : 'released';
}

/**
 * Returns the holds from the events of one lock, in order of their beginning.
 *
 *   event    acquired  reentered  renewed  partially-released  released
 *   count       1          2         2             1              0
 *   hold     [=====================================================]     deepest: 2
 *
 * One holder may have two at once, for reading and for writing. A blind spot ends an open hold as `unseen`: its end is
 * not known. A `lock.found` begins a hold whose beginning was not seen. `base` is the state of the lock before the
 * first event: its holds go on with their true beginning.
 */
export function holdsFromEvents(events: readonly LockEvent[], base?: LockState): Hold[] {
  const reader = new HoldReader(base);
  for (const event of events) reader.take(event);
  return reader.holds;
}

/** Finds the same holds as `holdsFromEvents`, one event at a time. */
export class HoldReader {
  holds: Hold[] = [];
  readonly #open = new Map<string, Hold>();
  readonly #takers: PermitTakers;
  /** Some holds ended unseen: a later event may show how they ended. */
  #hasUnseen = false;
  /** Some holds ended since the last `drainAll`. */
  #hasEnded = false;

  constructor(base?: LockState) {
    this.#takers = new PermitTakers(base);
    for (const holder of base?.holders ?? []) {
      const hold = holdOf(holder, base?.changedAt ?? redisTime(0), base?.changedSeq ?? 0);
      this.holds.push(hold);
      this.#open.set(keyOf(holder.id, holder.mode), hold);
    }
  }

  /**
   * Whether a new reader would make the same holds from the events that follow: no hold is open or ended unseen, and no
   * permit is out.
   */
  get isIdle(): boolean {
    return this.#open.size === 0 && !this.#hasUnseen && !this.#takers.counts().next().value;
  }

  /** Removes and returns the holds whose end cannot change. */
  drain(): Hold[] {
    const done = this.holds.filter(({ ended }) => ended !== null && ended !== 'unseen');
    this.holds = this.holds.filter(({ ended }) => ended === null || ended === 'unseen');
    return done;
  }

  /** Removes and returns every hold that has ended. If a hold ended unseen, later events no longer correct its end. */
  drainAll(): Hold[] {
    if (!this.#hasEnded) return [];
    const done = this.holds.filter(({ ended }) => ended !== null);
    this.holds = this.holds.filter(({ ended }) => ended === null);
    this.#hasEnded = false;
    this.#hasUnseen = false;
    return done;
  }

  openOf(holder: string, mode: HoldMode): Hold | undefined {
    return this.#open.get(keyOf(holder, mode));
  }

  #begin(holder: string, mode: HoldMode, event: LockEvent, isOpenStart: boolean): Hold {
    const known = this.#open.get(keyOf(holder, mode));
    if (known) return known;
    const hold: Hold = {
      holder,
      mode,
      from: event.at,
      isOpenStart,
      to: null,
      ended: null,
      deepest: 1,
      renewals: [],
      fromSeq: event.seq,
      toSeq: null,
    };
    this.holds.push(hold);
    this.#open.set(keyOf(holder, mode), hold);
    return hold;
  }

  #end(key: string, event: LockEvent, ended: NonNullable<Hold['ended']>): void {
    const hold = this.#open.get(key);
    if (!hold) return;
    this.#open.delete(key);
    this.#hasEnded = true;
    if (ended === 'unseen') this.#hasUnseen = true;
    hold.to = event.at;
    hold.ended = ended;
    hold.toSeq = event.seq;
  }

  take(event: LockEvent): void {
    switch (event.type) {
      case 'lock.acquired':
      case 'lock.reentered':
      case 'lock.partially-released': {
        const isOpenStart = event.type !== 'lock.acquired' || event.isOlder === true;
        const hold = this.#begin(event.holder, event.mode, event, isOpenStart);
        hold.deepest = Math.max(hold.deepest, event.holdCount ?? 1);
        setLease(hold, event);
        break;
      }
      case 'lease.renewed':
        if (event.holder !== undefined) {
          const hold = this.#begin(event.holder, event.mode ?? 'exclusive', event, true);
          hold.renewals.push(event.at);
          setLease(hold, event);
        }
        break;
      case 'lease.shortened':
        if (event.holder !== undefined) {
          setLease(this.#begin(event.holder, event.mode ?? 'exclusive', event, true), event);
        }
        break;
      case 'lock.learned': {
        const hold = this.#open.get(keyOf(event.holder ?? '', event.mode ?? 'exclusive'));
        if (!hold || event.holdCount === undefined) break;
        hold.deepest = Math.max(hold.deepest, event.holdCount);
        if (event.leaseMs !== undefined) hold.lease = { setAt: hold.from, ms: event.leaseMs };
        break;
      }
      case 'lock.released':
        useLease(this.#open.get(keyOf(event.holder, event.mode)), event.at);
        this.#end(keyOf(event.holder, event.mode), event, event.how === 'unknown' ? 'freed' : 'released');
        break;
      case 'lease.expired':
        for (const key of event.holder === undefined ? [...this.#open.keys()] : [keyOf(event.holder, event.mode)])
          this.#end(key, event, 'expired');
        break;
      case 'lock.force-released':
      case 'lock.deleted':
      case 'lock.evicted':
      case 'db.flushed':
      case 'lock.moved':
      case 'blind-spot.began':
        for (const key of [...this.#open.keys()]) this.#end(key, event, ENDINGS[event.type]);
        break;
      case 'lock.lost': {
        this.#end(keyOf(event.holder, event.mode), event, 'lost');
        // if the hold had ended unseen, it is now known how
        const last = this.holds.findLast(({ holder, mode }) => holder === event.holder && mode === event.mode);
        if (last?.ended === 'unseen') last.ended = 'lost';
        break;
      }
      case 'lock.found':
        for (const found of event.holders) this.#begin(found.holder, found.mode, event, true);
        break;
      case 'drift.healed': {
        if (event.found?.value !== undefined) break; // a number of permits does not show their holders
        const still = new Set(event.found?.holders.map((found) => keyOf(found.holder, found.mode)));
        for (const key of [...this.#open.keys()]) if (!still.has(key)) this.#end(key, event, 'unseen');
        for (const found of event.found?.holders ?? []) this.#begin(found.holder, found.mode, event, true);
        break;
      }
      default: {
        // of the other events, only those of permits change a hold
        const { began, ended } = this.#takers.after(event);
        for (const id of ended) this.#end(keyOf(id, 'permit'), event, endBy(event.type));
        for (const id of began) {
          const hold = this.#begin(id, 'permit', event, event.type === 'permits.set');
          hold.deepest = Math.max(hold.deepest, this.#takers.countOf(id));
          if (event.type === 'permits.set')
            hold.until = event.deadlines?.find((each) => each.id === id)?.expiresAt ?? null;
          if (event.type !== 'permits.acquired' || !event.permitIds) continue;
          if (event.holder !== undefined) hold.taker = event.holder;
          hold.until = event.expiresAt ?? null;
        }
        if (event.type === 'permits.renewed') {
          for (const id of event.permitIds) {
            const hold = this.#open.get(keyOf(id, 'permit'));
            hold?.renewals.push(event.at);
            if (hold) hold.until = event.expiresAt;
          }
        }
      }
    }
  }
}

/** Notes that the lease of a hold was set, and how much of the previous lease had passed. */
function setLease(hold: Hold, { at, leaseMs }: { readonly at: RedisTime; readonly leaseMs?: Millis }): void {
  useLease(hold, at);
  if (leaseMs === undefined) delete hold.lease;
  else hold.lease = { setAt: at, ms: leaseMs };
}

function useLease(hold: Hold | undefined, at: RedisTime): void {
  if (!hold?.lease) return;
  const { setAt, ms } = hold.lease;
  const used = Math.min(1, Math.max(0, millisBetween(setAt, at) / ms));
  hold.leaseUsed = Math.max(hold.leaseUsed ?? 0, used);
}

/** The open hold of a holder, from the state of its lock. */
function holdOf(holder: HolderState, changedAt: RedisTime, changedSeq: number): Hold {
  const { id, mode, since, firstAt = changedAt, firstSeq = changedSeq } = holder;
  return {
    holder: id,
    mode,
    from: since ?? firstAt,
    isOpenStart: since === null,
    to: null,
    ended: null,
    deepest: holder.holdCount ?? 1,
    renewals: [],
    ...(holder.renewals > 0 ? { renewalsBefore: holder.renewals } : undefined),
    fromSeq: firstSeq,
    toSeq: null,
    ...(holder.client ? { taker: holder.client } : undefined),
    ...(mode === 'permit' && holder.expiresAt !== undefined ? { until: holder.expiresAt } : undefined),
  };
}

/** A hold is one field of the hash. A holder may have two: one with the mode `write`, and one with another mode. */
function keyOf(holder: string, mode: HoldMode): string {
  return mode === 'write' ? `${holder} write` : holder;
}
