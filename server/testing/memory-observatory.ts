import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { Lock, LockDetail } from '../../shared/wire/lock.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import type { Source } from '../../shared/wire/source.ts';
import type { EventHistory, Observatory, ObservedBatch } from '../watch/observatory.ts';
import { ObserveRefusal } from '../watch/observer/observe-refusal.ts';

/** An event without the seq, time and place that the observatory adds. */
export type NewEvent = LockEvent extends infer E
  ? E extends LockEvent
    ? Omit<E, 'seq' | 'at' | 'source' | 'db' | 'kind' | 'certainty'> & Partial<Pick<E, 'source' | 'db'>>
    : never
  : never;

/** For tests of `http` and `socket`: an observatory whose events come from the test. */
export type MemoryObservatory = Observatory & {
  record(...events: readonly NewEvent[]): readonly LockEvent[];
  /** Reports a change of a lock without an event, as CLIENT LIST causes them. */
  touch(lockId: string): void;
  forget(lockId: string): void;
  setSource(change: Partial<Source>): void;
  listeners(): number;
};

const BEGIN = 1_760_000_000_000_000;

export function makeMemoryObservatory(options: { historyCap?: number } = {}): MemoryObservatory {
  const cap = options.historyCap ?? 10_000;
  const events: LockEvent[] = [];
  const locks = new Map<string, Lock>();
  const past: { at: number; lock: Lock }[] = [];
  const listeners = new Set<(batch: ObservedBatch) => void>();
  let source = makeSource();
  let seq = 0;

  const history: EventHistory = {
    oldestSeq: () => events[0]?.seq ?? seq + 1,
    get oldestAt() {
      return events[0]?.at;
    },
    nextSeq: () => seq + 1,
    count: () => events.length,
    isCapped: () => (events[0]?.seq ?? 1) > 1,
    after: (after, limit) => {
      if (after + 1 < history.oldestSeq()) return undefined;
      return events.filter((event) => event.seq > after).slice(0, limit);
    },
    search: async ({ after, lock, type, holder, limit }) => {
      const found = events
        .filter((event) => after === undefined || event.seq > after)
        .filter((event) => lock === undefined || event.lock === lock)
        .filter((event) => type === undefined || event.type === type)
        .filter((event) => holder === undefined || ('holder' in event && event.holder === holder));
      const newest = after === undefined ? found.slice(-limit) : found.slice(0, limit);
      return { events: newest, isCut: newest.length >= limit };
    },
    signals: async (wanted) => (events.some((event) => event.seq === wanted) ? [`line of ${wanted}`] : undefined),
  };

  const emit = (batch: Partial<ObservedBatch>) => {
    const whole = { fromSeq: seq + 1, toSeq: seq, events: [], changed: [], gone: [], sourcesChanged: false, ...batch };
    for (const listener of listeners) listener(whole);
  };

  const sorted = () =>
    [...locks.values()].sort((a, b) => Number(b.held) - Number(a.held) || a.name.localeCompare(b.name));

  const detailOf = (lock: Lock): LockDetail => ({
    ...lock,
    stats: {
      acquisitions: events.filter((event) => event.lock === lock.name && event.type === 'lock.acquired').length,
      refusals: 0,
      renewals: 0,
      expiries: 0,
      holdMs: { count: 0, median: null, max: null },
      waitMs: { count: 0, median: null, max: null },
    },
    keys: [{ key: lock.name, role: 'lock', type: 'hash' }],
  });

  return {
    history,
    sources: () => [source],
    now: () => redisTime(BEGIN + seq * 1000),
    locks: () => sorted(),
    locksNamed: (name, where) =>
      [...locks.values()].filter(
        (lock) =>
          lock.name === name && (where?.source ?? lock.source) === lock.source && (where?.db ?? lock.db) === lock.db,
      ),
    pastLocksNamed: async (name, _where, at) => {
      const then = past.findLast((entry) => entry.lock.name === name && entry.at <= at);
      return then ? [then.lock] : [];
    },
    lockById: (id) => locks.get(id),
    async lockPage({ from, limit, isWanted }) {
      const wanted = sorted().filter(isWanted);
      return { locks: wanted.slice(from, from + limit), total: wanted.length };
    },
    detail: async (lock, at): Promise<LockDetail | undefined> => {
      const then = past.findLast((entry) => entry.lock.id === lock.id && (at === undefined || entry.at <= at))?.lock;
      return then && detailOf(at === undefined ? lock : then);
    },
    clientNames: () => ({}),
    insights: async () => ({ at: redisTime(BEGIN + seq * 1000), insights: [], more: 0, cannotTell: [], failed: [] }),
    clientPage: async () => ({ clients: [], total: 0 }),
    window: async () => {
      throw new Error('the memory observatory has no windows');
    },
    trends: () => ({ micros: 1_000_000, bins: [], since: null }),
    spans: async () => ({ spans: [], truncated: false }),
    recording: async () => undefined,
    showOwnLocks: async (_id, isShown) => {
      source = { ...source, ownLocks: { count: 0, isMore: false, names: [], isShown } };
      return source;
    },
    observe: async (_id, { level }) => {
      if (level === 'monitor') {
        throw new ObserveRefusal(problem('monitor-refused', { user: 'app' }));
      }
      source = { ...source, level };
      return source;
    },
    onBatch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start: async () => {},
    stop: async () => {},
    record: (...added) => {
      const fromSeq = seq + 1;
      const changed = new Set<string>();
      const numbered = added.map((event): LockEvent => {
        seq += 1;
        const place = { source: event.source ?? source.id, db: event.db ?? 0 };
        const whole = {
          kind: 'lock',
          certainty: 'observed',
          ...event,
          ...place,
          seq,
          at: BEGIN + seq * 1000,
        } as LockEvent; // NewEvent lacks only these
        const lock = lockAfter(whole, locks);
        locks.set(lock.id, lock);
        past.push({ at: whole.at, lock });
        changed.add(lock.id);
        return whole;
      });
      events.push(...numbered);
      events.splice(0, Math.max(0, events.length - cap));
      emit({ fromSeq, toSeq: seq, events: numbered, changed: [...changed] });
      return numbered;
    },
    touch: (id) => emit({ changed: [id] }),
    forget: (id) => {
      locks.delete(id);
      emit({ gone: [id] });
    },
    setSource: (change) => {
      source = { ...source, ...change };
      emit({ sourcesChanged: true });
    },
    listeners: () => listeners.size,
  };
}

/** The lock after one event. Only acquisitions and releases change its holders. */
function lockAfter(event: LockEvent, before: ReadonlyMap<string, Lock>): Lock {
  const id = `${event.source}/${event.db}/${event.lock}`;
  const holders = holdersAfter(event, before.get(id)?.holders ?? []);
  return {
    id,
    source: event.source,
    db: event.db,
    name: event.lock,
    kind: event.kind,
    library: 'redisson',
    held: holders.length > 0,
    holders,
    waiters: [],
    subscribers: null,
    lease: { ms: null, expiresAt: null },
    certainty: event.certainty,
    changedAt: event.at,
  };
}

function holdersAfter(event: LockEvent, before: Lock['holders']): Lock['holders'] {
  if (event.type === 'lock.acquired') return [makeHolder(event.holder, event.at)];
  return event.type === 'lock.released' ? [] : before;
}

function makeHolder(id: string, since: number): Lock['holders'][number] {
  const [client = id, thread = null] = id.split(':');
  const unknown = {
    lastRenewedAt: null,
    expiresAt: null,
    presence: 'unknown',
    goneSince: null,
    watchdog: 'unknown',
    name: null,
    letter: 'A',
  } as const;
  return { id, client, thread, holdCount: 1, mode: 'exclusive', since, renewals: 0, ...unknown };
}

function makeSource(): Source {
  return {
    id: 'main',
    url: 'redis://127.0.0.1:6379',
    redisVersion: '7.0.15',
    role: 'master',
    status: 'observing',
    level: 'events',
    lagMs: 0,
    linesPerSecond: 0,
    guard: { state: 'ok' },
    unseen: [],
    cannotSee: [],
    keyEvents: 'notifications',
    snapshotAt: null,
    drift: 0,
    rejected: 0,
    clockOffsetMs: 0,
  };
}
