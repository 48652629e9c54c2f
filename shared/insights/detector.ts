import type { ObserveLevel } from '../base/observe-level.ts';
import type { Millis, RedisTime } from '../base/time.ts';
import type { ClientDumps } from '../dumps/client-dump.ts';
import type { EventType, LockEvent } from '../events/event.ts';
import type { PresenceState } from '../events/mirror/clients/client.ts';
import type { LockState } from '../state/lock-state.ts';
import type { KnownFacts } from '../state/server-states.ts';
import type { Effect, FindingOf, Incident, Lack, UnseenReason } from './insight.ts';

/** A detector that decides by its own notes of a lock reports an incident for this long after its last sign. */
export const SHOWN_AFTER_MS: Millis = 60_000;

/** What is known about a client as a whole, from CLIENT LIST and from how fast it reacts. */
export type ClientSight = {
  readonly presence: PresenceState;
  /** If the client is gone, the last instant at which one of its connections was seen. */
  readonly goneSince: RedisTime | null;
  /**
   * For a client that holds a lock, but was never heard. `connections`: how many open connections may be its own; all
   * of them have long been silent. `since`: since when there is no such connection, or they are silent. Absent: the
   * client was heard, or this is not known.
   */
  readonly unheard?: { readonly connections: number; readonly since: RedisTime };
  /**
   * When the client last reacted late, exact to 10 s. Its silence proves nothing for a while after that
   * (`isOfLateClient`). Absent: the client was not seen to be late.
   */
  readonly lateAt?: RedisTime;
};

/** How a source is watched at the instant of a run. */
export type SourceSight = {
  readonly level: ObserveLevel;
  /** Since when the source has been watched at this level without a break. */
  readonly watchedSince: RedisTime;
  /** What the source lacks although it is watched. Absent: it lacks nothing. */
  readonly lacks?: readonly Lack[];
};

/**
 * Past events that a run lacks, because there were too many. `since`: when the first of them was dropped. For an event
 * before `since`, the newest earlier event of its holder is still there. `to`: the instant of the newest dropped event.
 */
export type DroppedEvents = { readonly since: RedisTime; readonly to: RedisTime };

/**
 * The instant of a run. What a detector reads here decides when it looks again at a lock to which nothing has happened:
 *
 * - If `hasCome` or `isPast` returns false, the detector looks again as soon as that instant has come.
 * - If it reads `now`, it looks again in each run.
 */
type InstantOfRun = {
  /** By the clock of the lock's Redis. Only for values that grow with time: to compare, ask `hasCome` or `isPast`. */
  readonly now: RedisTime;
  /**
   * Whether the run is at this instant or later. Time in which Redis did not answer is counted only once Redis has
   * answered for 3 s.
   */
  hasCome(at: RedisTime): boolean;
  /** Whether the run is later than this instant. Time is counted as for `hasCome`. */
  isPast(at: RedisTime): boolean;
};

/** One lock at one instant, and everything a detector may know about it. */
export type LockSight = InstantOfRun & {
  readonly lock: LockState;
  /** `source/db/name`. */
  readonly lockId: string;
  /**
   * Until when time is counted for `hasCome`: the instant of the run. While Redis does not answer, and for 3 s after
   * that: the instant since which it did not answer.
   */
  readonly countedUntil: RedisTime;
  readonly watched: SourceSight;
  /** What the lock's server reported about itself; undefined: not known. */
  readonly server: KnownFacts | undefined;
  /** The events of this lock that the detector requested, oldest first. */
  readonly events: readonly LockEvent[];
  /**
   * Whether `events` go back to this instant. A finding that some of them can disprove is only reported while they do:
   * otherwise it would appear later, when these are too old to be looked at.
   */
  goBackTo(at: RedisTime): boolean;
  /** The past events that are missing, of any lock; undefined: none are. */
  readonly dropped: DroppedEvents | undefined;
  /** The events about the lock's whole source that the detector requested, oldest first. */
  readonly sourceEvents: readonly LockEvent[];
  /** The newest thread dump of each client that has one. */
  readonly dumps: ClientDumps;
  clientOf(client: string): ClientSight;
};

/** What a detector returns for a lock: findings, or why it cannot know. */
export type Verdict<I extends Incident> = readonly FindingOf<I>[] | UnseenReason;

type About<I extends Incident> = {
  readonly incident: I;
  readonly effect: Effect;
  /**
   * What the detector finds at a level without commands that it works at. `same`: as much as with commands. `hint`:
   * only some of the incidents, so finding none proves nothing there.
   */
  readonly withoutCommands: 'same' | 'hint' | 'nothing';
  /** The levels at which the detector works. At the others, the answer is "cannot know". */
  readonly levels: readonly ObserveLevel[];
  /**
   * If the source lacks one of these, the detector may miss incidents, but reports what it finds. Absent: it needs
   * nothing but locks.
   */
  readonly needs?: readonly Exclude<Lack, 'locks'>[];
  /** The detector needs all waiters of a lock, also those that were refused before watching began. */
  readonly needsWaiters?: true;
  /**
   * The detector reports an effect without its cause. Its findings are left out while another problem of the same lock
   * is open that is more severe than a hint.
   */
  readonly isOnlyWithoutOther?: true;
  /** A quick test whether the detector can find anything for a lock like this one. Absent: it can for every lock. */
  concerns?(lock: LockState): boolean;
};

/** The past events that a detector needs, at most `withinMs` old. */
export type Wants = {
  /** All events of these types, which should be rare. Of `permits.released`, only late ones (`isWantedEvent`). */
  readonly types: readonly EventType[];
  /** Events of these types, but only of locks that also have an event of `types`. */
  readonly beside: readonly EventType[];
  readonly withinMs: Millis;
};

/** A detector that looks at one lock at a time. */
export type LockDetector<I extends Incident> = About<I> & {
  readonly of: 'lock';
  /** The past events that the detector needs. Absent: none. */
  readonly wants?: Wants;
  detect(sight: LockSight): Verdict<I>;
};

/** A detector that needs all locks at once. It takes one lock after the other, then concludes. */
export type WorldDetector<I extends Incident> = About<I> & {
  readonly of: 'world';
  /** The past events that the detector needs, of each lock. Absent: none. */
  readonly wants?: Wants;
  /**
   * Whether the detector may find something because of this lock. If it is false for all locks, `conclude` is not
   * called.
   */
  begins(lock: LockState, events: readonly LockEvent[]): boolean;
  /**
   * Why the detector cannot know about a lock; undefined: it can. Absent: `take` is called for that. A detector may
   * have this method only if its findings depend on nothing but its locks and the clients of their waiters.
   */
  unseenOf?(sight: LockSight): UnseenReason | undefined;
  begin(): {
    /**
     * Returns why the detector cannot know about this lock, if it cannot and has no `unseenOf`. That depends on this
     * lock alone.
     */
    take(sight: LockSight): UnseenReason | undefined;
    /** After only the locks with `begins` were taken: whether other locks can change the result. Absent: they can. */
    needsOthers?(): boolean;
    /** Called for each lock whose source is not watched now, or not at a level that shows the incident. */
    miss?(lock: LockState): void;
    conclude(now: RedisTime): readonly FindingOf<I>[];
  };
};

/**
 * One source at one instant. A detector looks at it again if there are new events of its locks or about it, if its
 * facts or the way it is watched changed, or as `InstantOfRun` describes.
 */
export type SourceView = InstantOfRun & {
  readonly source: string;
  readonly watched: SourceSight;
  /** What the server reported about itself; undefined: not known. */
  readonly server: KnownFacts | undefined;
  /** The events about the whole source that the detector requested, oldest first. */
  readonly events: readonly LockEvent[];
  /** The events of the source's locks that the detector requested, oldest first. */
  readonly lockEvents: readonly LockEvent[];
  /**
   * Its locks in this run: those held or waited for, and those with an event that a detector requested. A detector that
   * reads them looks again whenever one of them changes, so it should read them last.
   */
  readonly locks: readonly LockState[];
};

/** A detector that looks at one source as a whole. */
export type SourceDetector<I extends Incident> = Omit<About<I>, 'concerns'> & {
  readonly of: 'source';
  readonly wants?: Wants & { readonly beside: readonly [] };
  detect(view: SourceView): Verdict<I>;
};

/** A detector is pure: no clock, no I/O, no memory between runs. */
export type Detector = { [I in Incident]: LockDetector<I> | WorldDetector<I> | SourceDetector<I> }[Incident];
