import type { RedisTime } from '../../../shared/base/time.ts';
import { clientOf } from '../../../shared/events/names/names.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import { reduceLock } from '../../../shared/state/reduce.ts';
import type { DemoFault, DemoServerFault } from '../../../shared/wire/demo.ts';
import type { StageGroups } from './groups.ts';
import { type KindMemory, NO_MEMORY, rememberedAfter } from './kind-memory.ts';
import { FREE, type LocalLock, localAfter } from './local-lock.ts';
import type { Moment } from './moment.ts';
import { type Tally, tallyAfter } from './tally.ts';

/** What was done to a server last. */
export type ServerState = DemoServerFault['name'];
export type ClientState = 'running' | 'frozen' | 'cut' | 'dead';

/** A hold that Redis ended and its holder does not know of. */
export type Belief = { readonly holder: string; readonly since: RedisTime; readonly lock: string | null };

/** How everything on the stage stands at one instant: the locks in Redis, and what Redis does not know. */
export type World = KindMemory & {
  /** By their keys; only those heard of. */
  readonly locks: ReadonlyMap<string, LockState>;
  /** The one that is looked at: the lock a moment is about, else the one before. */
  readonly lock: LockState | undefined;
  /** Locks in the memory of clients, by name; absent: free. */
  readonly locals: ReadonlyMap<string, LocalLock>;
  /** By uuid; absent: running. */
  readonly clients: ReadonlyMap<string, ClientState>;
  /** Clients (uuid) whose watchdog stands still: killed, frozen, or cut off. */
  readonly stopped: ReadonlySet<string>;
  readonly beliefs: readonly Belief[];
  /** Holders whose hold a failover lost. */
  readonly lostHolds: ReadonlySet<string>;
  /** The refill that did not come, while its lease still runs. */
  readonly overdue: { readonly id: string; readonly holder: string; readonly at: RedisTime } | null;
  readonly overdueTold: ReadonlySet<string>;
  /** Everybody who asked or held so far, and since when. */
  readonly seen: ReadonlyMap<string, RedisTime>;
  /** Holders that once held. */
  readonly heldBefore: ReadonlySet<string>;
  /** Multi locks and RedLocks so far, by the id of their group. */
  readonly groups: StageGroups;
  /** Servers of the scenario to which something was done, by their names. */
  readonly servers: ReadonlyMap<string, ServerState>;
  /** By source: the server that was promoted there. */
  readonly promoted: ReadonlyMap<string, string>;
  /** A crowd at the lock: what its releases came to; null: there was none. */
  readonly tally: Tally | null;
  /** Refills told so far. */
  readonly refills: number;
};

export const EMPTY_WORLD: World = {
  ...NO_MEMORY,
  locks: new Map(),
  lock: undefined,
  locals: new Map(),
  clients: new Map(),
  stopped: new Set(),
  beliefs: [],
  lostHolds: new Set(),
  overdue: null,
  overdueTold: new Set(),
  seen: new Map(),
  heldBefore: new Set(),
  groups: new Map(),
  servers: new Map(),
  promoted: new Map(),
  tally: null,
  refills: 0,
};

const STATE: Readonly<Record<DemoFault['name'], ClientState>> = {
  frozen: 'frozen',
  thawed: 'running',
  killed: 'dead',
  started: 'running',
  cut: 'cut',
  healed: 'running',
};

/** The same world, looking at another of its locks. */
export function lookingAt(world: World, lock: string | null): World {
  if (lock === null) return world;
  return { ...world, lock: world.locks.get(lock) };
}

/** The world after a moment about a lock. The lock itself is reduced by the very reducer the server runs. */
export function worldAfter(world: World, moment: Moment, lock: string | null): World {
  switch (moment.kind) {
    case 'fault': {
      const { uuid, name } = moment.fault;
      const state = STATE[name];
      const clients = new Map(world.clients).set(uuid, state);
      const stopped = new Set([...clients].filter(([, is]) => is !== 'running').map(([id]) => id));
      const beliefs = world.beliefs.filter(({ holder }) => state !== 'dead' || clientOf(holder) !== uuid);
      return { ...world, clients, stopped, beliefs };
    }
    case 'overdue':
      return {
        ...world,
        overdue: { id: moment.id, holder: moment.holder, at: moment.at },
        overdueTold: new Set(world.overdueTold).add(moment.id),
      };
    case 'server': {
      const { source, server, name } = moment.fault;
      const servers = new Map(world.servers).set(server, name);
      const promoted = name === 'promoted' ? new Map(world.promoted).set(source, server) : world.promoted;
      return { ...world, servers, promoted };
    }
    case 'telling': {
      const { telling } = moment;
      const after = localAfter(world.locals.get(telling.lock) ?? FREE, telling, moment.at);
      return { ...world, locals: new Map(world.locals).set(telling.lock, after) };
    }
    case 'event':
      return afterEvent(world, moment, lock);
  }
}

function afterEvent(world: World, moment: Extract<Moment, { kind: 'event' }>, key: string | null): World {
  const { event, at } = moment;
  const lock = key === null ? world.lock : reduceLock(world.lock, event);
  const locks = key === null || !lock ? world.locks : new Map(world.locks).set(key, lock);
  const holder = 'holder' in event ? event.holder : undefined;
  const seen = holder === undefined || world.seen.has(holder) ? world.seen : new Map(world.seen).set(holder, at);
  const isOther = !world.lock?.holders.some(({ id }) => id === world.overdue?.holder);
  const isSame = lock?.expiresAt != null && lock.expiresAt === world.lock?.expiresAt;
  const overdue = isSame || isOther ? world.overdue : null;
  const tally = key === null ? world.tally : tallyAfter(world.tally, moment, world.lock);
  const memory = rememberedAfter(world, event, lock);
  const next: World = { ...world, ...memory, locks, lock, seen, overdue, tally };
  switch (event.type) {
    case 'lock.acquired':
    case 'lock.reentered':
      return { ...without(next, event.holder, key), heldBefore: new Set(world.heldBefore).add(event.holder) };
    case 'lease.renewed':
      return { ...next, refills: world.refills + 1 };
    case 'lease.expired':
    case 'lock.lost':
    case 'lock.force-released':
    case 'lock.deleted':
    case 'lock.evicted': {
      const lost = (world.lock?.holders ?? []).filter(({ id }) => !lock?.holders.some((other) => other.id === id));
      const alive = lost.filter(({ id }) => world.clients.get(clientOf(id)) !== 'dead');
      const beliefs = [...world.beliefs, ...alive.map(({ id }) => ({ holder: id, since: at, lock: key }))];
      const lostHolds = new Set([...world.lostHolds, ...(event.type === 'lock.lost' ? [event.holder] : [])]);
      return { ...next, beliefs, lostHolds };
    }
    case 'unlock.refused':
    case 'renewal.refused':
    case 'lock.released':
      return event.type === 'renewal.refused' ? next : without(next, event.holder, key);
    default:
      return next;
  }
}

function without(world: World, holder: string, lock: string | null): World {
  const isIt = (belief: Belief) => belief.holder === holder && belief.lock === lock;
  if (!world.beliefs.some(isIt)) return world;
  return { ...world, beliefs: world.beliefs.filter((belief) => !isIt(belief)) };
}
