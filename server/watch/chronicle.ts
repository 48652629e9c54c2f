import type { RedisTime } from '../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../shared/events/event.ts';
import { GroupFinder } from '../../shared/events/groups/group-finder.ts';
import { regrouped } from '../../shared/events/groups/regrouped.ts';
import { type LockState, lockIdOf } from '../../shared/state/lock-state.ts';
import { reduceLock } from '../../shared/state/reduce.ts';
import { World } from '../../shared/state/world.ts';
import type { Lock } from '../../shared/wire/lock.ts';
import { lockView, type PresenceOf, UNKNOWN_PRESENCE } from '../../shared/wire/lock-view.ts';
import { HistoryRing } from './history-ring.ts';
import { detailOf } from './lock-detail.ts';
import type { Observatory, ObservedBatch } from './observatory.ts';
import { spansOf } from './spans-of.ts';
import type { Presence } from './worker-messages.ts';

/** Names told to a page; clients that come and go all day would add up. */
const MOST_NAMES = 2000;
/** Clients remembered with their presence. */
const MOST_CLIENTS = 20_000;

/** What an observatory answers from memory alone, wherever its events come from. */
export type Answers = Pick<
  Observatory,
  'locks' | 'locksNamed' | 'lockById' | 'lockAt' | 'clientNames' | 'detail' | 'spans' | 'onBatch' | 'now'
>;

/** Everything that happened and how things stand: one history, one world, and whoever listens. */
export type Chronicle = {
  readonly history: HistoryRing;
  readonly answers: Answers;
  /** Takes events that carry the process's `seq`s, in order. */
  add(events: readonly LockEvent[]): void;
  /** Takes what CLIENT LIST says of the clients of one source. */
  setPresence(source: string, rows: readonly Presence[]): void;
  /** Tells that a source changed. */
  sourcesChanged(): void;
  /** Forgets how things stand at a source that is watched no more; what happened stays. */
  forgetSource(source: string): void;
  /** Forgets how things stand; what happened stays. */
  forgetWorld(): void;
};

/** An empty chronicle; `now` is the time of a source, or of the first one. */
export function createChronicle(now: (source?: string) => RedisTime): Chronicle {
  const history = new HistoryRing();
  const presence = new Map<string, Omit<Presence, 'client'>>();
  const listeners = new Set<(batch: ObservedBatch) => void>();
  let world = new World();
  let groups = new GroupFinder();

  const presenceOf: PresenceOf = (source, client) =>
    presence.get(`${source}/${client}`) ?? { name: null, presence: 'unknown' };

  function tell(batch: Partial<ObservedBatch>): void {
    const last = history.nextSeq() - 1;
    const none = { fromSeq: last + 1, toSeq: last, events: [], changed: [], gone: [], sourcesChanged: false };
    for (const listener of listeners) listener({ ...none, ...batch });
  }

  function view(id: string): Lock | undefined {
    const lock = world.get(id);
    return lock ? lockView(lock, now(lock.source), presenceOf) : undefined;
  }

  function stateAt(id: string, at: RedisTime): LockState | undefined {
    // From the beginning of what is kept: earlier history would be needed for what began before it.
    const oldest = history.all().next().value;
    if (!oldest || (history.isCapped() && at < oldest.at)) return undefined;
    let lock: LockState | undefined;
    for (const event of history.all()) {
      // No early end: an expiry that was concluded stands behind later events, dated back to the lease's end.
      if (event.at <= at && lockIdOf(event) === id && !isOfSource(event)) lock = reduceLock(lock, event);
    }
    return lock;
  }

  const answers: Answers = {
    now,
    locks() {
      const found: Lock[] = [];
      for (const [, lock] of world.entries()) found.push(lockView(lock, now(lock.source), presenceOf));
      return found.sort(byUrgency);
    },
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
      const lock = stateAt(id, at);
      return lock ? lockView(lock, at, UNKNOWN_PRESENCE) : undefined;
    },
    clientNames() {
      const newest = [...presence].slice(-MOST_NAMES);
      const named = newest.flatMap(([key, { name }]) =>
        name === null ? [] : [[key.slice(key.indexOf('/') + 1), name]],
      );
      return Object.fromEntries(named);
    },
    detail: (lock, at) => detailOf(lock, at === undefined ? world.get(lock.id) : stateAt(lock.id, at), history, at),
    spans: (query) => spansOf(history, query),
    onBatch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  return {
    history,
    answers,
    add(events) {
      const fromSeq = history.nextSeq();
      const changed = new Set<string>();
      const gone = new Set<string>();
      const told: LockEvent[] = [];
      /** Events told earlier belong together with this one, or do not after all. */
      function regroup(by: LockEvent): void {
        for (const seq of by.groupSeqs ?? []) {
          const before = history.get(seq);
          if (!before) continue;
          const after = regrouped(before, by);
          history.amend(after);
          if (seq >= fromSeq) told[seq - fromSeq] = after;
          const holder = 'holder' in after ? after.holder : undefined;
          const id = holder === undefined ? undefined : world.regroup(lockIdOf(after), holder, by.group);
          if (id !== undefined) changed.add(id);
        }
      }
      for (const found of events) {
        const event = groups.take(found);
        history.add(event);
        told.push(event);
        if (event.groupSeqs) regroup(event);
        const effect = world.apply(event);
        if (effect.changed !== undefined) changed.add(effect.changed);
        if (effect.forgotten !== undefined) gone.add(effect.forgotten);
      }
      tell({ fromSeq, toSeq: history.nextSeq() - 1, events: told, changed: [...changed], gone: [...gone] });
    },
    setPresence(source, rows) {
      const news = rows.filter((row) => !isSame(presence.get(`${source}/${row.client}`), row));
      for (const { client, name, presence: how } of news) presence.set(`${source}/${client}`, { name, presence: how });
      for (const key of presence.keys()) {
        if (presence.size <= MOST_CLIENTS) break;
        presence.delete(key);
      }
      if (news.length > 0) tell({ changed: locksOf(world, new Set(news.map((row) => row.client))) });
    },
    sourcesChanged: () => tell({ sourcesChanged: true }),
    forgetSource(source) {
      tell({ gone: world.forgetSource(source), sourcesChanged: true });
    },
    forgetWorld() {
      const gone = [...world.entries()].map(([id]) => id);
      world = new World();
      groups = new GroupFinder();
      if (gone.length > 0) tell({ gone });
    },
  };
}

/** Held first, then the most wanted, then by name. */
function byUrgency(a: Lock, b: Lock): number {
  if (a.held !== b.held) return a.held ? -1 : 1;
  return b.waiters.length - a.waiters.length || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

function isSame(known: Omit<Presence, 'client'> | undefined, row: Presence): boolean {
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
