import { type Millis, millisBetween, type RedisTime } from '../../../base/time.ts';
import type { ActionOf } from '../../action.ts';
import type { Context, Origin } from '../../context.ts';
import { rankOf } from '../../libraries/script-versions.ts';
import type { BackOff, Wait } from '../../mirror/clients/wait.ts';
import { channelOf, type LockKey } from '../../mirror/lock-key.ts';
import { clientOf, isOfTransaction } from '../../names/names.ts';
import type { LockKind } from '../../types/lock-kind.ts';
import { learnKind } from '../reads/known-key.ts';

/*
 * How a spin lock is recognised before its first release.
 */

/** Since this Redisson version, plain locks and spin locks have different scripts. */
const FIRST_WITH_OWN_SCRIPT = rankOf('3.19.0');

/**
 * The kind of lock of an attempt. The old script shows a spin lock if the client is too new to use it for plain locks.
 */
export function kindOfAttempt(
  to: Context,
  { kind, holder }: Pick<ActionOf<'acquire' | 'refuse'>, 'kind' | 'holder'>,
  { isSpinScript }: Origin,
): LockKind {
  if (kind !== 'lock' || !isSpinScript || isOfTransaction(holder)) return kind;
  const version = to.clients.versionOf(clientOf(holder));
  return version && version.first >= FIRST_WITH_OWN_SCRIPT ? 'spin-lock' : kind;
}

/** An attempt after a longer pause does not continue a poll. */
const LONGEST_PAUSE_MS = 150;
/** How many pauses in a row must have about doubled to show a spin lock. */
const DOUBLINGS = 3;
/** After many attempts, a spinning thread pauses for 128 ms each time, and a little longer for the answer. */
const CAPPED_PAUSE_MS = 127;
/** How many such pauses in a row show a spin lock. */
const CAPPED_PAUSES = 6;

/** The pauses including the one before this attempt; undefined if the attempt does not continue a poll. */
export function backOffUntil(wait: Wait, at: RedisTime): BackOff | undefined {
  const pauseMs = millisBetween(wait.lastAttemptAt, at);
  if (pauseMs > LONGEST_PAUSE_MS) return undefined;
  const before = wait.backOff ?? { ...wait, firstPauseMs: pauseMs, pauseMs: 0, doublings: 0, longest: 0 };
  const { since, attempts, firstPauseMs, pauseMs: last, doublings, longest } = before;
  const isDoubled = last > 0 && pauseMs >= 1.5 * last && pauseMs <= 3 * last;
  return {
    ...{ since, attempts: attempts + 1, firstPauseMs, pauseMs, doublings: isDoubled ? doublings + 1 : 0 },
    longest: pauseMs >= CAPPED_PAUSE_MS ? longest + 1 : 0,
  };
}

/**
 * Whether the pauses are those of a spin lock: they double (1 ms, 2 ms, 4 ms … 128 ms), or stay at 128 ms if the thread
 * began to spin before watching began. A thread that calls `tryLock()` in a loop has other pauses.
 */
export function isSpinning(key: LockKey, backOff: BackOff, { isSpinScript }: Origin): boolean {
  if (key.kind !== 'lock' || isSpinScript !== true) return false;
  return backOff.doublings >= DOUBLINGS || hasSpunLong(backOff);
}

/**
 * Whether the last six pauses of a poll were the longest of a spin lock. If they were the first ones that were seen,
 * the poll began unseen.
 */
export function hasSpunLong({ longest }: BackOff): boolean {
  return longest >= CAPPED_PAUSES;
}

/**
 * Whether an attempt is assumed to belong to a poll, although the kind of lock is not known yet: the pause before the
 * attempt is the longest of a spin lock. Only several such pauses show the kind.
 */
export function isAssumedPoll(key: LockKey, { lastAttemptAt }: Wait, at: RedisTime, { isSpinScript }: Origin): boolean {
  return key.kind === 'lock' && isSpinScript === true && isLongestPause(millisBetween(lastAttemptAt, at));
}

function isLongestPause(pauseMs: Millis): boolean {
  return pauseMs >= CAPPED_PAUSE_MS && pauseMs <= LONGEST_PAUSE_MS;
}

/** Starts one wait that includes all attempts so far, because they show a spin lock. */
export function beginSpin(to: Context, key: LockKey, wait: Wait, spun: BackOff, at: RedisTime): Wait {
  const { since, attempts, firstPauseMs } = spun;
  learnKind(to, key, 'spin-lock', at, 'inferred');
  to.waits.end(wait);
  const whole = to.waits.begin(key.db, key.name, wait.holder, since, channelOf(key));
  const { lastAttemptAt, lastAttemptSeq } = wait;
  return Object.assign(whole, { attempts: attempts - 1, firstPauseMs, lastAttemptAt, lastAttemptSeq });
}
