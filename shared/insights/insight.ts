import type { RedisTime } from '../base/time.ts';
import type { AsleepValues } from './english/asleep.ts';
import type { ContentionValues } from './english/contention.ts';
import type { FairValues } from './english/fair.ts';
import type { JvmValues } from './english/jvm.ts';
import type { LostValues } from './english/lost.ts';
import type { RenewalsValues } from './english/renewals.ts';
import type { ServerValues } from './english/server.ts';
import type { StuckValues } from './english/stuck.ts';
import type { UnlocksValues } from './english/unlocks.ts';

/** How bad an insight is, the worst first. */
export const SEVERITIES = ['critical', 'warning', 'hint'] as const;
export type Severity = (typeof SEVERITIES)[number];

/**
 * How certain an insight is:
 *
 *   certain   Redis showed all of it
 *   likely    another explanation is possible, but less likely
 *   hint      another explanation is about as likely
 */
export const CONFIDENCES = ['certain', 'likely', 'hint'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/**
 * What a problem means for a lock:
 *
 *   lost       a holder may work without the lock
 *   orphaned   the holder will not release the lock
 *   stuck      the lock stays held, or waiters do not get it
 *   slow       the lock works, but its users wait longer than they must
 *   other      anything else, for example a lock that is in danger or misused
 */
export const EFFECTS = ['lost', 'orphaned', 'stuck', 'slow', 'other'] as const;
export type Effect = (typeof EFFECTS)[number];

/** The values in the sentences of each insight, by theme in `english/`. */
export type InsightValues = LostValues &
  RenewalsValues &
  StuckValues &
  UnlocksValues &
  AsleepValues &
  FairValues &
  ContentionValues &
  ServerValues &
  JvmValues;

/** The kind of an insight: an id of the catalogue of incidents. */
export type Incident = keyof InsightValues;

/** What a detector found. `I`: the incident of that detector. */
export type FindingOf<I extends Incident> = {
  readonly incident: I;
  readonly severity: Severity;
  readonly confidence: Confidence;
  /** The lock that the finding is about, by id (`source/db/name`). Null: the finding is about the whole source. */
  readonly lockId: string | null;
  /** The source that the insight is about. Absent: that of the lock. */
  readonly source?: string;
  /** The holders and waiters that the finding is about, by id. Of `latch-litter`: the client. */
  readonly holders: readonly string[];
  /**
   * When the problem began. It stays the same at every later instant, because the id of the insight is made from this
   * time.
   */
  readonly from: RedisTime;
  /** The problem began at `from` or earlier, unseen. Absent: it began at `from`. */
  readonly isAtLeast?: true;
  /** When the problem ended; null: it is still open. */
  readonly to: RedisTime | null;
  /** When the problem ends by itself; null: never, not known, or it has ended. */
  readonly selfHealsAt: RedisTime | null;
  /** `seq`s of the events that show the problem. */
  readonly events: readonly number[];
  readonly values: InsightValues[I];
};
export type Finding = { [I in Incident]: FindingOf<I> }[Incident];

/**
 * A finding with an id that is the same in every run, the effect that its detector declares, and the place of its lock.
 */
export type Insight = Finding & {
  readonly effect: Effect;
  readonly id: string;
  readonly source: string;
  /** The database of the lock; 0 if the insight is about the whole source. */
  readonly db: number;
  /** The name of the lock; null: the insight is about the whole source. */
  readonly lock: string | null;
};

/**
 * Why a detector cannot know:
 *
 *   level        its source is watched at a level that does not show it
 *   unwatched    its source is not watched, or it is not known how it was watched
 *   blind-spot   the source was not watched for a part of the time that matters
 *   unanswered   Redis does not answer, or did not until a moment ago
 *   presence     it is not known whether a client is connected
 *   server       INFO is not read yet, not permitted, or has no such field
 *   key-events   Redis does not publish what shows it
 *   locks        some locks of the source are not seen, for example those held before a text begins
 *   memory       events that may show it are no longer in memory, or too many to read
 */
export const UNSEEN_REASONS = [
  'level',
  'unwatched',
  'blind-spot',
  'unanswered',
  'presence',
  'server',
  'key-events',
  'locks',
  'memory',
] as const;
export type UnseenReason = (typeof UNSEEN_REASONS)[number];

/**
 * What a source may lack although it is watched at a level that shows the incident. The first three are the reasons of
 * that name. `listeners`: connections that listen are not counted, so waiters that slept before watching began are not
 * known.
 */
export const LACKS = ['presence', 'key-events', 'locks', 'listeners'] as const;
export type Lack = (typeof LACKS)[number];

/** What a detector does not know about a source, or about some of its locks. */
export type CannotTell = {
  readonly incident: Incident;
  readonly effect: Effect;
  readonly source: string;
  readonly reason: UnseenReason;
  /** The number of these locks; 0: the reason is about the source, not about single locks. */
  readonly locks: number;
};

/** A detector that threw. */
export type Failure = { readonly incident: Incident; readonly message: string };

/** `error`: what the detector threw. */
export function failureOf({ incident }: { readonly incident: Incident }, error: unknown): Failure {
  return { incident, message: error instanceof Error ? error.message : String(error) };
}

/** The result of all detectors at one instant. */
export type Report = {
  readonly at: RedisTime;
  /** The worst first, then the oldest. */
  readonly insights: readonly Insight[];
  /** The number of insights beyond the limit of the list. */
  readonly more: number;
  readonly cannotTell: readonly CannotTell[];
  readonly failed: readonly Failure[];
};
