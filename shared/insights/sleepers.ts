import { type Millis, plusMillis, type RedisTime, redisTime } from '../base/time.ts';
import type { EventType } from '../events/event.ts';
import { KINDS } from '../events/kinds/kinds.ts';
import { clientOf, waiterChannel } from '../events/names/names.ts';
import type { LockState, WaiterState } from '../state/lock-state.ts';
import type { LockSight } from './detector.ts';
import type { AsleepValues } from './english/asleep.ts';
import { plainName } from './plain-name.ts';

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

/** If a sleeper's own timer ended this long ago, its client is late, whatever other evidence there is. */
const OVERSLEPT: Millis = 2000;
/** A client that was late is not expected to be on time again before this. */
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

/** Sleepers whose clients are connected, the first to wake first; and whether the presence of some is not known. */
export type Sleepers = { readonly alive: readonly WaiterState[]; readonly isUnknown: boolean };

/** Returns the sleepers of a lock that `isWanted` accepts, without those that are late for their own timer. */
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

/** When the own timer of a sleeper ended, if it has overslept; undefined: it has not. */
export function overdueSince(waiter: WaiterState, lock: LockState, now: RedisTime): RedisTime | undefined {
  const timer = timerOf(waiter, lock);
  return timer != null && now >= plusMillis(timer, OVERSLEPT) ? timer : undefined;
}

/**
 * Whether a waiter should have asked again and was not seen to, so that its thread may no longer wait: its own timer
 * ended, or its client has subscribed for it.
 */
export function isOverdue(waiter: WaiterState, sight: LockSight): boolean {
  const { isAsleep, position, attempts, since } = waiter;
  if (isAsleep) return hasOverslept(waiter, sight);
  return position === null && attempts === 1 && sight.hasCome(plusMillis(since, OVERSLEPT));
}

/**
 * Whether the client of a waiter was late with something from a minute before this instant on: then the waiter's
 * silence proves nothing.
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
