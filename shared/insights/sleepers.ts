import { type Millis, plusMillis, type RedisTime, redisTime } from '../base/time.ts';
import type { EventType } from '../events/event.ts';
import { KINDS } from '../events/kinds/kinds.ts';
import { clientOf, waiterChannel } from '../events/names/names.ts';
import type { LockState, WaiterState } from '../state/lock-state.ts';
import type { LockSight } from './detector.ts';
import type { AsleepValues } from './english/asleep.ts';
import { plainName } from './plain-name.ts';
import { hasOlderSleeper, type WantedLock } from './wait-circles.ts';

/** If the process of a client has ended, CLIENT LIST shows it within this time: it is read every 5 s. */
export const END_SHOWN_MS: Millis = 6000;

/** Ends of holds that send no message. */
export const SILENT_ENDS: Partial<Record<EventType, AsleepValues['silent-release']['by']>> = {
  'lease.expired': 'expired',
  'lock.deleted': 'deleted',
  'lock.evicted': 'evicted',
  'db.flushed': 'flushed',
  'lock.lost': 'lost',
};

/** A waiter that did not attempt within this time, although it should have, may no longer wait. */
const OVERSLEPT: Millis = 2000;
/** A client that was late may be late again for this long. */
const LATE_FOR: Millis = 60_000;

/** How many waiters a finding names. */
const MOST_NAMED = 100;

/** When a sleeper's own timer wakes it; null: it has no timer, so only a message wakes it; undefined: not known. */
export function timerOf(
  { sleepsUntil, deadline }: WaiterState,
  { kind }: Pick<LockState, 'kind'>,
): RedisTime | null | undefined {
  if (sleepsUntil !== undefined) return sleepsUntil;
  return KINDS[kind].hasQueue ? undefined : (deadline ?? undefined);
}

/**
 * `alive`: the sleepers whose clients are connected or idle, the first to wake first; those without a known timer are
 * last. `isUnknown`: for some sleepers it is not known whether their clients are connected.
 */
export type Sleepers = { readonly alive: readonly WaiterState[]; readonly isUnknown: boolean };

/**
 * Returns the sleepers of a lock that `isWanted` accepts. Left out: those that are presumed gone, whose own timers
 * ended 2 s ago, or whose clients are gone.
 */
export function sleepersOf(sight: LockSight, isWanted: (waiter: WaiterState) => boolean): Sleepers {
  const { lock } = sight;
  const alive: WaiterState[] = [];
  let isUnknown = false;
  for (const waiter of lock.waiters) {
    if (!waiter.isAsleep || waiter.presumedGoneAt !== null || hasOverslept(waiter, sight) || !isWanted(waiter))
      continue;
    const { presence } = sight.clientOf(clientOf(waiter.id));
    if (presence === 'connected' || presence === 'idle') alive.push(waiter);
    else if (presence === 'unknown') isUnknown = true;
  }
  const wakesAt = (waiter: WaiterState) => timerOf(waiter, lock) ?? Number.POSITIVE_INFINITY;
  return { alive: alive.sort((a, b) => (wakesAt(a) === wakesAt(b) ? 0 : wakesAt(a) - wakesAt(b))), isUnknown };
}

function hasOverslept(waiter: WaiterState, { lock, hasCome }: LockSight): boolean {
  const timer = timerOf(waiter, lock);
  return timer != null && hasCome(plusMillis(timer, OVERSLEPT));
}

/** When the own timer of a sleeper ended, if that was 2 s ago or more; undefined: it was not, or is not known. */
export function overdueSince(waiter: WaiterState, lock: LockState, now: RedisTime): RedisTime | undefined {
  const timer = timerOf(waiter, lock);
  return timer != null && now >= plusMillis(timer, OVERSLEPT) ? timer : undefined;
}

/**
 * Whether a waiter should have attempted again and was not seen to, so that its thread may no longer wait:
 *
 * - The own timer of a sleeper ended 2 s ago.
 * - A waiter that is not asleep and not in a queue was refused only once, 2 s ago. After a SUBSCRIBE, a second attempt
 *   follows at once.
 */
export function isOverdue(waiter: WaiterState, sight: LockSight): boolean {
  const { isAsleep, position, attempts, since } = waiter;
  if (isAsleep) return hasOverslept(waiter, sight);
  return position === null && attempts === 1 && sight.hasCome(plusMillis(since, OVERSLEPT));
}

/**
 * Whether the client of a waiter reacted late to something less than a minute before `from`, or later. If so, the
 * waiter's silence proves nothing.
 */
export function isOfLateClient({ id }: Pick<WaiterState, 'id'>, sight: LockSight, from: RedisTime): boolean {
  const { lateAt } = sight.clientOf(clientOf(id));
  return lateAt !== undefined && plusMillis(lateAt, LATE_FOR) >= from;
}

/** What the findings about sleepers have in common; `undefined` if there is no sleeper. */
export function aboutSleepers(lock: LockState, alive: readonly WaiterState[]) {
  const [first] = alive;
  if (!first) return undefined;
  const timers = alive.map((waiter) => timerOf(waiter, lock));
  const until = timers.every((timer) => timer != null) ? redisTime(Math.min(...timers)) : null;
  return {
    holders: alive.slice(0, MOST_NAMED).map(({ id }) => id),
    values: { holder: first.id, asleep: alive.length, until, channel: wakeChannel(lock, first.id) },
  };
}

/** The channel on which a message wakes this waiter; null: its name is not plain text. */
export function wakeChannel({ kind, name }: LockState, waiter: string): string | null {
  const channel = KINDS[kind].wakeUp === 'own-channel' ? waiterChannel(name, waiter) : KINDS[kind].channelOf(name);
  return plainName(channel);
}

/** A lock without the waiters whose clients are gone. */
export function withoutGone(
  { holders, holdersBeyond, waiters }: LockState,
  sightOf: LockSight['clientOf'],
): WantedLock {
  const left = waiters.filter(({ id }) => sightOf(clientOf(id)).presence !== 'gone');
  return { holders, holdersBeyond, waiters: left };
}

/** `blind-spot`: a wait for this lock began before a blind spot, so circles with the lock may be missing. */
export function unseenWait({ lock, watched, clientOf: sightOf }: LockSight): 'blind-spot' | undefined {
  const { watchedSince } = watched;
  if (!hasOlderSleeper(lock, watchedSince)) return undefined;
  return hasOlderSleeper(withoutGone(lock, sightOf), watchedSince) ? 'blind-spot' : undefined;
}
