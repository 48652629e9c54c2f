import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { ObserveLevel, Source } from '../../shared/wire/source.ts';
import { createChronicle } from './chronicle.ts';
import type { Observatory } from './observatory.ts';
import type { OpenSink, RecordingSink } from './recording-sink.ts';
import { SourceHandle } from './source-handle.ts';

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
 * The part that watches: one worker per source, one order over all of them, one bounded history.
 *
 * Throws where a recording's file cannot be made.
 */
export function createObservatory(options: ObservatoryOptions): Observatory {
  const handles: SourceHandle[] = [];
  const chronicle = createChronicle(now);
  const { history } = chronicle;
  const sinks = options.redisUrls.map((_, index) => options.openSink?.(index));

  function handleOf(id: string | undefined): SourceHandle | undefined {
    return id === undefined ? handles[0] : handles.find((handle) => handle.id === id);
  }

  function now(sourceId?: string): RedisTime {
    const offset = handleOf(sourceId)?.source.clockOffsetMs ?? 0;
    return redisTime((Date.now() + offset) * 1000);
  }

  function open(id: string, url: string, level: ObserveLevel, sink?: RecordingSink): void {
    const { match, configureNotifications, madeBy } = options;
    const handle = new SourceHandle(
      { id, url, level, match, configureNotifications, madeBy, isRecorded: sink !== undefined },
      unknownSource(id, url, level),
      {
        onEvents: (from, arrived) => chronicle.add(from.renumber(arrived, history.nextSeq())),
        onPresence: (from, rows) => chronicle.setPresence(from.id, rows),
        onChanged: () => chronicle.sourcesChanged(),
      },
      sink,
    );
    handles.push(handle);
    chronicle.sourcesChanged();
  }

  return {
    ...chronicle.answers,
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
    watch: ({ id, url, level }) => open(id, url, level),
    async unwatch(id) {
      const handle = handles.find((each) => each.id === id);
      if (!handle) return;
      handles.splice(handles.indexOf(handle), 1);
      await handle.stop();
      chronicle.forgetSource(id);
    },
    async start() {
      for (const [index, url] of options.redisUrls.entries()) {
        const id = options.redisUrls.length === 1 ? 'redis' : `redis-${index + 1}`;
        open(id, url, options.level, sinks[index]);
      }
    },
    async stop() {
      await Promise.all(handles.map((handle) => handle.stop()));
    },
  };
}

function unknownSource(id: string, url: string, level: ObserveLevel): Source {
  const parsed = parseRedisUrl(url);
  return {
    id,
    url: parsed.ok ? parsed.value.displayUrl : '',
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
