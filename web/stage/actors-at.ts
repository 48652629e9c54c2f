import { type Millis, millisBetween, plusMillis, type RedisTime } from '../../shared/base/time.ts';
import { clientOf } from '../../shared/events/names.ts';
import type { HolderState, LockState } from '../../shared/state/lock-state.ts';
import { actorOf, hasWatchdog, type StageRun } from './run.ts';
import type { ClientState, World } from './world.ts';

/** What one thread does, as far as Redis and the demo tell. */
export type ThreadView = {
  readonly letter: string;
  readonly thread: string;
  /** `believes`: it goes on working, though Redis gave the lock away. */
  readonly doing: 'idle' | 'works' | 'believes' | 'asks' | 'asleep';
  readonly count: number | null;
  readonly mode: HolderState['mode'] | null;
  /** Its own timer: when it looks again by itself. */
  readonly wakesInMs: Millis | null;
  readonly watchdog: 'on' | 'off' | 'silent' | null;
  /** Until the watchdog's next refill; negative: overdue. */
  readonly refillInMs: Millis | null;
  /** The watchdog's beat: a third of the lease. */
  readonly refillEveryMs: Millis | null;
};

/** One client of the stage. */
export type ActorCard = {
  readonly client: string;
  readonly name: string;
  readonly state: ClientState;
  readonly threads: readonly ThreadView[];
  /** It has asked for the lock by now, or something was done to it. */
  readonly hasAppeared: boolean;
};

/** Every client of the cast at an instant of a world. */
export function actorsAt(run: StageRun, world: World, at: RedisTime): ActorCard[] {
  return run.cast.map(({ id, name, uuids }) => {
    const known = uuids.filter((uuid) => world.clients.has(uuid));
    const newest = [...world.clients.keys()].findLast((uuid) => known.includes(uuid));
    const state = newest === undefined ? 'running' : (world.clients.get(newest) ?? 'running');
    const present = [...(world.lock?.holders ?? []), ...(world.lock?.waiters ?? [])].map((person) => person.id);
    const seen = [...new Set([...world.seen.keys(), ...present])].filter((who) => uuids.includes(clientOf(who)));
    return {
      client: id,
      name,
      state,
      threads: threadsOf(run, world, at, id, seen),
      hasAppeared: seen.length > 0 || known.length > 0,
    };
  });
}

/** Thread 1 is always shown, others once they did something. A client that was started again is one client. */
function threadsOf(run: StageRun, world: World, at: RedisTime, client: string, seen: readonly string[]): ThreadView[] {
  const byThread = new Map<string, ThreadView>([['1', idle(client, '1')]]);
  for (const holder of seen) {
    const { thread } = actorOf(run, holder);
    const view = threadView(run, world, at, holder);
    const known = byThread.get(thread);
    if (!known || known.doing === 'idle') byThread.set(thread, view);
  }
  return [...byThread.values()].sort((a, b) => Number(a.thread) - Number(b.thread));
}

function idle(client: string, thread: string): ThreadView {
  const letter = thread === '1' ? client : `${client}${thread}`;
  return {
    letter,
    thread,
    doing: 'idle',
    count: null,
    mode: null,
    wakesInMs: null,
    watchdog: null,
    refillInMs: null,
    refillEveryMs: null,
  };
}

function threadView(run: StageRun, world: World, at: RedisTime, holder: string): ThreadView {
  const { client, thread } = actorOf(run, holder);
  const nothing = idle(client, thread);
  const hold = world.lock?.holders.find(({ id }) => id === holder);
  if (hold && world.lock) {
    return { ...nothing, doing: 'works', count: hold.holdCount, mode: hold.mode, ...watchdogOf(run, world, at, hold) };
  }
  if (world.clients.get(clientOf(holder)) === 'dead') return nothing;
  if (world.beliefs.some((belief) => belief.holder === holder)) return { ...nothing, doing: 'believes' };
  const wait = world.lock?.waiters.find(({ id, presumedGoneAt }) => id === holder && presumedGoneAt === null);
  if (!wait || (!wait.isConfirmed && !isFresh(world.lock, holder, at))) return nothing;
  const wakesInMs = wait.isAsleep && wait.deadline !== null ? Math.max(0, millisBetween(at, wait.deadline)) : null;
  return {
    ...nothing,
    doing: wait.isAsleep ? 'asleep' : 'asks',
    mode: wait.mode === 'latch' ? null : wait.mode,
    wakesInMs,
  };
}

/** A single refused try may be nobody waiting: it is shown as asking only for a moment. */
function isFresh(lock: LockState | undefined, holder: string, at: RedisTime): boolean {
  const since = lock?.waiters.find(({ id }) => id === holder)?.since;
  return since !== undefined && millisBetween(since, at) < 1000;
}

function watchdogOf(run: StageRun, world: World, at: RedisTime, hold: HolderState) {
  const leaseMs = world.lock?.leaseMs ?? null;
  if (leaseMs === null || hold.leaseSetAt === null) return {};
  if (!hasWatchdog(run, leaseMs)) return { watchdog: 'off' as const };
  const refillEveryMs = leaseMs / 3;
  const refillInMs = millisBetween(at, plusMillis(hold.leaseSetAt, refillEveryMs));
  const isSilent = world.stopped.has(clientOf(hold.id));
  return { watchdog: isSilent ? ('silent' as const) : ('on' as const), refillInMs, refillEveryMs };
}
