import type { Millis } from '../base/time.ts';

/** The fields of a hold or a wait that `turnsOf` needs. Times are Redis time in µs. */
export type TurnSpan = {
  readonly kind: 'hold' | 'wait';
  readonly holder: string;
  readonly from: number;
  readonly to: number | null;
  readonly ended: string | null;
  readonly openStart: boolean;
};

/** The longest wait, and how often a thread that began to wait later, or did not wait, acquired the lock first. */
export type LongestWait = {
  readonly holder: string;
  readonly ms: Millis;
  readonly isOpen: boolean;
  readonly overtaken: number;
  /** False: part of the wait is before the counted time, so it may have been overtaken more often. */
  readonly isWhole: boolean;
};

/** How a lock passes from thread to thread, with the data behind the figures. */
export type Turns = {
  /** The range of time that was counted: at most a minute, to `now`. */
  readonly rangeMs: Millis;
  /** Waits that ended in an acquisition in that time. */
  readonly handovers: number;
  /** Hand-overs a second; null: there were too few of them. */
  readonly perSecond: number | null;
  /** The number of waiters at `now`. */
  readonly waiting: number;
  readonly longest: LongestWait | null;
  /**
   * The mean wait of a thread that begins to wait now, if hand-overs continue at this rate. Null if there were too few
   * hand-overs, if no thread waits, if a waiter left without the lock, or if more time has passed since the last
   * hand-over than between any two of them.
   */
  readonly newcomerMs: Millis | null;
};

type TurnsAround = {
  /** The current number of waiters. */
  readonly waiting: number;
  readonly now: number;
  /** From this instant on, everything was watched and is in the spans. Absent: from the beginning. */
  readonly wholeFrom?: number;
};

const RANGE_MICROS = 60_000_000;
/** With fewer hand-overs, no rate is computed. */
const FEWEST = 3;
/** With fewer hand-overs, the wait of a newcomer is not estimated. */
const FEWEST_FOR_NEWCOMER = 10;

const WITH_LOCK: ReadonlySet<string | null> = new Set(['message', 'own-timer', 'acquired']);

/**
 * Computes how a lock passes from thread to thread, from its holds and waits of the last minute.
 *
 *   A  ▨▨▨▨▨▨▨▨▨▨▨▨▨▨▨▨▨▨▨▨▨▨     the longest wait: overtaken twice
 *   B    ▨▨▨▨▨┃███
 *   C          ▨▨▨▨▨▨▨┃███
 *
 * The mean wait of a newcomer follows from Little's law: waiters / hand-overs a second. It does not depend on the order
 * in which the waiters get the lock.
 */
export function turnsOf(spans: readonly TurnSpan[], { waiting, now, wholeFrom = 0 }: TurnsAround): Turns {
  const begun = spans.filter(({ from, to }) => from <= now && (to === null || to >= now - RANGE_MICROS));
  const first = Math.min(now, ...begun.map(({ from }) => from));
  const since = Math.min(now, Math.max(now - RANGE_MICROS, first, wholeFrom));
  const rangeMs = (now - since) / 1000;
  const ends = begun.flatMap(({ kind, to, ended }) => {
    return kind === 'wait' && to !== null && to <= now && to >= since && WITH_LOCK.has(ended) ? [to] : [];
  });
  const perSecond = ends.length < FEWEST || rangeMs <= 0 ? null : ends.length / (rangeMs / 1000);
  const left = begun.some(({ kind, to, ended }) => {
    return kind === 'wait' && to !== null && to <= now && to >= since && !WITH_LOCK.has(ended);
  });
  const isSteady = !left && ends.length >= FEWEST_FOR_NEWCOMER && pauseNow(ends, now) <= longestPause(ends);
  const newcomerMs = perSecond === null || waiting === 0 || !isSteady ? null : (waiting / perSecond) * 1000;
  return { rangeMs, handovers: ends.length, perSecond, waiting, longest: longestWait(begun, now, since), newcomerMs };
}

function pauseNow(ends: readonly number[], now: number): number {
  return now - Math.max(...ends);
}

function longestPause(ends: readonly number[]): number {
  const sorted = [...ends].sort((a, b) => a - b);
  return Math.max(...sorted.map((at, n) => at - (sorted[n - 1] ?? at)));
}

/** The longest wait that is still open or ended in an acquisition. Its beginning must have been seen. */
function longestWait(spans: readonly TurnSpan[], now: number, since: number): LongestWait | null {
  let longest: TurnSpan | undefined;
  for (const span of spans) {
    const isWait = span.kind === 'wait' && !span.openStart && (span.to === null || WITH_LOCK.has(span.ended));
    if (isWait && (!longest || lengthOf(span, now) > lengthOf(longest, now))) longest = span;
  }
  if (!longest) return null;
  const { holder, to } = longest;
  return {
    holder,
    ms: lengthOf(longest, now) / 1000,
    isOpen: to === null,
    overtaken: overtakenIn(spans, longest, now),
    isWhole: longest.from >= since,
  };
}

function lengthOf({ from, to }: TurnSpan, now: number): number {
  return Math.min(to ?? now, now) - from;
}

/**
 * How many holds of other threads were seen to begin during a wait although their threads began to wait later, or did
 * not wait.
 */
function overtakenIn(spans: readonly TurnSpan[], wait: TurnSpan, now: number): number {
  const end = wait.to ?? now;
  const askedAt = new Map<string, number>();
  for (const { kind, holder, from, to } of spans)
    if (kind === 'wait' && to !== null) askedAt.set(`${to} ${holder}`, from);
  let overtaken = 0;
  for (const { kind, holder, from, openStart } of spans) {
    if (kind !== 'hold' || openStart || holder === wait.holder || from <= wait.from || from >= end) continue;
    if ((askedAt.get(`${from} ${holder}`) ?? from) > wait.from) overtaken++;
  }
  return overtaken;
}
