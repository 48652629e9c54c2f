import type { Expected } from './expected.ts';
import type { Reported } from './judge.ts';
import { EARLY_TIMER, type Wait } from './wakers.ts';

/** How long a waiter is silent before it is presumed gone (microseconds), by `shared/state/RULES.md`. */
export const SILENCE = 2_000_000;
const SILENCE_AFTER_MESSAGE = 5_000_000;
/** After this time it is no longer known whether a thread that was refused once waits (microseconds). */
const FORGOTTEN = 300_000_000;
/** How soon a thread that was woken attempts (microseconds). */
const WAKES_WITHIN = 100_000;

/** What a thread does itself; a watchdog renews in the background. */
const ATTEMPTS: ReadonlySet<string> = new Set(['lock.acquired', 'lock.reentered', 'lock.refused']);
const ACTS: ReadonlySet<string> = new Set([
  ...ATTEMPTS,
  ...['lock.released', 'lock.partially-released', 'unlock.refused'],
]);

type Act = { readonly type: string; readonly db: number; readonly lock: string; readonly holder?: unknown };

export function isAttempt({ type }: Act): boolean {
  return ATTEMPTS.has(type);
}

/** Whether an event shows that a waiting thread does something else. */
export function isSomethingElse(wait: Wait, { type, db, lock, holder }: Act): boolean {
  const isThere = wait.lock === lock && wait.db === db;
  return wait.holder === holder && ACTS.has(type) && !(isThere && ATTEMPTS.has(type));
}

/** Whether the client of a waiter stops listening in the same step. */
export function isLeaving({ channel }: Wait, rest: readonly Expected[]): boolean {
  return rest.some(({ type, fields }) => type === 'waiter.unsubscribed' && fields.channel === channel);
}

type Circumstances = {
  /** The other expected events of the step. */
  readonly rest: readonly Expected[];
  /** The newest message to the waiter, and when its client was killed. */
  readonly messageAt: number;
  readonly killedAt: number;
  /** Whether the thread of the wait does something else in this step that ends the wait. */
  readonly isBusy: boolean;
  /** Whether no other thread of its client is asleep at the same lock. */
  readonly isAlone: boolean;
};

/** Whether the thread of a wait does something else in this step. */
export function isBusy(wait: Wait, rest: readonly Expected[]): boolean {
  return rest.some(({ type, db, lock, fields }) => isSomethingElse(wait, { type, db, lock, holder: fields.holder }));
}

/** Compares the report that a waiter stopped waiting with the possible reasons. */
export function leaveProblems(wait: Wait, reported: Reported, about: Circumstances): string[] {
  const problems: string[] = [];
  const { reason } = reported;
  const { rest, messageAt, killedAt } = about;
  const isAgain = rest.some(({ fields, lock }) => fields.holder === wait.holder && lock === wait.lock);
  const isSilent = wait.reported !== null && reported.at >= wait.lastAt + wait.reported * 1000 + SILENCE - EARLY_TIMER;
  const hasMissedMessage = messageAt > wait.lastAt && reported.at >= messageAt + SILENCE_AFTER_MESSAGE - EARLY_TIMER;
  const isOnlyAttempt = wait.attempt === 1 && reported.at >= wait.lastAt + SILENCE - EARLY_TIMER;
  const isPollOver =
    wait.pollsWithin !== undefined && reported.at >= wait.lastAt + wait.pollsWithin * 1000 - EARLY_TIMER;
  const isOut = isPollOver || isLeaving(wait, rest);
  const isCalled = about.isAlone && messageAt > wait.lastAt && reported.at >= messageAt + WAKES_WITHIN;
  const hasActed = about.isBusy || (isCalled && isBusy(wait, rest));
  if (reason === 'gave-up' && !hasActed && !isAgain && !isOut) problems.push('nothing shows that it gave up');
  if (
    reason === 'presumed-gone' &&
    !isSilent &&
    !hasMissedMessage &&
    !isOnlyAttempt &&
    !isOut &&
    reported.at < killedAt
  )
    problems.push('nothing shows that it is gone');
  const isForgotten = wait.attempt === 1 && reported.at >= wait.lastAt + FORGOTTEN;
  if (!['gave-up', 'presumed-gone', ...(isForgotten ? ['unseen'] : [])].includes(String(reason)))
    problems.push(`reason ${reason}`);
  if (String(reported.because) !== String(wait.lastSeq))
    problems.push(`because ${reported.because}, not ${wait.lastSeq}`);
  return problems;
}
