import { type RedisTime, redisTime } from '../base/time.ts';
import { isOfSource, type LockEvent } from '../events/event.ts';
import type { HeldValue, HoldMode } from '../events/types/hold-event.ts';
import { type LockState, lockIdOf } from '../state/lock-state.ts';
import { reduceLock } from '../state/reduce.ts';
import type { Lock } from './lock.ts';
import { isSame, type LockPatch, patchBetween, patchedLock } from './lock-patch.ts';
import { type ClientPresence, lockView, UNKNOWN } from './lock-view.ts';

type Entry = { state: LockState; lock: Lock };

/**
 * Predicts locks from events, with the reducer that the server runs. Server and page keep one book each, with the same
 * input. So the server knows what the page predicts, and sends a patch only where that is wrong.
 *
 *   server   events ─▶ foresee ─▶ compare with the actual lock ─▶ patch, if they differ
 *   page     events ─▶ foresee ─▶ ◀────────────────────────────── patch
 *
 * Unknown locks start from empty. The patch corrects any wrong prediction.
 */
export class LockPredictor {
  readonly #entries = new Map<string, Entry>();
  readonly #people = new Map<string, ClientPresence>();

  get size(): number {
    return this.#entries.size + this.#people.size;
  }

  /** Takes events; returns the ids of their locks. `now` is the `at` of the message. */
  predict(events: readonly LockEvent[], now: RedisTime): Set<string> {
    const states = new Map<string, LockState>();
    for (const event of events) {
      if (isOfSource(event)) continue;
      const id = lockIdOf(event);
      states.set(id, reduceLock(states.get(id) ?? this.#entries.get(id)?.state, event));
    }
    for (const [id, state] of states) this.#entries.set(id, { state, lock: this.#view(state, now, this.lock(id)) });
    return new Set(states.keys());
  }

  lock(id: string): Lock | undefined {
    return this.#entries.get(id)?.lock;
  }

  /** Returns the patch from the predicted lock to the actual one; undefined if the prediction is right. */
  patchFor(lock: Lock): LockPatch | undefined {
    return patchBetween(this.lock(lock.id) ?? NOTHING, lock);
  }

  /** Takes a patch; returns the actual lock. */
  correct(id: string, patch: LockPatch, now: RedisTime): Lock {
    const before = this.#entries.get(id);
    const lock = patchedLock(before?.lock ?? NOTHING, patch);
    this.#meet(lock);
    // if only names or presence were wrong, the state was right, including the fields that no view shows
    const isStateRight = before !== undefined && isSame(this.#view(before.state, now, lock), lock);
    this.#entries.set(id, { state: isStateRight ? before.state : stateOf(lock), lock });
    return lock;
  }

  forget(id: string): void {
    this.#entries.delete(id);
  }

  /** The fields taken from `before` do not follow from events: its server, and whether it is read and watched. */
  #view(state: LockState, now: RedisTime, before: Lock | undefined): Lock {
    const view = lockView(state, now, (source, client) => this.#people.get(`${source} ${client}`) ?? UNKNOWN);
    if (before?.node !== undefined) view.node = before.node;
    if (before?.slot !== undefined) view.slot = before.slot;
    if (before?.unread !== undefined) view.unread = before.unread;
    if (before?.unwatchedSince !== undefined) view.unwatchedSince = before.unwatchedSince;
    return view;
  }

  #meet(lock: Lock): void {
    for (const { client, name, presence, goneSince, address } of lock.holders)
      this.#people.set(`${lock.source} ${client}`, {
        ...{ name, presence, goneSince },
        ...(address === undefined ? undefined : { address }),
      });
    for (const { client, name, goneSince = null } of lock.waiters) {
      const key = `${lock.source} ${client}`;
      const known = this.#people.get(key) ?? UNKNOWN;
      if (name === known.name && goneSince === known.goneSince) continue;
      const presence = goneSince !== null ? 'gone' : known.presence === 'gone' ? 'unknown' : known.presence;
      this.#people.set(key, { ...known, name, goneSince, presence });
    }
  }
}

/** A lock that is not known. */
const NOTHING = { id: '' } as Lock; // a patch sets every field

/** The state behind a view. Fields that a view does not show get default values. */
export function stateOf(lock: Lock): LockState {
  const { source, db, name, kind, certainty, fencingToken = null, clientVersion = null } = lock;
  const at = redisTime(lock.changedAt);
  const found = { type: 'lock.found', seq: 0, at, source, db, lock: name, kind, certainty, holders: [] } as const;
  return {
    ...reduceLock(undefined, found),
    holders: lock.holders.map((holder) => ({
      id: holder.id,
      mode: holder.mode as HoldMode, // the reducer only copies a mode that it does not know
      since: timeOf(holder.since),
      holdCount: holder.holdCount,
      renewals: holder.renewals,
      lastRenewedAt: timeOf(holder.lastRenewedAt),
      leaseSetAt: timeOf(holder.lastRenewedAt ?? holder.since),
      ...(holder.timeouts === undefined ? undefined : { timeouts: holder.timeouts.map(timeOf) }),
      ...(kind === 'expirable-semaphore' ? { client: holder.client, expiresAt: timeOf(holder.expiresAt) } : undefined),
      ...(holder.values === undefined ? undefined : { values: holder.values.map(heldValue) }),
      ...(holder.group === undefined ? undefined : { group: holder.group }),
      letter: holder.letter,
    })),
    holdersBeyond: lock.moreHolders ?? 0,
    believers: (lock.believers ?? []).map(({ id, letter, mode, since, lostAt, until }) => ({
      id,
      letter,
      mode: mode as HoldMode, // as above
      since: timeOf(since),
      lostAt: redisTime(lostAt),
      until: timeOf(until),
    })),
    waiters: lock.waiters.map((waiter) => ({
      id: waiter.id,
      mode: waiter.mode as HoldMode, // as above
      since: redisTime(waiter.since),
      attempts: waiter.attempts,
      isAsleep: waiter.asleep,
      isConfirmed: true,
      position: waiter.position,
      deadline: timeOf(waiter.deadline),
      presumedGoneAt: waiter.presumedGone ? redisTime(lock.changedAt) : null,
      ...(waiter.group === undefined ? undefined : { group: waiter.group }),
      letter: waiter.letter,
    })),
    waitersBeyond: lock.moreWaiters ?? 0,
    subscribers: lock.subscribers,
    leaseMs: lock.lease.ms,
    expiresAt: timeOf(lock.lease.expiresAt),
    permits: lock.permits ?? null,
    latch: lock.latch ?? null,
    clientVersion,
    fencingToken,
    isKindKnown: lock.kindKnown !== false,
  };
}

function heldValue({ value, holdCount, expiresAt }: NonNullable<Lock['holders'][number]['values']>[number]): HeldValue {
  return { value, holdCount, expiresAt: timeOf(expiresAt) };
}

function timeOf(micros: number | null): RedisTime | null {
  return micros === null ? null : redisTime(micros);
}
