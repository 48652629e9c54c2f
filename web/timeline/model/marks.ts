import type { Millis, RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { HoldMode } from '../../../shared/events/types/hold-event.ts';
import type { Hold } from '../../../shared/spans/holds-from-events.ts';
import type { QueueStay } from '../../../shared/spans/queue-places.ts';
import type { Wait } from '../../../shared/spans/wait.ts';
import type { PointKind, Taken } from './point-table.ts';
import type { VerdictMark } from './verdict-marks.ts';

/** A step of the hold count: from `at` on, the hold count is `count`. */
export type HoldLevel = { readonly at: RedisTime; readonly count: number };

/** One hold as it is drawn: a solid bar. */
export type HoldMark = {
  readonly kind: 'hold';
  /**
   * `h` and the `seq` of its first event; for a lost hold `b` and the `seq` of the loss. If one event began several
   * holds, the second one has `-2` behind it. Links use this id.
   */
  readonly id: string;
  readonly seq: number;
  readonly endSeq: number | null;
  readonly holder: string;
  readonly mode: HoldMode;
  readonly from: RedisTime;
  readonly to: RedisTime | null;
  readonly ended: Hold['ended'];
  readonly isOpenStart: boolean;
  readonly deepest: number;
  readonly levels: readonly HoldLevel[];
  readonly renewals: number;
  /**
   * When its lease was last set or renewed. Null: not known, or nothing shows when its next renewal is due, as for a
   * `token-lock`.
   */
  readonly leaseSetAt: RedisTime | null;
  readonly leaseMs: Millis | null;
  /** The fencing token of this hold, for a fenced lock. */
  readonly token: string | null;
  /** Set if the hold is a permit with an id. */
  readonly permit: Permit | null;
  /** Redis lost this hold, but the holder still thinks it holds the lock, at most until `until` (null: not known). */
  readonly belief?: { readonly until: RedisTime | null };
  /** Ranges in which another thread works too, although the lock admits one; drawn hatched. */
  readonly together?: readonly Range[];
};

/** A range of time; `to` is null if it has not ended. */
export type Range = { readonly from: RedisTime; readonly to: RedisTime | null };

/** One of several permits of a lane. Each is drawn in a slot of the lane's height, so that all are visible. */
export type Permit = {
  readonly id: string;
  /** When it expires; null: never. */
  readonly until: RedisTime | null;
  readonly slot: number;
  /** How many slots its lane has. */
  readonly slots: number;
};

/** One wait as it is drawn: a hatched bar, lower than that of a hold. */
export type WaitMark = {
  readonly kind: 'wait';
  /** `w` and the `seq` of its first event. */
  readonly id: string;
  readonly seq: number;
  readonly endSeq: number | null;
  readonly holder: string;
  readonly mode: Wait['mode'];
  readonly from: RedisTime;
  readonly to: RedisTime | null;
  readonly ended: Wait['ended'];
  readonly isOpenStart: boolean;
  readonly attempts: number;
  /**
   * When its thread first fell asleep, until a message or its own timer; null: no sleep was seen. If the thread slept
   * before the first event, this is the start of the wait.
   */
  readonly asleepFrom: RedisTime | null;
  /** Its stay in a fair lock's queue. */
  readonly stay: QueueStay | null;
};

/** A dense run: refused attempts of one waiter in such quick succession that they are drawn as one mark. */
export type RunMark = {
  readonly kind: 'run';
  /** `r` and the `seq` of its first attempt. */
  readonly id: string;
  readonly seq: number;
  readonly endSeq: number;
  readonly holder: string;
  readonly from: RedisTime;
  readonly to: RedisTime;
  readonly attempts: number;
};

/** One instant on a lane. */
export type PointMark = {
  readonly kind: 'point';
  readonly point: PointKind;
  /** `e` and the `seq` of its event. Further permits that expire in one event have `-2`, `-3` … behind it. */
  readonly id: string;
  readonly seq: number;
  readonly holder: string;
  readonly at: RedisTime;
  /** The hold count after it, the number of permits, or the remaining count of a latch. Null: none or not known. */
  readonly count: number | null;
  /** What ended the hold from outside, if anything did. */
  readonly taken: Taken | null;
};

export type SpanMark = HoldMark | WaitMark;
export type Mark = SpanMark | RunMark | PointMark;

/** A straight piece of the line that shows the TTL: until the lease is set again or ends, or a blind spot begins. */
export type LeasePiece = {
  readonly from: RedisTime;
  /** Null: the lease still runs. */
  readonly to: RedisTime | null;
  /** Null: it never ends, or its end is not known. */
  readonly expiresAt: RedisTime | null;
  readonly isEndKnown: boolean;
  readonly endedBy: 'renewed' | 'freed' | 'expired' | 'unseen' | null;
  /** The holders of the lock when the lease was set. */
  readonly holders: readonly string[];
};

/** The numbers of a semaphore or a latch from an instant on. */
export type CounterStep = {
  readonly at: RedisTime;
  /** Permits in use, or the remaining count of a latch; null: not known, or no key. */
  readonly count: number | null;
  /** Total number of permits. */
  readonly limit: number | null;
  /** Free permits, if the total is not known. */
  readonly free: number | null;
};

/** A wake-up: from the cause on one lane to the acquisition on another. */
export type WakeArrow = {
  readonly seq: number;
  readonly fromHolder: string | null;
  readonly fromAt: RedisTime;
  readonly toHolder: string;
  readonly toAt: RedisTime;
  readonly by: 'message' | 'own-timer';
  /** The `seq`s of its cause and of the causes of that: for example a wake-up message and the release before it. */
  readonly causes: readonly number[];
};

/**
 * All marks of one thread at one lock, in lists ordered by time. Holds may overlap: a thread may hold a lock for
 * reading and for writing, or several permits.
 */
export type Lane = {
  readonly holder: string;
  readonly spans: readonly SpanMark[];
  readonly points: readonly PointMark[];
  readonly runs: readonly RunMark[];
};

/** One lock over time, ready to be laid out. */
export type Track = {
  readonly id: string;
  readonly source: string;
  readonly db: number;
  readonly name: string;
  readonly kind: LockEvent['kind'];
  readonly lanes: readonly Lane[];
  readonly lease: readonly LeasePiece[];
  /** The longest lease seen: the full height of the key lane. */
  readonly leaseMs: Millis;
  /** What the key lane shows for a semaphore or a latch; empty for other kinds. */
  readonly counter: readonly CounterStep[];
  /** The highest number the key lane has to show. */
  readonly counterTop: number;
  readonly arrows: readonly WakeArrow[];
  /** When leases expired, in order of time. */
  readonly expiries: readonly RedisTime[];
  /** In order of `seq`. */
  readonly verdicts: readonly VerdictMark[];
  /** In order of `seq`; includes the blind spots of its source. */
  readonly events: readonly LockEvent[];
};

/** When a mark begins. */
export function startOf(mark: Mark): RedisTime {
  return mark.kind === 'point' ? mark.at : mark.from;
}

/** When a mark ends; `now` if it has not ended. A lost hold ends at the latest when its lease would. */
export function endOf(mark: Mark, now: RedisTime): RedisTime {
  if (mark.kind === 'point') return mark.at;
  const until = mark.kind === 'hold' ? mark.belief?.until : undefined;
  return mark.to ?? (until != null && until < now ? until : now);
}

/** A lane's marks in order of time; at the same time, in order of `seq`. */
export function marksInOrder(lane: Lane): Mark[] {
  return [...lane.spans, ...lane.runs, ...lane.points].sort((a, b) => startOf(a) - startOf(b) || a.seq - b.seq);
}
