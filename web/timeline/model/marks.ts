import type { Millis, RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { HoldMode } from '../../../shared/events/types/hold-event.ts';
import type { FailoverHow } from '../../../shared/events/types/watch-event.ts';
import type { Hold } from '../../../shared/spans/holds-from-events.ts';
import type { QueueStay } from '../../../shared/spans/queue-places.ts';
import type { Wait } from '../../../shared/spans/wait.ts';

/** A step of the hold count: from `at` on the holder holds `count` times. */
export type HoldLevel = { readonly at: RedisTime; readonly count: number };

/** One hold as it is drawn: a solid bar. */
export type HoldMark = {
  readonly kind: 'hold';
  /** `h` and the `seq` it began with: what a link calls it. */
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
  /** The last time its lease was set: nobody refilled it after that. */
  readonly leaseSetAt: RedisTime | null;
  readonly leaseMs: Millis | null;
  /** The number a fenced lock gave out with it. */
  readonly token: string | null;
  /** A permit that has an id of its own. */
  readonly permit: Permit | null;
  /** No hold any more: Redis lost it, and its holder believes in it, until the lease would be over (null: not known). */
  readonly belief?: { readonly until: RedisTime | null };
};

/** One of several permits of a lane: it lies in a slot of the lane's height, so that all can be seen. */
export type Permit = {
  readonly id: string;
  /** Until when it is good; null: for ever. */
  readonly until: RedisTime | null;
  readonly slot: number;
  /** How many slots its lane has. */
  readonly slots: number;
};

/** One wait as it is drawn: a hatched bar of half height. */
export type WaitMark = {
  readonly kind: 'wait';
  /** `w` and the `seq` of its first refusal. */
  readonly id: string;
  readonly seq: number;
  readonly endSeq: number | null;
  readonly holder: string;
  readonly mode: Wait['mode'];
  readonly from: RedisTime;
  readonly to: RedisTime | null;
  readonly ended: Wait['ended'];
  readonly attempts: number;
  /** From here on it sleeps until a message or its own timer. */
  readonly asleepFrom: RedisTime | null;
  /** Its stay in a fair lock's queue. */
  readonly stay: QueueStay | null;
};

/** Attempts of one holder that came so fast that each by itself says nothing: one mark with their count. */
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

export type PointKind =
  | 'renewed'
  | 'reentered'
  | 'partly-released'
  | 'released'
  | 'refused'
  | 'unlock-refused'
  | 'renewal-refused'
  | 'expired'
  | 'taken-away'
  | 'permits-set'
  | 'permits-taken'
  | 'permits-refused'
  | 'permits-back'
  | 'permits-expired'
  | 'latch-set'
  | 'counted-down';

export type Taken = 'force-released' | 'deleted' | 'evicted' | 'flushed' | 'lost';

/** One instant on a lane. */
export type PointMark = {
  readonly kind: 'point';
  readonly point: PointKind;
  /** `e` and its `seq`. */
  readonly id: string;
  readonly seq: number;
  readonly holder: string;
  readonly at: RedisTime;
  /** The hold count after it, where it has one; how many permits it was about; what is left of a latch. */
  readonly count: number | null;
  /** What took the hold away, where something did. */
  readonly taken: Taken | null;
};

export type SpanMark = HoldMark | WaitMark;
export type Mark = SpanMark | RunMark | PointMark;

/** A straight piece of the falling lease: `leftFrom` ms are left at `from`, less with every ms. */
export type LeasePiece = {
  readonly from: RedisTime;
  /** Null: still falling. */
  readonly to: RedisTime | null;
  /** Null: no TTL, it never falls. */
  readonly expiresAt: RedisTime | null;
  readonly endedBy: 'refilled' | 'freed' | 'expired' | 'unseen' | null;
  /** Who has to refill it. */
  readonly holders: readonly string[];
};

/** From an instant on a semaphore or a latch stood at a number. */
export type CounterStep = {
  readonly at: RedisTime;
  /** Permits out, or what a latch has still to count down; null: not known, or no key. */
  readonly count: number | null;
  /** Permits in all. */
  readonly limit: number | null;
  /** Permits that are free, where nobody saw how many there are in all. */
  readonly free: number | null;
};

/** What woke a waiter: from the cause on one lane to the acquisition on another. */
export type WakeArrow = {
  readonly seq: number;
  readonly fromHolder: string | null;
  readonly fromAt: RedisTime;
  readonly toHolder: string;
  readonly toAt: RedisTime;
  readonly by: 'message' | 'own-timer';
};

/** Everything of one thread at one lock. Spans of a kind overlap only where one reads or has several permits; all lists are in order of time. */
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
  /** What its key lane shows where its key is a number. */
  readonly counter: readonly CounterStep[];
  /** The most it ever has to show. */
  readonly counterTop: number;
  readonly arrows: readonly WakeArrow[];
  /** In order of `seq`; blind spots of its source among them. */
  readonly events: readonly LockEvent[];
};

/** A stretch nobody watched. */
export type BlindSpot = {
  readonly source: string;
  readonly from: RedisTime;
  readonly to: RedisTime | null;
  readonly reason: string;
  /** What was watched from its end on, where that was another server. */
  readonly failover?: { readonly how: FailoverHow; readonly to: string };
};

/** When a mark begins. */
export function startOf(mark: Mark): RedisTime {
  return mark.kind === 'point' ? mark.at : mark.from;
}

/** When a mark ends; `now` for what still goes on. */
export function endOf(mark: Mark, now: RedisTime): RedisTime {
  if (mark.kind === 'point') return mark.at;
  const until = mark.kind === 'hold' ? mark.belief?.until : undefined;
  return mark.to ?? (until != null && until < now ? until : now);
}
