import { type Millis, plusMillis, type RedisTime } from '../../base/time.ts';
import type { LockEvent } from '../../events/event.ts';
import { KINDS } from '../../events/kinds/kinds.ts';

/** Clocks that differ by less do no harm: deadlines are seconds or minutes away. */
const FAR_AHEAD: Millis = 5000;
/** If a client's clock has not been seen to be ahead for this long, it is dropped when another one is noted. */
const FORGOTTEN: Millis = 10 * 60_000;
/** How many clients whose clocks are ahead are noted at one lock. */
const MOST_AHEAD = 5;

/** A client whose clock is ahead of Redis's, so that it may evict waiters of a fair lock too early. */
export type ClockAhead = {
  /** The address of the connection that last showed this. */
  readonly by: string;
  /** A thread of the client; null: not known yet. */
  readonly holder: string | null;
  readonly aheadMs: Millis;
  readonly since: RedisTime;
  readonly seq: number;
  readonly lastAt: RedisTime;
  /** How many waiters the client evicted before their deadline, and the last of them. */
  readonly evicted: number;
  readonly victim: string | null;
};

type Aheads = readonly ClockAhead[] | undefined;

/** Notes clients of a fair lock whose clock is far ahead of Redis's, and the waiters that they evict too early. */
export function aheadsAfter(aheads: Aheads, event: LockEvent): Aheads {
  const { by, at } = event;
  if (!KINDS[event.kind].hasQueue || by === undefined) return aheads;
  const known = aheads?.find((each) => each.by === by || isOfHolder(each, event));
  const aheadMs = 'clockAheadMs' in event ? (event.clockAheadMs ?? 0) : 0;
  if (aheadMs < FAR_AHEAD) {
    return known && isTimed(event) ? replaced(aheads, known, undefined) : withHolderOf(aheads, known, event);
  }
  const isEarly = event.type === 'waiter.dequeued' && event.deadline !== undefined && event.deadline > at;
  return replaced(aheads, known, {
    by,
    holder: known?.holder ?? holderIn(event),
    aheadMs,
    since: known?.since ?? at,
    seq: known?.seq ?? event.seq,
    lastAt: at,
    evicted: (known?.evicted ?? 0) + (isEarly ? 1 : 0),
    victim: isEarly ? event.holder : (known?.victim ?? null),
  });
}

function isAttempt({ type }: LockEvent): boolean {
  return type === 'lock.refused' || type === 'lock.acquired';
}

/** Whether an event is an attempt whose script carries the client's time: the clock agrees if no difference is reported. */
function isTimed(event: LockEvent): boolean {
  return isAttempt(event) && !('clockUnseen' in event && event.clockUnseen);
}

function isOfHolder({ holder }: ClockAhead, event: LockEvent): boolean {
  return holder !== null && holder === holderIn(event);
}

/** The thread that ran the script of an event; null: the event names another thread. */
function holderIn(event: LockEvent): string | null {
  const isOwn = isAttempt(event) || event.type === 'lock.released';
  return isOwn && 'holder' in event ? (event.holder ?? null) : null;
}

function withHolderOf(aheads: Aheads, known: ClockAhead | undefined, event: LockEvent): Aheads {
  const holder = holderIn(event);
  return known && known.holder === null && holder !== null ? replaced(aheads, known, { ...known, holder }) : aheads;
}

function replaced(aheads: Aheads, before: ClockAhead | undefined, after: ClockAhead | undefined): Aheads {
  const at = after?.lastAt;
  const others = (aheads ?? []).filter(
    (each) => each !== before && (at === undefined || plusMillis(each.lastAt, FORGOTTEN) > at),
  );
  const all = after ? [...others, after].slice(-MOST_AHEAD) : others;
  return all.length > 0 ? all : undefined;
}
