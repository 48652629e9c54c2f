import type { HoldMode } from '../events/types/hold-event.ts';

/** The fields of a lock that the search needs; `LockState` has all of them. */
export type WantedLock = {
  readonly holders: readonly { readonly id: string; readonly mode: HoldMode; readonly since?: number | null }[];
  readonly holdersBeyond: number;
  readonly waiters: readonly {
    readonly id: string;
    readonly mode?: HoldMode | 'latch';
    readonly since: number;
    readonly isAsleep: boolean;
    readonly presumedGoneAt: unknown;
  }[];
};

/** One step of a circle: a waiting thread, the key of the lock it wants, and the thread that holds it. */
export type WaitStep = { readonly holder: string; readonly wants: string; readonly heldBy: string };

type Acquisition = { readonly clock: string; at: number };

type Wait = { readonly key: string; readonly since: number; readonly isReader: boolean; readonly clock: string };

/** The clocks of two servers may differ by this much (in µs). */
const CLOCKS_APART = 100_000;

/** The holders that all have to release a lock: before a reader acquires it, and before any other waiter does. */
type Blockers = { readonly ofReaders: readonly string[]; readonly ofOthers: readonly string[] };

/**
 * Finds threads that wait for each other in a circle.
 *
 *   A ──wants stock:7──▶ B ──wants orders:42──▶ A
 *
 * - A thread that was refused once may not be waiting, so only threads that went to sleep count.
 * - A thread sleeps in one place: its newest wait counts, and only if it has not acquired another lock since.
 * - A writer waits for every reader, so one reader in the circle is enough. That may be the writer itself.
 * - A lock with several holders that are not readers is not followed: any of them may release it.
 * - Permits are not followed: any thread may release them.
 */
export class WaitCircles {
  /** What `all` returned, until the next lock is taken. */
  #found: readonly (readonly WaitStep[])[] | undefined;
  readonly #waits = new Map<string, Wait>();
  readonly #blockers = new Map<string, Blockers>();
  /** When each thread last acquired a lock, by each clock. */
  readonly #acquiredAt = new Map<string, Acquisition[]>();

  /**
   * Takes the next lock, by any key that is unique. `clock`: the clock that its times are from. Waits that began before
   * `since` are left out (`hasOlderSleeper`).
   */
  take(key: string, lock: WantedLock, clock: string, since = Number.NEGATIVE_INFINITY): void {
    this.#found = undefined;
    for (const { id, mode, since: acquiredAt } of lock.holders) {
      if (mode === 'permit') return;
      if (acquiredAt != null) this.#acquired(id, clock, acquiredAt);
    }
    if (lock.waiters.length === 0) return;
    const ofOthers = blockersOf(lock, () => true);
    const hasReader = lock.holders.some(({ mode }) => mode === 'read');
    this.#blockers.set(key, {
      ofReaders: hasReader ? blockersOf(lock, (mode) => mode !== 'read') : ofOthers,
      ofOthers,
    });
    for (const waiter of lock.waiters) {
      if (!isSleeping(waiter) || waiter.since < since) continue;
      if ((this.#waits.get(waiter.id)?.since ?? Number.NEGATIVE_INFINITY) <= waiter.since) {
        this.#waits.set(waiter.id, { key, since: waiter.since, isReader: waiter.mode === 'read', clock });
      }
    }
  }

  /**
   * Returns one circle for each set of threads that all wait for each other, directly or through others: a shortest
   * circle through the first of them by id. If some threads of the set wait for themselves, each of these is returned
   * as a circle of one instead, because the end of one does not end another. Each circle begins with its first thread
   * by id, and the circles are in the order of these threads.
   */
  all(): readonly (readonly WaitStep[])[] {
    this.#found ??= this.#search();
    return this.#found;
  }

  #search(): readonly (readonly WaitStep[])[] {
    if (!this.#mayBeAny()) return [];
    const next = this.#links();
    const circles = componentsIn(next).flatMap((component) => {
      const alone = component.filter((end) => isThread(end) && waitsForItself(end, next)).map((end) => [end]);
      return (alone.length > 0 ? alone : [shortestCircle(component, next)]).map((circle) => {
        const ids = circle.filter(isThread).map(idIn);
        return ids.map((holder, n) => this.#step(holder, ids[(n + 1) % ids.length] ?? holder));
      });
    });
    return circles.sort(([a], [b]) => ((a?.holder ?? '') < (b?.holder ?? '') ? -1 : 1));
  }

  /** Whether any waiting thread holds a lock that a thread waits for. In most contended systems, no thread does. */
  #mayBeAny(): boolean {
    for (const { ofReaders, ofOthers } of this.#blockers.values()) {
      if ([ofReaders, ofOthers].some((ids) => ids.some((id) => this.#waits.has(id)))) return true;
    }
    return false;
  }

  #step(holder: string, heldBy: string): WaitStep {
    return { holder, wants: this.#waits.get(holder)?.key ?? '', heldBy };
  }

  /**
   * Links from each waiting thread to the lock that it wants, and from that lock to the waiting threads that block it.
   */
  #links(): Links {
    const links = new Map<string, readonly string[]>();
    for (const [id, { key, isReader }] of this.#waits) {
      if (!this.#isWaiting(id)) continue;
      const lock = `${isReader ? 'r' : 'a'}:${key}`;
      links.set(threadOf(id), [lock]);
      if (links.has(lock)) continue;
      const blockers = this.#blockers.get(key)?.[isReader ? 'ofReaders' : 'ofOthers'] ?? [];
      links.set(lock, blockers.filter((blocker) => this.#isWaiting(blocker)).map(threadOf));
    }
    return links;
  }

  #acquired(id: string, clock: string, at: number): void {
    const known = this.#acquiredAt.get(id);
    if (!known) this.#acquiredAt.set(id, [{ clock, at }]);
    else {
      const last = known.find((each) => each.clock === clock);
      if (!last) known.push({ clock, at });
      else if (at > last.at) last.at = at;
    }
  }

  /** Whether a thread still waits: it has not acquired a lock since that wait began, as far as the clocks show. */
  #isWaiting(id: string): boolean {
    const wait = this.#waits.get(id);
    if (wait === undefined) return false;
    for (const { clock, at } of this.#acquiredAt.get(id) ?? []) {
      if (at > wait.since + (clock === wait.clock ? 0 : CLOCKS_APART)) return false;
    }
    return true;
  }
}

/** Whether a thread has slept for a lock since before that instant. False for permits, which are not followed. */
export function hasOlderSleeper({ holders, waiters }: WantedLock, since: number): boolean {
  if (!waiters.some((waiter) => isSleeping(waiter) && waiter.since < since)) return false;
  return !holders.some(({ mode }) => mode === 'permit');
}

/** Whether a thread went to sleep for a lock and is not presumed to have given up. */
function isSleeping({ isAsleep, presumedGoneAt }: WantedLock['waiters'][number]): boolean {
  return isAsleep && presumedGoneAt === null;
}

/* Links go from threads to locks, and from locks to threads. A prefix shows whether the end of a link is a thread. */
const threadOf = (id: string) => `t:${id}`;
const isThread = (end: string) => end.startsWith('t:');
const idIn = (end: string) => end.slice(2);

/**
 * The holders that all have to release a lock before a waiter acquires it; an empty list if one of several is enough.
 */
function blockersOf({ holders, holdersBeyond }: WantedLock, isWanted: (mode: HoldMode) => boolean): readonly string[] {
  const wanted = holders.filter(({ mode }) => isWanted(mode));
  const [only] = wanted;
  if (only && wanted.length + holdersBeyond === 1) return [only.id];
  const isShared = wanted.every(({ mode }) => mode === 'read' || mode === 'write');
  if (!isShared && wanted.length + holdersBeyond > 1) return [];
  return [...new Set(wanted.map(({ id }) => id))];
}

type Links = ReadonlyMap<string, readonly string[]>;

/**
 * The strongly connected components: sets of ends that all reach each other. An end alone is left out, unless it has a
 * link to itself. Tarjan's algorithm, without recursion.
 */
function componentsIn(next: Links): string[][] {
  const components: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const openIds = new Set<string>();
  const enter = (id: string) => {
    order.set(id, order.size);
    lowest.set(id, order.size - 1);
    open.push(id);
    openIds.add(id);
    return { id, at: 0 };
  };
  const lower = (id: string, to = Number.POSITIVE_INFINITY) => lowest.set(id, Math.min(lowest.get(id) ?? to, to));
  for (const start of next.keys()) {
    const path = order.has(start) ? [] : [enter(start)];
    for (let step = path.at(-1); step; step = path.at(-1)) {
      const { id } = step;
      const to = next.get(id)?.[step.at++];
      if (to === undefined) {
        path.pop();
        const before = path.at(-1);
        if (before) lower(before.id, lowest.get(id));
        if (lowest.get(id) === order.get(id)) {
          const component = open.splice(open.lastIndexOf(id));
          for (const each of component) openIds.delete(each);
          if (component.length > 1 || next.get(id)?.includes(id)) components.push(component);
        }
      } else if (!order.has(to)) path.push(enter(to));
      else if (openIds.has(to)) lower(id, order.get(to));
    }
  }
  return components;
}

function waitsForItself(thread: string, next: Links): boolean {
  return next.get(thread)?.some((lock) => next.get(lock)?.includes(thread)) ?? false;
}

/** A shortest circle through the thread with the lowest id of a strongly connected component. */
function shortestCircle(component: readonly string[], next: Links): string[] {
  const inComponent = new Set(component);
  const [first = ''] = component.filter(isThread).reduce<string[]>(([a], b) => [a === undefined || b < a ? b : a], []);
  const cameFrom = new Map<string, string>();
  const queue = [first];
  for (const end of queue) {
    for (const to of next.get(end) ?? []) {
      if (to === first) return pathTo(end, first, cameFrom);
      if (!inComponent.has(to) || cameFrom.has(to)) continue;
      cameFrom.set(to, end);
      queue.push(to);
    }
  }
  return [first];
}

function pathTo(last: string, first: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path: string[] = [];
  for (let end: string | undefined = last; end !== undefined && end !== first; end = cameFrom.get(end)) path.push(end);
  return [first, ...path.reverse()];
}

/** The first circle among these locks, by their keys; null if they are in no circle. */
export function circleAmong(locks: Iterable<readonly [string, WantedLock]>): readonly WaitStep[] | null {
  const circles = new WaitCircles();
  for (const [key, lock] of locks) circles.take(key, lock, '');
  return circles.all()[0] ?? null;
}
