import { KINDS } from '../events/kinds/kinds.ts';
import type { LockKind } from '../events/types/lock-kind.ts';
import type { EvictedHead } from './evicted-heads.ts';
import type { Hold } from './holds-from-events.ts';
import type { Wait } from './wait.ts';

/** The holds and waits of one lock. `heads`: queue heads that were evicted. */
export type LockSpans = {
  readonly id: string;
  readonly kind: LockKind;
  readonly holds: readonly Hold[];
  readonly waits: readonly Wait[];
  readonly heads: readonly EvictedHead[];
};

/** Why a thread waited although no hold was in its way. */
export type NoHold =
  /**
   * The lock was free until a waiter that a message had woken acquired it. For a waiting reader, also while other
   * readers hold it.
   */
  | 'waking'
  /** The lock was free, and no thread acquired it, or the next holder acquired it without a message. */
  | 'free'
  /** The lock was free, but the head of the queue did not attempt it, and was evicted. */
  | 'evicted-head'
  /**
   * It is not known which holder blocked the waiter, as with permits, latches, values of a group lock, or very many
   * readers.
   */
  | 'unclear'
  /** Not watched, not in memory, or the holder was not seen: the lock may have been held. */
  | 'unseen';

/**
 * A range with the same blockers. Times are Redis time in µs. `head`: the evicted head, with the cause `evicted-head`.
 */
export type Piece = { readonly from: number; readonly to: number } & (
  | { readonly holds: readonly Hold[] }
  | { readonly cause: NoHold; readonly head?: string }
);

/** Work is interrupted after this many changes. */
const CHANGES_PER_PART = 500;
/** With more holds at the same time, the wait is not divided between them. */
const MOST_AT_ONCE = 32;

/** The endings of a hold after which the lock was free. */
const FREEING: ReadonlySet<Hold['ended']> = new Set([
  'released',
  'freed',
  'expired',
  'force-released',
  'deleted',
  'evicted',
  'flushed',
]);

/** The endings after which a message may wake a waiter. */
const WITH_MESSAGE: ReadonlySet<Hold['ended']> = new Set(['released', 'freed', 'force-released']);

/**
 * Returns what was in the way of a waiter of this mode, at every instant up to `end` or later, oldest first. Yields
 * after every part of the work.
 *
 *   holds    A [======]         B [=======]
 *   pieces   unseen A   waking    B         free
 */
export function* blockersOf(lock: LockSpans, mode: Wait['mode'], end: number): Generator<void, Piece[], void> {
  const { counts, hasValues } = KINDS[lock.kind];
  if (counts || hasValues) return [{ from: 0, to: end, cause: 'unclear' }];
  const woken = new Set(
    lock.waits.flatMap(({ ended, to, holder }) => (ended === 'message' ? [`${to} ${holder}`] : [])),
  );
  const pieces: Piece[] = [];
  const open = new Set<Hold>();
  const shared = new Set<Hold>();
  const setOf = (hold: Hold) => (mode === 'read' && hold.mode === 'read' ? shared : open);
  let from = 0;
  let before: Hold | undefined;
  let blocker: Hold | undefined;
  for (const [n, { at, began, ended }] of changesOf(lock.holds, end).entries()) {
    if (n % CHANGES_PER_PART === 0) yield;
    if (at > from) {
      const isShared = shared.size > 0;
      const cause = causeOf(isShared ? blocker : before, began, woken, isShared);
      if (open.size > 0) pieces.push({ from, to: at, ...inTheWay(open) });
      else pieces.push(...freePieces(lock, from, at, cause));
    }
    for (const hold of began) setOf(hold).add(hold);
    for (const hold of ended) setOf(hold).delete(hold);
    blocker = lastOf(ended.filter((hold) => setOf(hold) === open)) ?? blocker;
    before = lastOf(ended) ?? before;
    from = Math.max(from, at);
  }
  return pieces;
}

/**
 * One of several holds that ended at the same time: if there is one, a hold whose end does not show that the lock was
 * free.
 */
function lastOf(ended: readonly Hold[]): Hold | undefined {
  return ended.find((hold) => !FREEING.has(hold.ended)) ?? ended[0];
}

function inTheWay(open: ReadonlySet<Hold>): { holds: Hold[] } | { cause: NoHold } {
  return open.size > MOST_AT_ONCE ? { cause: 'unclear' } : { holds: [...open] };
}

/**
 * Why a waiter did not acquire the lock between two holds. `isShared`: readers hold the lock, and the waiter is a
 * reader too.
 */
function causeOf(
  before: Hold | undefined,
  began: readonly Hold[],
  woken: ReadonlySet<string>,
  isShared: boolean,
): NoHold {
  if (!before || !FREEING.has(before.ended) || began.some(({ isOpenStart }) => isOpenStart)) return 'unseen';
  if (isShared) return 'waking';
  const isByMessage = WITH_MESSAGE.has(before.ended);
  return isByMessage && began.some(({ from, holder }) => woken.has(`${from} ${holder}`)) ? 'waking' : 'free';
}

/** Divides a free range by the evicted heads in it. */
function freePieces({ heads }: LockSpans, from: number, to: number, cause: NoHold): Piece[] {
  if (cause === 'unseen') return [{ from, to, cause }];
  const pieces: Piece[] = [];
  let at = from;
  for (const head of heads) {
    const begin = Math.max(head.from, at);
    const until = Math.min(head.to, to);
    if (begin >= until) continue;
    if (begin > at) pieces.push({ from: at, to: begin, cause });
    pieces.push({ from: begin, to: until, cause: 'evicted-head', head: head.holder });
    at = until;
  }
  if (at < to) pieces.push({ from: at, to, cause });
  return pieces;
}

type Change = { readonly at: number; readonly began: Hold[]; readonly ended: Hold[] };

/**
 * The instants at which holds begin and end, in order, also after the range: a later hold shows why a lock was free.
 */
function changesOf(holds: readonly Hold[], end: number): Change[] {
  const changes = new Map<number, Change>();
  const at = (time: number): Change => {
    const change = changes.get(time) ?? { at: time, began: [], ended: [] };
    changes.set(time, change);
    return change;
  };
  for (const hold of holds) {
    if (hold.from === hold.to) continue;
    at(hold.from).began.push(hold);
    if (hold.to !== null) at(hold.to).ended.push(hold);
  }
  const sorted = [...changes.values()].sort((a, b) => a.at - b.at);
  if ((sorted.at(-1)?.at ?? 0) < end) sorted.push({ at: end, began: [], ended: [] });
  return sorted;
}
