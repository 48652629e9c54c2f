import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { lockIdOf } from '../../shared/state/lock-state.ts';
import { reduceLock } from '../../shared/state/reduce.ts';
import { World } from '../../shared/state/world.ts';
import type { Lock } from '../../shared/wire/lock.ts';
import { lockView, type PresenceOf, UNKNOWN_PRESENCE } from '../../shared/wire/lock-view.ts';
import type { ObserveLevel, Source } from '../../shared/wire/source.ts';
import { HistoryRing } from './history-ring.ts';
import { detailOf } from './lock-detail.ts';
import type { Observatory, ObservedBatch } from './observatory.ts';
import { SourceHandle } from './source-handle.ts';
import { spansOf } from './spans-of.ts';

export type ObservatoryOptions = {
  readonly redisUrls: readonly string[];
  readonly level: ObserveLevel;
  readonly match: readonly string[];
  readonly configureNotifications: boolean;
  readonly log?: { warn(message: string): void };
};

/** Names told to a page; clients that come and go all day would add up. */
const MOST_NAMES = 2000;
/** Clients remembered with their presence. */
const MOST_CLIENTS = 20_000;

type Client = { name: string | null; presence: 'connected' | 'idle' | 'gone' };

/** The part that watches: one worker per source, one order over all of them, one bounded history. */
export function createObservatory(options: ObservatoryOptions): Observatory {
  const handles: SourceHandle[] = [];
  const history = new HistoryRing();
  const world = new World();
  const presence = new Map<string, Client>();
  const listeners = new Set<(batch: ObservedBatch) => void>();

  const presenceOf: PresenceOf = (source, client) =>
    presence.get(`${source}/${client}`) ?? { name: null, presence: 'unknown' };

  function handleOf(id: string | undefined): SourceHandle | undefined {
    return id === undefined ? handles[0] : handles.find((handle) => handle.id === id);
  }

  function now(sourceId?: string): RedisTime {
    const offset = handleOf(sourceId)?.source.clockOffsetMs ?? 0;
    return redisTime((Date.now() + offset) * 1000);
  }

  function tell(batch: Partial<ObservedBatch>): void {
    const last = history.nextSeq() - 1;
    const whole = {
      fromSeq: last + 1,
      toSeq: last,
      events: [],
      changed: [],
      gone: [],
      sourcesChanged: false,
      ...batch,
    };
    for (const listener of listeners) listener(whole);
  }

  function onEvents(handle: SourceHandle, arrived: readonly LockEvent[]): void {
    const fromSeq = history.nextSeq();
    const events = handle.renumber(arrived, fromSeq);
    const changed = new Set<string>();
    const gone = new Set<string>();
    for (const event of events) {
      history.add(event);
      const effect = world.apply(event);
      if (effect.changed !== undefined) changed.add(effect.changed);
      if (effect.forgotten !== undefined) gone.add(effect.forgotten);
    }
    tell({ fromSeq, toSeq: history.nextSeq() - 1, events, changed: [...changed], gone: [...gone] });
  }

  function view(id: string): Lock | undefined {
    const lock = world.get(id);
    return lock ? lockView(lock, now(lock.source), presenceOf) : undefined;
  }

  function all(): Lock[] {
    const found: Lock[] = [];
    for (const [, lock] of world.entries()) found.push(lockView(lock, now(lock.source), presenceOf));
    return found.sort(byUrgency);
  }

  return {
    sources: () => handles.map((handle) => handle.source),
    now,
    locks: all,
    locksNamed(name, where) {
      const found: Lock[] = [];
      for (const [id, lock] of world.entries()) {
        if (lock.name !== name) continue;
        if (where?.source !== undefined && where.source !== lock.source) continue;
        if (where?.db !== undefined && where.db !== lock.db) continue;
        const seen = view(id);
        if (seen) found.push(seen);
      }
      return found;
    },
    lockById: view,
    lockAt(id, at) {
      // From the beginning of what is kept: earlier history would be needed for what began before it.
      const oldest = history.all().next().value;
      if (!oldest || (history.isCapped() && at < oldest.at)) return undefined;
      let lock: ReturnType<typeof world.get>;
      for (const event of history.all()) {
        // No early end: an expiry that was concluded stands behind later events, dated back to the lease's end.
        if (event.at <= at && lockIdOf(event) === id) lock = reduceLock(lock, event);
      }
      return lock ? lockView(lock, at, UNKNOWN_PRESENCE) : undefined;
    },
    clientNames() {
      const newest = [...presence].slice(-MOST_NAMES);
      const named = newest.flatMap(([key, { name }]) =>
        name === null ? [] : [[key.slice(key.indexOf('/') + 1), name]],
      );
      return Object.fromEntries(named);
    },
    detail: (lock) => detailOf(lock, world.get(lock.id), history),
    spans: (query) => spansOf(history, query),
    history: Object.assign(history, {
      signals: async (seq: number) => {
        const source = history.get(seq)?.source;
        return source === undefined ? undefined : handleOf(source)?.linesOf(seq);
      },
    }),
    async observe(sourceId, level, forMs) {
      const handle = handles.find((each) => each.id === sourceId);
      if (!handle) throw new Error(`no source ${sourceId}`);
      await handle.observe(level, forMs ?? null);
      return handle.source;
    },
    onBatch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async start() {
      for (const [index, url] of options.redisUrls.entries()) {
        const id = options.redisUrls.length === 1 ? 'redis' : `redis-${index + 1}`;
        const { level, match, configureNotifications } = options;
        const handle = new SourceHandle(
          { id, url, level, match, configureNotifications },
          unknownSource(id, url, level),
          {
            onEvents,
            onPresence: (from, rows) => {
              const news = rows.filter((row) => !isSame(presence.get(`${from.id}/${row.client}`), row));
              for (const { client, name, presence: how } of news)
                presence.set(`${from.id}/${client}`, { name, presence: how });
              for (const key of presence.keys()) {
                if (presence.size <= MOST_CLIENTS) break;
                presence.delete(key);
              }
              if (news.length > 0) tell({ changed: locksOf(world, new Set(news.map((row) => row.client))) });
            },
            onChanged: () => tell({ sourcesChanged: true }),
          },
        );
        handles.push(handle);
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

/** Held first, then the most wanted, then by name. */
function byUrgency(a: Lock, b: Lock): number {
  if (a.held !== b.held) return a.held ? -1 : 1;
  return b.waiters.length - a.waiters.length || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

function isSame(known: Client | undefined, row: Client): boolean {
  return known?.name === row.name && known.presence === row.presence;
}

/** Locks that one of these clients holds or waits for. */
function locksOf(world: World, clients: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (const [id, lock] of world.entries()) {
    if ([...lock.holders, ...lock.waiters].some((who) => clients.has(who.id.slice(0, 36)))) found.push(id);
  }
  return found;
}
