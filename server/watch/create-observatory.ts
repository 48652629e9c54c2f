import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { nodeOf, parseWatchUrl, type WatchUrl } from '../../shared/base/topology-url.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { leadMs, type ObserveLevel, type Source } from '../../shared/wire/source.ts';
import { startTimer, wallMs } from '../redis/connection/surroundings.ts';
import { openTopology } from '../redis/topology/topology.ts';
import type { Observatory } from './observatory.ts';
import { KeptSettings } from './observer/kept-settings.ts';
import { OBSERVER_ENDED, SourceHandle } from './observer/source-handle.ts';
import type { OpenSink, RecordingSink } from './recording/recording-sink.ts';
import type { Place } from './source/worker-messages.ts';
import { EventStore } from './store/event-store.ts';
import { LookClock } from './store/look-clock.ts';
import { LookTimer } from './store/look-timer.ts';
import { DEFAULT_MEMORY, sharesOf } from './terms/memory-shares.ts';
import { MovedHolds } from './topology/moved-holds.ts';
import { placedAnswers } from './topology/placed-locks.ts';
import { TopologySources } from './topology/topology-sources.ts';

export type ObservatoryOptions = {
  readonly redisUrls: readonly string[];
  readonly level: ObserveLevel;
  /** The servers are private, as a demo's: MONITOR needs no budget. */
  readonly isPrivate?: boolean;
  readonly match: readonly string[];
  readonly configureNotifications: boolean;
  /** How much memory the whole process may take, in bytes. */
  readonly memory?: number;
  /** The program and version that recordings name as their maker. */
  readonly madeBy: string;
  readonly log?: { warn(message: string): void };
  /** Opens the file that a source's recording is written to; absent: nothing is written. */
  readonly openSink?: OpenSink;
};

/** Observers have this long to end before settings are restored. */
const OBSERVERS_FIRST_MS = 500;

/**
 * Creates the observatory: one worker per source, one order of events over all sources, one bounded history. A source is
 * a single server, or the current master of a group that Sentinels or a cluster report.
 *
 * Throws if a recording's file cannot be created.
 */
export function createObservatory(options: ObservatoryOptions): Observatory {
  const handles: SourceHandle[] = [];
  let memory = options.memory ?? DEFAULT_MEMORY;
  let rooms = sharesOf(memory, options.redisUrls.length);
  let shedAt: RedisTime | null = null;
  const store = new EventStore(now, rooms);
  const { history } = store;
  const urls = options.redisUrls.map(watchUrlOf);
  const topologies: TopologySources[] = [];
  const looks = new LookClock(store);
  const lookTimer = new LookTimer({
    clock: looks,
    store,
    now,
    lagMs: () => Math.max(0, ...handles.map(({ source }) => source.lagMs)),
    warn: (message) => options.log?.warn(message),
  });
  const moved = new MovedHolds(store.answers.locksNamed);
  const ending = new WeakSet<SourceHandle>();
  const settings = new KeptSettings({
    isWanted: options.configureNotifications,
    warn: (message) => {
      try {
        options.log?.warn(message);
      } catch {
        // The terminal is gone, so the message cannot be printed.
      }
    },
  });
  let ids = 0;
  let files = urls.length;
  const sinks = options.redisUrls.map((_, index) => options.openSink?.(index));

  function handleOf(id: string | undefined): SourceHandle | undefined {
    return id === undefined ? handles[0] : handles.find((handle) => handle.id === id);
  }

  function now(sourceId?: string): RedisTime {
    const handle = handleOf(sourceId);
    return redisTime((wallMs() + (handle ? leadMs(handle.source) : 0)) * 1000);
  }

  function sourcesChanged(): void {
    store.sourcesChanged(handles.map((handle) => handle.source));
  }

  function open(id: string, about: About, level: ObserveLevel, sink?: RecordingSink): SourceHandle {
    const { match, madeBy, isPrivate = false } = options;
    const handle = new SourceHandle(
      { id, ...about, level, hasBudget: !isPrivate, match, madeBy, isRecorded: sink !== undefined, memory: rooms },
      unknownSource(id, about, level),
      {
        onEvents(from, arrived) {
          for (const part of looks.parts(arrived)) {
            for (const stretch of store.withoutFacts(part)) {
              const events = from.renumber(stretch, history.nextSeq());
              store.add(about.topology === 'cluster' ? moved.amended(events) : events);
            }
          }
        },
        onEvicted: (from, locks) => store.forgetLocks(from.id, locks),
        onUnread: (from, locks) => store.setUnread(from.id, locks),
        onLost(from, blindFrom) {
          if (blindFrom !== undefined) store.add([blindSpot(from.id, blindFrom, history.nextSeq())]);
          store.forgetSource(from.id);
        },
        onServer: (server) => settings.prepare(server),
        onChanged: () => {
          for (const topology of topologies) topology.changed();
          sourcesChanged();
        },
      },
      sink,
    );
    handles.push(handle);
    if (handles.length > options.redisUrls.length) setRooms();
    sourcesChanged();
    return handle;
  }

  function setRooms(): void {
    rooms = sharesOf(memory, Math.max(handles.length, options.redisUrls.length));
    store.setRooms(rooms);
    for (const handle of handles) handle.setRooms(rooms);
  }

  /** Removes the source and its locks together, so that no reader sees one without the other. */
  async function close(handle: SourceHandle): Promise<void> {
    if (ending.has(handle)) return;
    ending.add(handle);
    await handle.stop();
    const place = handles.indexOf(handle);
    if (place === -1) return;
    handles.splice(place, 1);
    store.forgetSource(handle.id, true);
  }

  /** The sink of a source that was added after the start; `undefined` if its file cannot be created. */
  function lateSink(): RecordingSink | undefined {
    try {
      return options.openSink?.(files++);
    } catch (error) {
      options.log?.warn(`${error instanceof Error ? error.message : error} A shard is not recorded.`);
      return undefined;
    }
  }

  function follow(url: Exclude<WatchUrl, { kind: 'single' }>, sink: RecordingSink | undefined): void {
    const { kind: topology, displayUrl: shownUrl } = url;
    let own = [sink];
    const sources = new TopologySources(openTopology(url), {
      memory: () => memory,
      open: (place) => {
        const [at = lateSink()] = own;
        own = [];
        return open(nextId(url), { shownUrl, topology, place }, options.level, at);
      },
      close: (handle) => void close(handle),
    });
    topologies.push(sources);
    sources.start();
  }

  /** `redis` if there can be only one source, else `redis-1`, `redis-2`, … A cluster may get more sources at any time. */
  function nextId({ kind }: WatchUrl): string {
    return urls.length === 1 && kind !== 'cluster' ? 'redis' : `redis-${++ids}`;
  }

  return {
    ...placedAnswers(store.answers, (id) => handles.find((handle) => handle.id === id)?.source),
    serverOf: (id) => handles.find((handle) => handle.id === id)?.server,
    sources: () => handles.map((handle) => store.withSight(handle.source)),
    history: Object.assign(history, {
      signals: async (seq: number) => {
        const source = history.get(seq)?.source;
        return source === undefined ? undefined : handleOf(source)?.linesOf(seq);
      },
    }),
    recording: async ({ source, from, to }, signal) => handleOf(source)?.recording(from, to, signal),
    async observe(sourceId, wish) {
      const handle = handles.find((each) => each.id === sourceId);
      if (!handle) throw new Error(`no source ${sourceId}`);
      await handle.observe(wish);
      return handle.source;
    },
    async decideOwnLocks(sourceId, wish) {
      const handle = handles.find((each) => each.id === sourceId);
      if (!handle) throw new Error(`no source ${sourceId}`);
      await handle.decideOwnLocks(wish);
      return handle.source;
    },
    async note(sourceId, note) {
      const handle = handles.find((each) => each.id === sourceId);
      if (!handle) throw new Error(`no source ${sourceId}`);
      await handle.note(note);
    },
    watch({ id, url, level }) {
      const { kind, ...watched } = watchUrlOf(url);
      if (kind !== 'single' || !('server' in watched)) throw new Error(`${watched.displayUrl} is not one server`);
      const place: Place = { server: watched.server, replicas: [], slots: [] };
      const known = handles.find((handle) => handle.id === id && !ending.has(handle));
      if (known) known.moveTo(place, null);
      else open(id, { shownUrl: watched.displayUrl, topology: 'single', place }, level);
    },
    async unwatch(id) {
      const handle = handles.find((each) => each.id === id && !ending.has(each));
      if (handle) await close(handle);
    },
    noteEnded(id) {
      handleOf(id)?.noteEnded();
      sourcesChanged();
    },
    memory: () => ({ ...store.memory(), shedAt }),
    setMemory(limit) {
      if (limit < memory) shedAt = now();
      memory = limit;
      setRooms();
    },
    async start() {
      lookTimer.start();
      // Clusters come last: how many sources each of them becomes is not known yet.
      const inOrder = [...urls.entries()].sort(
        ([, a], [, b]) => Number(a.kind === 'cluster') - Number(b.kind === 'cluster'),
      );
      for (const [index, url] of inOrder) {
        if (url.kind !== 'single') {
          follow(url, sinks[index]);
          continue;
        }
        const place = { server: url.server, replicas: [], slots: [] };
        const about: About = { shownUrl: url.displayUrl, topology: 'single', place };
        open(nextId(url), about, options.level, sinks[index]);
      }
    },
    async stop() {
      lookTimer.stop();
      for (const topology of topologies) topology.stop();
      const stopped = Promise.all(handles.map((handle) => handle.stop()));
      // Observers that hang must not delay this: settings are restored within the 3 s that a shutdown takes.
      await Promise.race([stopped, new Promise<void>((resolve) => startTimer(resolve, OBSERVERS_FIRST_MS).unref())]);
      await settings.putBack();
      await stopped;
    },
  };
}

type About = { readonly shownUrl: string; readonly topology: WatchUrl['kind']; readonly place: Place | null };

/** Parses a URL that the caller has checked. Throws if it cannot be parsed. */
function watchUrlOf(text: string): WatchUrl {
  const url = parseWatchUrl(text);
  if (!url.ok) throw new Error(url.error);
  return url.value;
}

/** The event for an observer that ended at `at`: from then on, nothing is known about the locks of its source. */
function blindSpot(source: string, at: RedisTime, seq: number): LockEvent {
  const about = { seq, at, source, db: 0, lock: '', kind: 'lock', certainty: 'observed' } as const;
  return { ...about, type: 'blind-spot.began', reason: OBSERVER_ENDED };
}

function unknownSource(id: string, { shownUrl, topology, place }: About, level: ObserveLevel): Source {
  return {
    id,
    url: shownUrl,
    topology,
    ...(place === null || place.server.path !== null ? {} : { node: nodeOf(place.server) }),
    redisVersion: '',
    role: 'master',
    status: 'connecting',
    level,
    lagMs: 0,
    linesPerSecond: 0,
    guard: { state: 'ok' },
    unseen: [],
    cannotSee: [],
    keyEvents: 'off',
    snapshotAt: null,
    drift: 0,
    rejected: 0,
    clockOffsetMs: 0,
  };
}
