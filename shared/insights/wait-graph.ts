import type { RedisTime } from '../base/time.ts';
import type { ClientDumps } from '../dumps/client-dump.ts';
import { clientOf } from '../events/names/names.ts';
import { idOf, type LockState } from '../state/lock-state.ts';
import { type CircleFacts, circleFacts } from './circle-facts.ts';
import type { ClientSight, SourceSight } from './detector.ts';
import { Drawing, type GraphEdge, type GraphNode } from './graph-drawing.ts';
import type { UnseenReason } from './insight.ts';
import { addJvmEdges } from './jvm-edges.ts';
import { hasUnseenWaiters, isUncounted } from './lacks.ts';
import { hasOlderSleeper, WaitCircles } from './wait-circles.ts';

/*
 * Which thread waits for which lock, and which thread holds that lock, over all sources:
 *
 *   thread A ──waits──▶ lock stock:7 ──holds──▶ thread B ──waits──▶ lock orders:42 ──holds──▶ thread A
 */

/** Threads that wait for each other. */
type GraphCycle = {
  readonly path: readonly {
    readonly holder: string;
    readonly lockId: string;
    readonly lock: string;
    readonly heldBy: string;
  }[];
  /** When the last of these waits began, which closed the circle. */
  readonly from: RedisTime;
  /** That wait began at `from` or earlier, unseen. Absent: it began at `from`. */
  readonly isAtLeast?: true;
  /** One of the threads may have stopped waiting, although no command shows it. */
  readonly mayBeOver?: true;
  /** When the first lease in the cycle ends that no watchdog renews; null: none is known. */
  readonly breaksAt: RedisTime | null;
  /**
   * What breaks the cycle. `lease`: the end of a lease, at `breaksAt`. `give-up`: a thread acquires a multi lock, which
   * gives up and attempts again. Null: nothing that is known.
   */
  readonly breaksBy: 'lease' | 'give-up' | null;
  /** The hold to release by hand: its thread closed the circle. */
  readonly release: { readonly holder: string; readonly lockId: string; readonly lock: string };
};

export type WaitGraph = {
  readonly at: RedisTime;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly cycles: readonly GraphCycle[];
  /** Whether threads outside of circles are shown as their clients, because there are many. */
  readonly isByClient: boolean;
  /** How many nodes, edges and cycles are not listed. */
  readonly more: { readonly nodes: number; readonly edges: number; readonly cycles: number };
  /** Sources whose waiting threads are not all known, and why. */
  readonly cannotTell: readonly { readonly source: string; readonly reason: UnseenReason }[];
};

/** What the graph is made of, at one instant. */
type GraphInput = {
  readonly at: RedisTime;
  readonly locks: Iterable<LockState>;
  readonly sources: ReadonlyMap<string, SourceSight | undefined>;
  clientOf(source: string, client: string): ClientSight;
  /** Thread dumps, by client; absent: none. */
  readonly dumps?: ClientDumps;
};

/** With more nodes, threads are shown as their clients. */
const MOST_SINGLE_NODES = 200;
export const MOST_CYCLES = 50;
/** The work yields after this many locks. */
const STEP = 200;

/**
 * The graph of all locks that a thread waits for. The locks of the listed circles come first, then those with the most
 * waiters. The threads of these circles are never shown as their clients. Yields after every 200 locks.
 */
export function* waitGraph({
  at,
  locks,
  sources,
  clientOf: sightOf,
  dumps,
}: GraphInput): Generator<void, WaitGraph, void> {
  const circles = new WaitCircles();
  const wanted = new Map<string, LockState>();
  /**
   * Sources whose waiting threads are not all known: either waiters were or may have been refused before the source was
   * watched, or a wait began before the newest blind spot. Such a wait may have ended in that blind spot, so it is left
   * out of circles.
   */
  const blind = new Set<string>();
  let n = 0;
  for (const lock of locks) {
    if (++n % STEP === 0) yield;
    const isGone = (holder: string) => sightOf(lock.source, clientOf(holder)).presence === 'gone';
    const waiters = lock.waiters.filter(({ id, isAsleep, isConfirmed, presumedGoneAt }) => {
      return (isAsleep || isConfirmed) && presumedGoneAt === null && !isGone(id);
    });
    const sight = sources.get(lock.source);
    const sleepers = { holders: lock.holders, holdersBeyond: lock.holdersBeyond, waiters };
    circles.take(idOf(lock), sleepers, lock.source, sight?.watchedSince);
    const isOlder = sight !== undefined && hasOlderSleeper(sleepers, sight.watchedSince);
    if (isOlder || hasUnseenWaiters(lock) || (sight && isUncounted(lock, sight))) blind.add(lock.source);
    if (waiters.length > 0) wanted.set(idOf(lock), { ...lock, waiters });
  }
  yield;
  const cycles = circles.all().flatMap((steps) => circleFacts(steps, wanted, at) ?? []);
  const listed = cycles.slice(0, MOST_CYCLES);
  const inCycle = new Set(listed.flatMap(({ members }) => members.map(({ holder }) => holder)));
  const first = new Set(listed.flatMap(({ members }) => members.map(({ wants }) => wants)));
  yield;
  const rest = [...wanted].filter(([id]) => !first.has(id)).sort(byWaiters);
  const all = [...[...wanted].filter(([id]) => first.has(id)), ...rest].map(([, lock]) => lock);
  yield;
  const threads = new Set(all.flatMap(({ holders, waiters }) => [...holders, ...waiters].map(({ id }) => id)));
  const isByClient = all.length + threads.size > MOST_SINGLE_NODES;
  const isGone = (source: string, client: string) => sightOf(source, client).presence === 'gone';
  const drawing = new Drawing(isGone, (holder) => isByClient && !inCycle.has(holder));
  for (const [place, lock] of all.entries()) {
    drawing.add(lock);
    if (place % STEP === 0) yield;
  }
  if (dumps) addJvmEdges(drawing, all, dumps, at);
  const { nodes, edges, more } = drawing.result();
  return {
    ...{ at, nodes, edges, isByClient },
    cycles: listed.map(cycleOf),
    more: { ...more, cycles: cycles.length - listed.length },
    cannotTell: [...sources].flatMap(([source, sight]) => {
      const reason = unseenReason(sight, blind.has(source));
      return reason ? [{ source, reason }] : [];
    }),
  };
}

function byWaiters([, a]: [string, LockState], [, b]: [string, LockState]): number {
  return b.waiters.length - a.waiters.length || (idOf(a) < idOf(b) ? -1 : 1);
}

function cycleOf({ members, from, isAtLeast, leaseEndsAt, isRolledBack, release, doubts }: CircleFacts): GraphCycle {
  return {
    path: members.map(({ holder, wants, lock, heldBy }) => ({ holder, lockId: wants, lock: lock.name, heldBy })),
    from,
    ...(isAtLeast ? { isAtLeast } : undefined),
    ...(doubts.length > 0 ? { mayBeOver: true } : undefined),
    breaksAt: leaseEndsAt,
    breaksBy: leaseEndsAt !== null ? 'lease' : isRolledBack ? 'give-up' : null,
    release: { holder: release.heldBy, lockId: release.wants, lock: release.lock.name },
  };
}

/** Why the waiting threads of a source are not all known; undefined: they are. */
function unseenReason(sight: SourceSight | undefined, isBlind: boolean): UnseenReason | undefined {
  if (!sight) return 'unwatched';
  if (sight.level !== 'monitor') return 'level';
  return isBlind ? 'blind-spot' : sight.lacks?.includes('locks') ? 'locks' : undefined;
}
