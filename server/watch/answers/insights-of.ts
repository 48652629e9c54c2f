import { plusMillis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { ClientDumps } from '../../../shared/dumps/client-dump.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { sightOf } from '../../../shared/insights/client-sight.ts';
import type { Detector, DroppedEvents } from '../../../shared/insights/detector.ts';
import { DETECTORS, DETECTORS_OF_DUMPS, DETECTORS_OF_ONE } from '../../../shared/insights/detectors/all.ts';
import type { CannotTell, Insight, Report } from '../../../shared/insights/insight.ts';
import { lockIdsIn } from '../../../shared/insights/lock-ids-in.ts';
import type { PassInput } from '../../../shared/insights/pass/pass-input.ts';
import { isWantedEvent, type RunInput, runDetectors, wantedEvents } from '../../../shared/insights/run.ts';
import { type WaitGraph, waitGraph } from '../../../shared/insights/wait-graph.ts';
import type { ClientStates } from '../../../shared/state/client-states.ts';
import {
  dbInId,
  idOf,
  isFree,
  type LockState,
  lockIdOf,
  nameInId,
  sourceInId,
} from '../../../shared/state/lock-state.ts';
import { hasLastingNote } from '../../../shared/state/notes/lock-notes.ts';
import type { ServerStates } from '../../../shared/state/server-states.ts';
import type { World } from '../../../shared/state/world.ts';
import { presenceIn } from '../../../shared/wire/locks/lock-view.ts';
import type { EventBlock } from '../history/event-block.ts';
import { lookBack } from '../history/look-back.ts';
import { LookChanges } from '../history/look-changes.ts';
import type { Remembered } from '../history/remembered.ts';
import { WantedEvents } from '../history/wanted-events.ts';
import type { WatchLog } from '../history/watch-log.ts';
import type { Sliced } from '../slices/in-slices.ts';
import type { GraphQuery, InsightQuery } from '../terms/queries.ts';
import { pastLocks } from './lock-page.ts';

const NO_DUMPS: ClientDumps = new Map();
/** The greatest age of an event that detectors get. */
const WITHIN_MS = wantedEvents(DETECTORS).withinMs;

/** What an answer about insights is made of. */
export type InsightMemory = {
  readonly memory: Remembered;
  readonly clientStates: ClientStates;
  readonly serverStates: ServerStates;
  readonly watchLog: WatchLog;
  readonly world: World;
  readonly wanted: WantedEvents;
  now(source?: string): RedisTime;
};

/** Runs the detectors now or as of an instant: over all locks, or over those with the requested name. */
export function* insightsOf(of: InsightMemory, query: InsightQuery): Sliced<Report> {
  const { at = of.now() } = query;
  const isNow = query.at === undefined;
  const { events, dropped, from } = isNow ? eventsNow(of.wanted, at) : yield* wantedEventsAt(of.memory, at);
  const { at: past, lock: name } = query;
  const locks = past === undefined ? locksNow(of.world, events, name) : yield* locksAt(of, past, events, name);
  const { clientStates, serverStates, watchLog } = of;
  const input: RunInput = {
    at,
    isPast: !isNow,
    now: (source) => query.at ?? of.now(source),
    locks,
    events,
    dropped,
    sources: watchLog.sights(query.at),
    clientOf: (source, client) => sightOf(clientStates.find(source, client, query.at)),
    serverOf: (source) => serverStates.find(source, query.at),
    isWanted: (insight) => isWanted(insight, query),
    ...(query.dumps ? { dumps: query.dumps } : {}),
  };
  const detectors = name === undefined ? DETECTORS : DETECTORS_OF_ONE;
  const hasDumps = query.dumps !== undefined && query.dumps.size > 0;
  const report = yield* runDetectors(input, hasDumps ? [...detectors, ...DETECTORS_OF_DUMPS] : detectors);
  if (from === undefined) return report;
  const isCut = (source: string) => watchLog.wasWatchedBefore(source, from);
  return { ...report, cannotTell: [...report.cannotTell, ...notRead(input, from, detectors, isCut)] };
}

/** The present state, as input of `DetectorPass`. Between two passes, `world` may be replaced. */
export function presentInput(of: InsightMemory & { readonly world: World }, at: RedisTime): PassInput {
  const { clientStates, serverStates, watchLog, wanted, world } = of;
  return {
    at,
    now: (source) => of.now(source),
    sources: watchLog.sights(),
    lockOf(id) {
      const lock = world.get(id);
      return lock && (!isFree(lock) || isNotable(lock) || wanted.of(id, at).length > 0) ? lock : undefined;
    },
    eventsWithinMs: WITHIN_MS,
    eventsOf: (id) => wanted.of(id, at),
    dropped: wanted.dropped,
    lockEventsOf: (source) => wanted.ofLocks(source, at),
    clientOf: (source, client) => sightOf(clientStates.find(source, client)),
    serverOf: (source) => serverStates.find(source),
    dumps: NO_DUMPS,
  };
}

/** The graph of waiting threads, now or as of an instant. */
export function* graphOf(of: InsightMemory, { at, dumps }: GraphQuery): Sliced<WaitGraph> {
  const { clientStates, watchLog, world } = of;
  return yield* waitGraph({
    at: at ?? of.now(),
    locks: at === undefined ? [...world.busy()] : yield* locksAt(of, at, []),
    sources: watchLog.sights(at),
    clientOf: (source, client) => sightOf(clientStates.find(source, client, at)),
    ...(dumps ? { dumps } : {}),
  });
}

/** `from`: events before this instant are not read. Absent: all events are read. */
type Wanted = {
  readonly events: readonly LockEvent[];
  readonly dropped: DroppedEvents | undefined;
  readonly from?: RedisTime;
};

function eventsNow(wanted: WantedEvents, at: RedisTime): Wanted {
  return { events: wanted.now(at), dropped: wanted.dropped };
}

/** The events that detectors need at a past instant, oldest first: those that `WantedEvents` would have kept. */
export function* wantedEventsAt(memory: Remembered, at: RedisTime): Sliced<Wanted> {
  const wants = wantedEvents(DETECTORS);
  const since = plusMillis(at, -wants.withinMs);
  const look = lookBack(memory, at, since);
  const earlier = look.isFromBegin && look.from > since ? memory.earlier : undefined;
  const newest = earlier ? [...earlier.blocks, ...look.newest] : look.newest;
  const from = earlier ? redisTime(Math.max(since, Math.min(look.from, earlier.from))) : look.from;
  const isBegin = look.isFromBegin && (newest[0]?.firstSeq ?? memory.nextSeq) === 1; // watching began then
  const isCut = from > since && !isBegin;
  const range = { from: isCut ? from : since, to: at, nextSeq: memory.nextSeq };
  const locks = new Set<string>();
  const hasType = (block: EventBlock) => wants.types.some((type) => block.hasType(type));
  yield* readEach(newest.filter(hasType), range, (event) => {
    if (isWantedEvent(wants, event)) locks.add(lockIdOf(event));
  });
  const names = [...new Set([...locks].map(nameInId))];
  const mayConcern = (block: EventBlock) => hasType(block) || names.some((name) => block.mayHaveLock(name));
  const kept = new WantedEvents(wants, new LookChanges());
  yield* readEach(locks.size === 0 ? [] : newest.filter(mayConcern), range, (event) => {
    if (locks.has(lockIdOf(event))) kept.take(event);
  });
  const dropped = isCut ? { since, to: redisTime(Math.max(from, kept.dropped?.to ?? 0)) } : kept.dropped;
  return { events: kept.now(at), dropped, ...(isCut ? { from } : {}) };
}

type EventRange = { readonly from: RedisTime; readonly to: RedisTime; readonly nextSeq: number };

function* readEach(
  blocks: readonly EventBlock[],
  { from, to, nextSeq }: EventRange,
  take: (event: LockEvent) => void,
): Sliced<void> {
  for (const block of blocks) {
    for (const event of block.events()) if (event.seq < nextSeq && event.at >= from && event.at <= to) take(event);
    yield;
  }
}

/**
 * What cannot be known at a past instant because a detector needs events before `from`, which are not read. `isCut`:
 * whether a source may have such events.
 */
function notRead(
  { at, sources }: Pick<RunInput, 'at' | 'sources'>,
  from: RedisTime,
  detectors: readonly Detector[],
  isCut: (source: string) => boolean,
) {
  const cut = detectors.filter(({ wants }) => wants !== undefined && plusMillis(at, -wants.withinMs) < from);
  return [...sources].flatMap(([source, sight]) =>
    sight === undefined || !isCut(source)
      ? []
      : cut.flatMap((detector): CannotTell[] =>
          detector.levels.includes(sight.level)
            ? [{ incident: detector.incident, effect: detector.effect, source, reason: 'memory', locks: 0 }]
            : [],
        ),
  );
}

/** Locks that are held or waited for, and those free locks about which there may be something to report. */
function locksNow(world: World, events: readonly LockEvent[], asked?: string): LockState[] {
  return [...world.busy(), ...freeLocksToExamine(world.free(), events, asked)];
}

function* locksAt(of: InsightMemory, at: RedisTime, events: readonly LockEvent[], asked?: string): Sliced<LockState[]> {
  const present = [...of.world.busy(), ...of.world.free()];
  const presenceOf = presenceIn(of.clientStates, at);
  const { busy, free } = yield* pastLocks(of.memory, at, {
    ...{ present, presenceOf },
    ...{ gapsOf: () => [], silentSince: () => undefined }, // only views of locks show these
  });
  return [...busy, ...freeLocksToExamine(free, events, asked)];
}

/** Free locks with one of the events, with a note that outlives its holders, or with the requested name. */
function freeLocksToExamine(free: Iterable<LockState>, events: readonly LockEvent[], asked?: string): LockState[] {
  const wanted = new Set(events.map(lockIdOf));
  const found: LockState[] = [];
  for (const lock of free) {
    if (isNotable(lock) || lock.name === asked || wanted.has(idOf(lock))) found.push(lock);
  }
  return found;
}

/** Whether a free lock has a note that outlives its holders. */
function isNotable(lock: LockState): boolean {
  const { raised, beyond, freed } = lock;
  return Boolean(raised || beyond || freed?.listened) || hasLastingNote(lock);
}

/** Whether a query asks for this insight. Of a circle, one lock has to match: it may be in another source. */
export function isWanted(insight: Insight, { open, lock, source, db }: InsightQuery): boolean {
  if (open !== undefined && (insight.to === null) !== open) return false;
  const isHere = (of: { source: string; db: number | null }) =>
    (source === undefined || of.source === source) && (db === undefined || of.db === db);
  const ids = lockIdsIn(insight);
  if (ids.length === 0) return lock === undefined && isHere(insight);
  return ids.some(
    (id) => (lock === undefined || nameInId(id) === lock) && isHere({ source: sourceInId(id), db: dbInId(id) }),
  );
}
