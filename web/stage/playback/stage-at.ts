import { type Millis, millisBetween, type RedisTime } from '../../../shared/base/time.ts';
import type { LockKind } from '../../../shared/events/types/lock-kind.ts';
import { circleAmong, type WaitStep } from '../../../shared/insights/wait-circles.ts';
import type { HolderState, LockState } from '../../../shared/state/lock-state.ts';
import type { Beat, Emphasis, Storyboard } from '../beats/beats-from-events.ts';
import type { MoveLabel } from '../beats/moves-of.ts';
import type { Caption } from '../captions/caption.ts';
import { newestGroup, type StageGroup } from '../script/groups.ts';
import { FREE } from '../script/local-lock.ts';
import { type NodeView, nodesAt, serverNow } from '../script/nodes.ts';
import { actorOf, keyOfLock, lockOfEvent, type StageLock, type StageRun } from '../script/run.ts';
import type { Tally } from '../script/tally.ts';
import { EMPTY_WORLD, type World } from '../script/world.ts';
import { type ActorCard, actorsAt, watchdogOf } from './actors-at.ts';
import { animatedMs, beatIndex, landedCount, type Position } from './position.ts';

/** The content of the card of one lock in Redis. */
export type RedisCard = {
  /** The key of the lock. */
  readonly key: string;
  readonly name: string;
  /** The private server it is on; null: the demo's own Redis. */
  readonly server: string | null;
  /** Its server was killed, so its state is not known. */
  readonly isDown: boolean;
  /** Lockscope did not see what happened to it, so its state is not known. */
  readonly isUnseen: boolean;
  readonly lock: LockState | undefined;
  /**
   * The kind of the lock. It is known before its first event is shown, so that the card does not change its form.
   * Undefined: the run has no event of the lock yet.
   */
  readonly kind: LockKind | undefined;
  readonly holders: readonly {
    readonly letter: string;
    readonly holder: string;
    readonly count: number | null;
    readonly mode: HolderState['mode'];
  }[];
  readonly leaseMs: Millis | null;
  /** Null: no lease runs. */
  readonly leftMs: Millis | null;
  /** The lease runs and every holder's client is stopped, so no client renews it. */
  readonly isUnrenewed: boolean;
  readonly listeners: number;
};

/** A lock in a client's memory, as the client reports it. */
export type LocalCard = {
  readonly client: string;
  readonly name: string;
  /** The thread that acquired it; null: free. */
  readonly takenBy: number | null;
  /** How long a thread has waited; null: no thread waits. */
  readonly waitsMs: Millis | null;
  /** True if the waiting thread is also the thread that acquired it. */
  readonly isOwn: boolean;
};

/** The envelope on its way; there is at most one. */
type Envelope = {
  readonly client: string;
  /** The lock it is about, by its key. */
  readonly lock: string;
  readonly way: 'to-redis' | 'from-redis';
  readonly label: MoveLabel;
  /** From 0 at the start of its way to 1 at the end. */
  readonly progress: number;
};

export type StagePicture = {
  readonly at: RedisTime;
  /** How many moments of the storyboard have landed: cards, caption and lanes show these. */
  readonly landed: number;
  readonly beat: Beat | null;
  readonly actors: readonly ActorCard[];
  /** One card for each lock of the stage, in the order of the locks. */
  readonly locks: readonly RedisCard[];
  readonly envelope: Envelope | null;
  readonly caption: Caption | null;
  /** What the beat highlights, and on which client and lock; null until the beat has landed. */
  readonly highlight: {
    readonly emphasis: Emphasis;
    readonly client: string | null;
    readonly lock: string | null;
  } | null;
  /** The missing renewal, until the lease changes or ends. */
  readonly overdue: { readonly letter: string; readonly dueAt: RedisTime } | null;
  /** Locks in the memory of clients. */
  readonly locals: readonly LocalCard[];
  /** Replicated servers; empty if there is no replication to show. */
  readonly nodes: readonly NodeView[];
  /** The multi lock or RedLock with the newest event. */
  readonly group: StageGroup | null;
  /** Threads that wait for each other in a circle. */
  readonly circle: readonly WaitStep[] | null;
  /** Counts for the releases since a crowd of waiters slept; null: no crowd so far. */
  readonly tally: Tally | null;
  /** How long the time lens has been open, in screen ms; null while it is closed. */
  readonly lensMs: Millis | null;
};

/** The whole picture at a position. No clock, no randomness: the same position gives the same picture. */
export function stageAt(storyboard: Storyboard, position: Position): StagePicture {
  const index = beatIndex(storyboard, position);
  const beat = storyboard.beats[index] ?? null;
  const landed = landedCount(storyboard, position);
  const world = storyboard.reported[landed - 1]?.after ?? EMPTY_WORLD;
  const lensMs = beat?.lens && animatedMs(beat, position) < beat.animation.holdMs ? position.heldMs : null;
  return {
    at: position.at,
    landed,
    beat,
    actors: actorsAt(storyboard.run, world, position.at),
    locks: storyboard.run.locks.map((lock) => redisCardAt(storyboard.run, world, position.at, lock)),
    envelope: envelopeAt(storyboard, index, position),
    caption: captionAt(storyboard, index, position),
    highlight:
      beat && landed > beat.moment
        ? { emphasis: beat.emphasis, client: clientOfBeat(storyboard, beat), lock: lockOfBeat(storyboard, beat) }
        : null,
    overdue: world.overdue && {
      letter: actorOf(storyboard.run, world.overdue.holder).letter,
      dueAt: world.overdue.at,
    },
    locals: localsAt(storyboard.run, world, position.at),
    nodes: nodesAt(storyboard.run, world),
    group: newestGroup(world.groups),
    circle: circleAt(storyboard.run, world),
    tally: world.tally,
    lensMs,
  };
}

function redisCardAt(run: StageRun, world: World, at: RedisTime, on: StageLock): RedisCard {
  const key = keyOfLock(on);
  const server = serverNow(run, world, on);
  const lock = world.locks.get(key);
  const isUnseen = world.unseen.has(key);
  const holders = (isUnseen ? [] : (lock?.holders ?? [])).map(({ id, client, holdCount, mode }) => ({
    letter: actorOf(run, client ?? id).letter,
    holder: id,
    count: holdCount,
    mode,
  }));
  const isHeld = holders.length > 0;
  const expiresAt = isHeld ? (lock?.expiresAt ?? null) : null;
  return {
    key,
    name: on.name,
    isDown: server !== null && world.servers.get(server) === 'killed',
    isUnseen,
    server,
    lock,
    kind: lock?.kind ?? run.events.find((event) => lockOfEvent(run, event) === key)?.kind,
    holders,
    leaseMs: isHeld ? (lock?.leaseMs ?? null) : null,
    leftMs: expiresAt === null ? null : Math.max(0, millisBetween(at, expiresAt)),
    isUnrenewed:
      isHeld && !!lock?.holders.every((hold) => watchdogOf(run, world, at, lock, hold).watchdog === 'silent'),
    listeners: lock?.subscribers ?? 0,
  };
}

function localsAt(run: StageRun, world: World, at: RedisTime): LocalCard[] {
  return run.localLocks.map(({ client, name }) => {
    const { takenBy, waiting } = world.locals.get(name) ?? FREE;
    const isOwn = waiting !== null && waiting.thread === takenBy;
    return { client, name, takenBy, isOwn, waitsMs: waiting && Math.max(0, millisBetween(waiting.since, at)) };
  });
}

/** The circle, beginning with the thread that the stage names first. */
function circleAt(run: StageRun, world: World): readonly WaitStep[] | null {
  const circle = circleAmong(world.locks);
  if (!circle) return null;
  const letters = circle.map(({ holder }) => actorOf(run, holder).letter);
  const first = letters.indexOf([...letters].sort()[0] ?? '');
  return [...circle.slice(first), ...circle.slice(0, first)];
}

/** An envelope is shown only after this time on its way. */
const STARTED_MS = 0.5;

/** The envelope that left last; null if none is on its way. */
function envelopeAt(storyboard: Storyboard, index: number, position: Position): Envelope | null {
  const current = storyboard.beats[index];
  const isHolding = current !== undefined && position.heldMs < current.animation.holdMs;
  for (const beat of [isHolding ? undefined : storyboard.beats[index + 1], current]) {
    if (!beat) continue;
    const ms = animatedMs(beat, position);
    const move = beat.animation.moves.findLast(({ startMs, endMs }) => startMs + STARTED_MS < ms && ms < endMs);
    if (!move) continue;
    const { client } = actorOf(storyboard.run, move.holder);
    const progress = (ms - move.startMs) / (move.endMs - move.startMs);
    const lock = lockOfBeat(storyboard, beat) ?? '';
    return { client, lock, way: move.way, label: move.label, progress };
  }
  return null;
}

/** A caption stays until the next one. It appears when its event has landed. */
function captionAt(storyboard: Storyboard, index: number, position: Position): Caption | null {
  for (let i = index; i >= 0; i--) {
    const beat = storyboard.beats[i];
    if (!beat?.caption) continue;
    const isDue = i < index || animatedMs(beat, position) >= beat.animation.landMs;
    if (isDue) return beat.caption;
  }
  return null;
}

function clientOfBeat(storyboard: Storyboard, beat: Beat): string | null {
  const moment = storyboard.reported[beat.moment]?.moment;
  if (!moment) return null;
  if (moment.kind === 'fault') return moment.fault.client;
  if (moment.kind === 'server') return null;
  if (moment.kind === 'client-report') return moment.report.client;
  if (moment.kind === 'overdue') return actorOf(storyboard.run, moment.holder).client;
  const { event } = moment;
  if (!('holder' in event) || event.holder === undefined) return null;
  const taker = storyboard.reported[beat.moment]?.before.takers.get(event.holder);
  return actorOf(storyboard.run, taker ?? event.holder).client;
}

/** The key of a beat's lock; null unless the beat is an event of a lock or a fault of a server. */
function lockOfBeat(storyboard: Storyboard, beat: Beat): string | null {
  const moment = storyboard.reported[beat.moment]?.moment;
  if (moment?.kind === 'server') {
    const lock = storyboard.run.locks.find(({ source }) => source === moment.fault.source);
    return lock ? keyOfLock(lock) : null;
  }
  return moment?.kind === 'event' ? lockOfEvent(storyboard.run, moment.event) : null;
}
