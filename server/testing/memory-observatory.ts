import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import type { Source } from '../../shared/wire/source.ts';
import { WATCHED_SOURCE } from '../../testing/stories/watched-source.ts';
import type { Observatory } from '../watch/observatory.ts';
import { ObserveRefusal } from '../watch/observer/observe-refusal.ts';
import { EventStore } from '../watch/store/event-store.ts';
import { sharesOf } from '../watch/terms/memory-shares.ts';

/** An event without what the observatory adds: its seq, time, kind and certainty, and its place unless it is given. */
export type NewEvent = LockEvent extends infer E
  ? E extends LockEvent
    ? Omit<E, 'seq' | 'at' | 'source' | 'db' | 'kind' | 'certainty'> & Partial<Pick<E, 'source' | 'db'>>
    : never
  : never;

/** For tests of `http` and `socket`: the real memory of events, which come from the test instead of a Redis. */
export type MemoryObservatory = Observatory & {
  /** Adds events, one millisecond apart, and returns them as they are in memory. */
  record(...events: readonly NewEvent[]): readonly LockEvent[];
  /** Reports a change of a lock without an event: its key is too large to be read. */
  touch(lockId: string): void;
  forget(lockId: string): void;
  setSource(change: Partial<Source>): void;
  listeners(): number;
};

const BEGIN = 1_760_000_000_000_000;

/** `historyBytes`: the memory for events; absent: as without `--memory`. */
export function makeMemoryObservatory({ historyBytes }: { historyBytes?: number } = {}): MemoryObservatory {
  let source = WATCHED_SOURCE;
  let at = redisTime(BEGIN);
  let listeners = 0;
  const rooms = sharesOf();
  const store = new EventStore(() => at, historyBytes === undefined ? rooms : { ...rooms, historyBytes });
  const { answers, history } = store;

  function placeOf(id: string) {
    const lock = answers.lockById(id);
    if (!lock) throw new Error(`no lock ${id}`);
    return { source: lock.source, db: lock.db, lock: lock.name };
  }

  function numbered(event: NewEvent, seq: number): LockEvent {
    at = redisTime(BEGIN + seq * 1000);
    const place = { source: event.source ?? source.id, db: event.db ?? 0 };
    return { kind: 'lock', certainty: 'observed', ...event, ...place, seq, at } as LockEvent; // NewEvent lacks only these
  }

  return {
    ...answers,
    history: Object.assign(history, {
      signals: async (seq: number) => (history.get(seq) ? [`line of ${seq}`] : undefined),
    }),
    onBatch(listener) {
      const stop = answers.onBatch(listener);
      listeners += 1;
      return () => {
        listeners -= 1;
        stop();
      };
    },
    sources: () => [source],
    recording: async () => undefined,
    memory: () => ({ ...store.memory(), shedAt: null }),
    decideOwnLocks: async (_id, wish) => {
      const isShown = 'shown' in wish && wish.shown;
      source = { ...source, ownLocks: { count: 0, isMore: false, names: [], isShown } };
      return source;
    },
    observe: async (_id, { level }) => {
      if (level === 'monitor') throw new ObserveRefusal(problem('monitor-refused', { user: 'app' }));
      source = { ...source, level };
      return source;
    },
    start: async () => {},
    stop: async () => {},
    record(...events) {
      const first = history.nextSeq();
      store.add(events.map((event, n) => numbered(event, first + n)));
      return history.after(first - 1, events.length) ?? [];
    },
    touch(id) {
      const { source, db, lock } = placeOf(id);
      store.setUnread(source, [{ db, name: lock, since: at, reason: 'bytes' }]);
    },
    forget: (id) => store.forgetLocks(placeOf(id).source, [placeOf(id)]),
    setSource(change) {
      source = { ...source, ...change };
      store.sourcesChanged([source]);
    },
    listeners: () => listeners,
  };
}
