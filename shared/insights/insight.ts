import type { RedisTime } from '../base/time.ts';

/** How bad an insight is, the worst first. */
export const SEVERITIES = ['critical', 'warning', 'hint'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** How sure an insight is. `certain`: Redis showed all of it. `hint`: another explanation is about as good. */
export const CONFIDENCES = ['certain', 'likely', 'hint'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** A step of a circle: a waiting thread, the lock it wants, and the thread that holds that lock. */
export type CircleStep = { readonly holder: string; readonly lock: string; readonly heldBy: string };

/** The values in the sentences of each insight. Times are Redis time; null: it does not exist, or it is not known. */
export type InsightValues = {
  /** The client of a holder has no connection left. */
  'holder-crashed-wait-ttl': {
    readonly holder: string;
    readonly goneSince: RedisTime | null;
    /** When its hold ends by itself; null: never, or not known. */
    readonly endsAt: RedisTime | null;
    /** True if the hold is known never to end by itself. */
    readonly neverEnds: boolean;
    readonly isPermit: boolean;
    readonly waiting: number;
  };
  /** A watchdog that renewed before is late, and its client is not known to be gone. */
  'renewal-overdue': {
    readonly holder: string;
    readonly dueAt: RedisTime;
    readonly endsAt: RedisTime | null;
    readonly renewals: number;
  };
  /** Threads wait for each other in a circle. */
  'abba-deadlock': { readonly path: readonly CircleStep[]; readonly endsAt: RedisTime | null };
  /** The head of a fair lock's queue is dead: no other waiter can acquire the lock before its deadline. */
  'fair-head-dead': {
    readonly holder: string;
    readonly goneSince: RedisTime | null;
    readonly deadline: RedisTime | null;
    /** Dead waiters in a row at the head, and living waiters behind them. */
    readonly dead: number;
    readonly waiting: number;
    readonly isFree: boolean;
  };
  /** A holder lost its lock in a failover or a restart and does not know it. */
  'failover-lock-lost': {
    readonly holder: string;
    readonly lostAt: RedisTime;
    readonly endsAt: RedisTime | null;
    /** The thread that holds the lock now; null: none. */
    readonly heldBy: string | null;
  };
  /** A thread unlocked a lock that it did not hold. */
  'unlock-by-non-owner': {
    readonly holder: string;
    readonly at: RedisTime;
    /** The thread that holds the lock now; null: none. */
    readonly heldBy: string | null;
    /** How often it did that within the time that is looked at. */
    readonly times: number;
    /** Its client returned from the unlock as if it had succeeded. */
    readonly sawSuccess: boolean;
  };
};

/** The kind of an insight: an id of the catalogue of incidents. */
export type Incident = keyof InsightValues;

/** What a detector found. `I`: its incident. */
export type FindingOf<I extends Incident> = {
  readonly incident: I;
  readonly severity: Severity;
  readonly confidence: Confidence;
  /** The lock it is about, by id (`source/db/name`). */
  readonly lockId: string;
  readonly holders: readonly string[];
  /** When it began. It stays the same at every later instant, so that the id does too. */
  readonly from: RedisTime;
  /** Null: it is still so. */
  readonly to: RedisTime | null;
  /** When it ends by itself; null: never, or not known. */
  readonly selfHealsAt: RedisTime | null;
  /** `seq`s of the events that show it. */
  readonly events: readonly number[];
  readonly values: InsightValues[I];
};
export type Finding = { [I in Incident]: FindingOf<I> }[Incident];

/** A finding with an id that is the same in every run, and the place of its lock. */
export type Insight = Finding & {
  readonly id: string;
  readonly source: string;
  readonly db: number;
  readonly lock: string;
};

/**
 * Why a detector cannot know. `level`: its source is watched at a level that does not show it. `unwatched`: its source is
 * not watched, or it is not known how it was watched. `blind-spot`: the source was not watched for a part of the time
 * that matters. `presence`: it is not known whether a client is connected.
 */
export const UNSEEN_REASONS = ['level', 'unwatched', 'blind-spot', 'presence'] as const;
export type UnseenReason = (typeof UNSEEN_REASONS)[number];

/** What a detector does not know about some locks of a source. */
export type CannotTell = {
  readonly incident: Incident;
  readonly source: string;
  readonly reason: UnseenReason;
  /** For how many locks. */
  readonly locks: number;
};

/** A detector that threw. */
export type Failure = { readonly incident: Incident; readonly message: string };

/** The result of all detectors at one instant. */
export type Report = {
  readonly at: RedisTime;
  /** The worst first, then the oldest. */
  readonly insights: readonly Insight[];
  /** The number of insights that are not listed. */
  readonly more: number;
  readonly cannotTell: readonly CannotTell[];
  readonly failed: readonly Failure[];
};
