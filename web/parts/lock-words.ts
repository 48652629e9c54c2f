import { type Millis, millisBetween, type RedisTime, redisTime } from '../../shared/base/time.ts';
import { countedBy, KINDS } from '../../shared/events/kinds/kinds.ts';
import { isOrphaned, wantedBy } from '../../shared/insights/attention.ts';
import type { Turns } from '../../shared/spans/turns.ts';
import type { Holder, Lock, Waiter } from '../../shared/wire/locks/lock.ts';
import {
  type HiddenWaiters,
  hasMoreWaiters,
  holderCount,
  isFound,
  waiterCount,
} from '../../shared/wire/locks/lock-facts.ts';
import { durationText } from '../ui/time-text.ts';
import type { Words } from '../words/words.ts';

const LIBRARIES: Readonly<Record<string, string>> = {
  'spring-integration': 'Spring Integration',
  redlock: 'node-redlock',
  'redlock-net': 'RedLock.net',
  'sesamecare-redlock': '@sesamecare-oss/redlock',
  redislock: 'bsm/redislock',
  shedlock: 'ShedLock',
  bullmq: 'BullMQ',
  pottery: 'Pottery',
  laravel: 'Laravel',
  symfony: 'Symfony',
  upstash: '@upstash/lock',
};

/**
 * The library of a lock, by the name that its authors use; with "probably" if only the form of its fields shows that a
 * lock is Redisson's. If the library is unknown, a text that says so.
 */
export function libraryName(lock: Lock, words: Words['lock']): string {
  const { library } = lock;
  if (library === 'unknown') return words.libraryNotKnown;
  return isOnlyLikeRedisson(lock) ? words.probablyOf(library) : (LIBRARIES[library] ?? library);
}

/**
 * Whether a lock only looks like Redisson's: no attempt, unlock or connection on its channel was seen. An application's
 * own hash may look the same.
 */
function isOnlyLikeRedisson({ library, kindKnown, clientVersion, listenedSince }: Lock): boolean {
  return library === 'redisson' && kindKnown === false && clientVersion === undefined && listenedSince === undefined;
}

/** The state of a lease at one instant. */
type LeaseView = {
  /** `renewed`: a watchdog may renew it. `fixed`: it will not be renewed. `orphaned`: all its holders are gone. */
  readonly state: 'none' | 'renewed' | 'fixed' | 'orphaned' | 'over' | 'unknown';
  readonly leftMs: Millis | null;
  /** Remaining share of the lease, 0 to 1. */
  readonly share: number;
  readonly words: string;
  /** True for 0.9 s after a renewal. */
  readonly isJustRenewed: boolean;
};

const RENEWAL_SHOWN_MS = 900;

/** Returns the lease of holders whose holds end together. */
export function holdLease(
  lease: Lock['lease'],
  holders: readonly Holder[],
  now: RedisTime | null,
  words: Words['lock']['lease'],
): LeaseView {
  const plain = { leftMs: null, share: 0, isJustRenewed: false };
  if (lease.expiresAt === null) {
    if (lease.neverEnds)
      return { ...plain, state: 'none', words: isOrphaned(holders) ? words.goneNeverEnds : words.neverEnds };
    return { ...plain, state: 'unknown', words: words.notKnown };
  }
  if (now === null) return { ...plain, state: 'unknown', words: words.noClock };
  const leftMs = millisBetween(now, redisTime(lease.expiresAt));
  const share = lease.ms === null || lease.ms <= 0 ? 0 : Math.min(1, Math.max(0, leftMs / lease.ms));
  const isOff = holders.length > 0 && holders.every((holder) => holder.watchdog === 'off');
  const lastRenewedAt = Math.max(0, ...holders.map((holder) => holder.lastRenewedAt ?? 0));
  const sinceRenewal = millisBetween(redisTime(lastRenewedAt), now);
  const view = {
    leftMs,
    share,
    isJustRenewed: lastRenewedAt > 0 && sinceRenewal >= 0 && sinceRenewal < RENEWAL_SHOWN_MS,
  };
  if (leftMs <= 0) return { ...view, state: 'over', words: words.over };
  if (isOrphaned(holders)) return { ...view, state: 'orphaned', words: words.gone };
  if (isOff) return { ...view, state: 'fixed', words: words.notRenewed };
  return { ...view, state: 'renewed', words: '' };
}

/** The text for a lock without known waiters: how many clients listen for its release, no waiter, or hidden waiters. */
export function noWaitersText(lock: Lock, hidden: HiddenWaiters | null, words: Words['lock']): string {
  const listeners = wantedBy(lock);
  if (listeners > 0) return words.listening(listeners, countedBy(lock.kind) === 'latch');
  return hidden === null ? words.nobody : words.waitersHidden;
}

/**
 * The text for a lock without hand-overs. It names the time that was counted: shortly after Lockscope started, for
 * example 5 s, not a minute.
 */
export function noTurnsText({ rangeMs }: Pick<Turns, 'rangeMs'>, words: Words['remedies']): string {
  const seconds = Math.floor(rangeMs / 1000);
  return words.noTurns(seconds === 0 ? null : durationText(seconds * 1000));
}

/** The mode in which a read-write lock is held; null while it is free, and for other kinds. */
export function modeOf(lock: Lock): 'read' | 'write' | null {
  if (!KINDS[lock.kind].hasReaders || holderCount(lock) === 0) return null;
  return lock.holders.some(({ mode }) => mode === 'write') ? 'write' : 'read';
}

/**
 * The number of waiters as text: `3`, `3 or more` if more may be hidden, or else `3 in line` if they are in a queue.
 */
export function waitersText(lock: Lock, hidden: HiddenWaiters | null, words: Words['lock']): string {
  const count = words.figure(waiterCount(lock));
  if (hasMoreWaiters(lock, hidden)) return words.orMore(count);
  return lock.waiters.some(({ position }) => position !== null) ? words.inLine(count) : count;
}

/**
 * What a waiter is doing. Waiters of a spin lock always poll. `isBlocking`: the waiter is dead and blocks the queue.
 */
export function waiterText(waiter: Waiter, words: Words['lock'], kind?: Lock['kind'], isBlocking = false): string {
  if (waiter.presumedGone) {
    if (waiter.position === null) return words.presumedGone;
    return isBlocking ? words.deadPlace : words.deadBehind;
  }
  if (kind !== undefined && KINDS[kind].backsOff) return words.polling;
  if (isFound(waiter)) return words.notSeenAsking;
  return waiter.asleep ? words.asleep : words.asking;
}

/** A shape for each presence, shown beside its word, so that colour is not needed. */
export const PRESENCE_SIGNS: Readonly<Record<Holder['presence'], string>> = {
  connected: '●',
  idle: '◐',
  gone: '✕',
  unknown: '?',
};
