import { type Millis, millisBetween, type RedisTime } from '../../../shared/base/time.ts';
import { clientOf } from '../../../shared/events/names/names.ts';
import { renewalDueAt } from '../../../shared/insights/renewals.ts';
import type { HolderState, LockState } from '../../../shared/state/lock-state.ts';
import { pollsOf } from '../script/kind-memory.ts';
import { FREE } from '../script/local-lock.ts';
import { serverNow } from '../script/nodes.ts';
import { actorOf, hasWatchdog, keyOfLock, lockOfEvent, nameOnStage, type StageRun } from '../script/run.ts';
import type { ClientState, World } from '../script/world.ts';

/** What one thread does, by the events and the demo's reports. */
export type ThreadView = {
  /** What it holds; only if the stage has several locks, or for a lock in memory. */
  readonly holds: readonly { readonly lock: string; readonly count: number | null }[];
  /** The lock it waits for; only if the stage has several, or for a lock in memory. */
  readonly waitsFor: string | null;
  readonly letter: string;
  readonly thread: string;
  /**
   * - `unseen`: it held the lock when the server was last seen.
   * - `believes`: it still thinks it holds the lock, but Redis ended the hold.
   * - `lost`: its unlock was refused, so it knows of the loss.
   * - `asks`: it was refused and does not sleep, or it waits for a lock in memory.
   * - `stuck`: it waits for a lock in memory that it holds itself.
   */
  readonly doing: 'idle' | 'works' | 'unseen' | 'believes' | 'lost' | 'asks' | 'asleep' | 'stuck';
  readonly count: number | null;
  readonly mode: HolderState['mode'] | null;
  /** The hold count of its read hold, if it holds the write lock as well. */
  readonly alsoReads: number | null;
  /** Time until its own timer wakes it. */
  readonly wakesInMs: Millis | null;
  /** The kind of channel it subscribes to while it sleeps. */
  readonly listens: 'unlock' | 'alone' | 'permits' | 'latch';
  /** Its place in a fair lock's queue. */
  readonly place: number | null;
  /** The number of attempts, if it polls without sleep. */
  readonly polls: number | null;
  /** Fenced lock: the token of its hold, or of the hold it thinks it still has. */
  readonly token: string | null;
  /** `off`: the lease is not the one that watchdogs renew. `silent`: its process is stopped. Null: no lease runs. */
  readonly watchdog: 'on' | 'off' | 'silent' | null;
  /** Time until the watchdog's next renewal; negative: overdue. */
  readonly renewalInMs: Millis | null;
  /** The watchdog's interval: a third of the lease. */
  readonly renewalEveryMs: Millis | null;
};

/** One client of the stage. */
export type ActorCard = {
  readonly client: string;
  readonly name: string;
  readonly state: ClientState;
  readonly threads: readonly ThreadView[];
  /** It has asked for the lock by now, or had a fault. */
  readonly hasAppeared: boolean;
};

/** The card of every client in the cast, for a world and an instant. */
export function actorsAt(run: StageRun, world: World, at: RedisTime): ActorCard[] {
  return run.cast.map(({ id, name, uuids }) => {
    const known = uuids.filter((uuid) => world.clients.has(uuid));
    const newest = [...world.clients.keys()].findLast((uuid) => known.includes(uuid));
    const state = newest === undefined ? 'running' : (world.clients.get(newest) ?? 'running');
    const present = [...world.locks.values()].flatMap(({ holders, waiters }) => [
      ...holders.map(({ id, client: taker }) => taker ?? id),
      ...waiters.map(({ id }) => id),
    ]);
    const isOfClient = (holder: string) => uuids.includes(clientOf(holder)) || holder === name;
    const seen = [...new Set([...world.seen.keys(), ...present])].filter(isOfClient);
    return {
      client: id,
      name,
      state,
      threads: threadsOf(run, world, at, id, seen).map((thread) => withLocals(run, world, id, thread)),
      hasAppeared: seen.length > 0 || known.length > 0,
    };
  });
}

/** The threads of a client, with all its processes. Thread 1 is always shown, others after their first event. */
function threadsOf(run: StageRun, world: World, at: RedisTime, client: string, seen: readonly string[]): ThreadView[] {
  const byThread = new Map<string, ThreadView>([['1', idle(client, '1')]]);
  for (const holder of seen) {
    const { thread } = actorOf(run, holder);
    const view = threadView(run, world, at, holder);
    const known = byThread.get(thread);
    byThread.set(thread, known ? mergedViews(known, view) : view);
  }
  return [...byThread.values()].sort((a, b) => Number(a.thread) - Number(b.thread));
}

/** Merges two views of a thread that has different ids on several servers: what it does, and all its holds. */
function mergedViews(one: ThreadView, other: ThreadView): ThreadView {
  const [first, second] = rankOf(one) <= rankOf(other) ? [one, other] : [other, one];
  return { ...first, holds: [...one.holds, ...other.holds], waitsFor: first.waitsFor ?? second.waitsFor };
}

function rankOf({ doing }: ThreadView): number {
  const rank = PRECEDENCE.indexOf(doing);
  return rank === -1 ? PRECEDENCE.length : rank;
}

/** The view of a thread, with what it does at a lock in its client's own memory. */
function withLocals(run: StageRun, world: World, client: string, view: ThreadView): ThreadView {
  for (const { name } of run.localLocks.filter((lock) => lock.client === client)) {
    const { takenBy, waiting } = world.locals.get(name) ?? FREE;
    const isMine = String(takenBy) === view.thread;
    const holds = isMine ? [{ lock: name, count: null }] : [];
    if (String(waiting?.thread) === view.thread)
      return { ...view, doing: isMine ? 'stuck' : 'asks', waitsFor: name, holds };
    if (isMine) return { ...view, doing: 'works', holds };
  }
  return view;
}

function idle(client: string, thread: string): ThreadView {
  const letter = thread === '1' ? client : `${client}${thread}`;
  return {
    holds: [],
    waitsFor: null,
    letter,
    thread,
    doing: 'idle',
    count: null,
    mode: null,
    alsoReads: null,
    wakesInMs: null,
    listens: 'unlock',
    place: null,
    polls: null,
    token: null,
    watchdog: null,
    renewalInMs: null,
    renewalEveryMs: null,
  };
}

/** What a thread does at all locks of the stage together. A waiting thread can do nothing else. */
function threadView(run: StageRun, world: World, at: RedisTime, holder: string): ThreadView {
  const { client, thread } = actorOf(run, holder);
  const nothing = idle(client, thread);
  const [only] = run.locks;
  if (run.locks.length === 1 && only)
    return atLock(run, world, at, holder, world.locks.get(keyOfLock(only))) ?? nothing;
  const views = run.locks.flatMap((lock) => {
    const view = atLock(run, world, at, holder, world.locks.get(keyOfLock(lock)));
    return view ? [{ view, lock: nameOnStage(run, lock) }] : [];
  });
  const most = PRECEDENCE.map((doing) => views.find(({ view }) => view.doing === doing)).find(
    (found) => found !== undefined,
  );
  const holds = views.flatMap(({ view, lock }) => (view.doing === 'works' ? [{ lock, count: view.count }] : []));
  const isWaiting = most?.view.doing === 'asks' || most?.view.doing === 'asleep';
  const watched = views.find(({ view }) => view.watchdog !== null)?.view;
  const { watchdog = null, renewalInMs = null, renewalEveryMs = null } = watched ?? {};
  return {
    ...(most?.view ?? nothing),
    watchdog,
    renewalInMs,
    renewalEveryMs,
    holds,
    waitsFor: isWaiting ? most.lock : null,
  };
}

const PRECEDENCE: readonly ThreadView['doing'][] = ['asleep', 'asks', 'believes', 'works', 'unseen', 'lost'];

/** What a thread does at one lock; undefined if it does nothing there. */
function atLock(
  run: StageRun,
  world: World,
  at: RedisTime,
  holder: string,
  lock: LockState | undefined,
): ThreadView | undefined {
  const { client, thread } = actorOf(run, holder);
  const nothing = idle(client, thread);
  const holds = lock?.holders.filter(({ id, client: taker }) => (taker ?? id) === holder) ?? [];
  const hold = holds.find(({ mode }) => mode === 'write') ?? holds[0];
  const key = lock ? lockOfEvent(run, { lock: lock.name, source: lock.source }) : null;
  if (hold && lock && isUnseen(run, world, key)) return { ...nothing, doing: 'unseen', count: hold.holdCount };
  if (hold && lock) {
    const permits = holds.reduce((sum, { holdCount }) => sum + (holdCount ?? 1), 0);
    return {
      ...nothing,
      doing: 'works',
      count: hold.mode === 'permit' ? permits : hold.holdCount,
      mode: hold.mode,
      alsoReads: hold.mode === 'write' ? (holds.find(({ mode }) => mode === 'read')?.holdCount ?? null) : null,
      token: lock.kind === 'fenced-lock' ? (world.tokens.get(holder) ?? null) : null,
      ...watchdogOf(run, world, at, lock, hold),
    };
  }
  if (world.clients.get(clientOf(holder)) === 'dead') return undefined;
  const mode = isPermits(lock) ? 'permit' : null;
  if (world.beliefs.some((belief) => belief.holder === holder && belief.lock === key)) {
    return { ...nothing, doing: 'believes', mode, token: world.tokens.get(holder) ?? null };
  }
  if (world.awareOfLoss.has(holder)) return { ...nothing, doing: 'lost', mode };
  const wait = lock?.waiters.find(({ id, presumedGoneAt }) => id === holder && presumedGoneAt === null);
  if (!wait || (!wait.isConfirmed && isOver(run, world, at, holder, lock, key))) return undefined;
  // in a fair lock, `deadline` is when the waiter's place in the queue times out
  const timer = lock?.kind === 'fair-lock' ? (world.timers.get(holder) ?? null) : wait.deadline;
  const wakesInMs = wait.isAsleep && timer !== null ? Math.max(0, millisBetween(at, timer)) : null;
  return {
    ...nothing,
    doing: wait.isAsleep ? 'asleep' : 'asks',
    listens: listensOf(lock),
    place: wait.position,
    polls: pollsOf(world, holder),
    mode: wait.mode === 'latch' ? null : wait.mode,
    wakesInMs,
  };
}

/** Whether the state of a lock is not known: its server was killed, or Lockscope did not see what happened to it. */
function isUnseen(run: StageRun, world: World, key: string | null): boolean {
  const on = run.locks.find((lock) => keyOfLock(lock) === key);
  const server = on ? serverNow(run, world, on) : null;
  return (key !== null && world.unseen.has(key)) || (server !== null && world.servers.get(server) === 'killed');
}

function isPermits(lock: LockState | undefined): boolean {
  return lock?.kind === 'semaphore' || lock?.kind === 'expirable-semaphore';
}

function listensOf(lock: LockState | undefined): ThreadView['listens'] {
  if (lock?.kind === 'latch') return 'latch';
  if (isPermits(lock)) return 'permits';
  return lock?.kind === 'fair-lock' ? 'alone' : 'unlock';
}

/**
 * Whether a refused attempt is no longer shown. A single one may not be a wait, so it is shown for 1 s, and only until
 * its client reports that it gave up, or has released the rest of the group.
 */
function isOver(
  run: StageRun,
  world: World,
  at: RedisTime,
  holder: string,
  lock: LockState | undefined,
  key: string | null,
): boolean {
  const since = lock?.waiters.find(({ id }) => id === holder)?.since;
  if (since === undefined || millisBetween(since, at) >= 1000) return true;
  const gaveUpAt = world.gaveUpAt.get(actorOf(run, holder).client);
  return (gaveUpAt !== undefined && gaveUpAt >= since) || isRolledBack(run, world, holder, key);
}

/** Whether the refused lock belongs to a group that has been rolled back: the thread no longer asks for it. */
function isRolledBack(run: StageRun, { groups }: World, holder: string, key: string | null): boolean {
  const { letter } = actorOf(run, holder);
  const newest = [...groups.values()].findLast(({ who }) => who === letter);
  return key !== null && newest?.end === 'rolled-back' && newest.members.get(key) === 'refused';
}

export function watchdogOf(run: StageRun, world: World, at: RedisTime, lock: LockState, hold: HolderState) {
  const { leaseMs } = lock;
  const dueAt = renewalDueAt({ leaseSetAt: hold.leaseSetAt, leaseMs });
  if (leaseMs === null || dueAt === null) return {};
  if (!hasWatchdog(run, leaseMs)) return { watchdog: 'off' as const };
  const renewalEveryMs = leaseMs / 3;
  const renewalInMs = millisBetween(at, dueAt);
  const isSilent = world.stopped.has(clientOf(hold.id));
  return { watchdog: isSilent ? ('silent' as const) : ('on' as const), renewalInMs, renewalEveryMs };
}
