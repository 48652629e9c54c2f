import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { nodeOf, parseWatchUrl, type WatchUrl } from '../../shared/base/topology-url.ts';
import type { ObserveLevel, Source } from '../../shared/wire/source.ts';
import { openTopology } from '../redis/topology.ts';
import { createChronicle } from './chronicle.ts';
import { MovedHolds } from './moved-holds.ts';
import type { Observatory } from './observatory.ts';
import { placedAnswers } from './placed-locks.ts';
import type { OpenSink, RecordingSink } from './recording-sink.ts';
import { SourceHandle } from './source-handle.ts';
import { TopologySources } from './topology-sources.ts';
import type { Place } from './worker-messages.ts';

export type ObservatoryOptions = {
  readonly redisUrls: readonly string[];
  readonly level: ObserveLevel;
  readonly match: readonly string[];
  readonly configureNotifications: boolean;
  /** What recordings say they were made by. */
  readonly madeBy: string;
  readonly log?: { warn(message: string): void };
  /** Opens what a source's recording is written to; absent: nothing is written. */
  readonly openSink?: OpenSink;
};

/**
 * The part that watches: one worker per source, one order over all of them, one bounded history. A source is a server,
 * or a master that others tell of, wherever it is.
 *
 * Throws where a recording's file cannot be made.
 */
export function createObservatory(options: ObservatoryOptions): Observatory {
  const handles: SourceHandle[] = [];
  const chronicle = createChronicle(now);
  const { history } = chronicle;
  const urls = options.redisUrls.map(watchUrlOf);
  const topologies: TopologySources[] = [];
  const moved = new MovedHolds(chronicle.answers.locksNamed);
  const ending = new WeakSet<SourceHandle>();
  let ids = 0;
  let files = urls.length;
  const sinks = options.redisUrls.map((_, index) => options.openSink?.(index));

  function handleOf(id: string | undefined): SourceHandle | undefined {
    return id === undefined ? handles[0] : handles.find((handle) => handle.id === id);
  }

  function now(sourceId?: string): RedisTime {
    const offset = handleOf(sourceId)?.source.clockOffsetMs ?? 0;
    return redisTime((Date.now() + offset) * 1000);
  }

  function open(id: string, about: About, level: ObserveLevel, sink?: RecordingSink): SourceHandle {
    const { match, configureNotifications, madeBy } = options;
    const handle = new SourceHandle(
      { id, ...about, level, match, configureNotifications, madeBy, isRecorded: sink !== undefined },
      unknownSource(id, about, level),
      {
        onEvents(from, arrived) {
          const events = from.renumber(arrived, history.nextSeq());
          chronicle.add(about.topology === 'cluster' ? moved.amended(events) : events);
        },
        onPresence: (from, rows) => chronicle.setPresence(from.id, rows),
        onChanged: () => {
          for (const topology of topologies) topology.changed();
          chronicle.sourcesChanged();
        },
      },
      sink,
    );
    handles.push(handle);
    chronicle.sourcesChanged();
    return handle;
  }

  /** The source and its locks go at once: nobody sees one without the other. */
  async function close(handle: SourceHandle): Promise<void> {
    if (ending.has(handle)) return;
    ending.add(handle);
    await handle.stop();
    const place = handles.indexOf(handle);
    if (place === -1) return;
    handles.splice(place, 1);
    chronicle.forgetSource(handle.id);
  }

  /** The sink of a source that nobody knew of at the start; without one, when its file cannot be made. */
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

  /** `redis` for the only source there can be; a cluster may always get one more. */
  function nextId({ kind }: WatchUrl): string {
    return urls.length === 1 && kind !== 'cluster' ? 'redis' : `redis-${++ids}`;
  }

  return {
    ...placedAnswers(chronicle.answers, (id) => handles.find((handle) => handle.id === id)?.source),
    sources: () => handles.map((handle) => handle.source),
    history: Object.assign(history, {
      signals: async (seq: number) => {
        const source = history.get(seq)?.source;
        return source === undefined ? undefined : handleOf(source)?.linesOf(seq);
      },
    }),
    recording: async ({ source, from, to }) => handleOf(source)?.recording(from, to),
    async observe(sourceId, level, forMs) {
      const handle = handles.find((each) => each.id === sourceId);
      if (!handle) throw new Error(`no source ${sourceId}`);
      await handle.observe(level, forMs ?? null);
      return handle.source;
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
      chronicle.sourcesChanged();
    },
    async start() {
      // Those that are one source for sure come first: how many a cluster is, nobody knows yet.
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
      for (const topology of topologies) topology.stop();
      await Promise.all(handles.map((handle) => handle.stop()));
    },
  };
}

type About = { readonly shownUrl: string; readonly topology: WatchUrl['kind']; readonly place: Place | null };

/** The URL read, which whoever gave it has checked. */
function watchUrlOf(text: string): WatchUrl {
  const url = parseWatchUrl(text);
  if (!url.ok) throw new Error(url.error);
  return url.value;
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
    cannotSee: [],
    keyEvents: 'off',
    snapshotAt: null,
    drift: 0,
    rejected: 0,
    clockOffsetMs: 0,
  };
}
