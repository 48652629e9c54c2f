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

/** The last fault of a server. */
type ServerState = DemoServerFault['name'];
export type ClientState = 'running' | 'frozen' | 'cut' | 'dead';

/** A holder that still thinks it holds a lock, or a permit with this id, after Redis ended the hold. */
type Belief = {
  readonly holder: string;
  readonly permit: string | null;
  readonly since: RedisTime;
  readonly lock: string | null;
};

/** The state of the whole stage at one instant: the locks in Redis, and what only the demo reports. */
export type World = KindMemory & {
  /** By key; only locks with an event so far. */
  readonly locks: ReadonlyMap<string, LockState>;
  /** The lock of the current moment. For a moment without a lock, the lock of the previous moment. */
  readonly lock: LockState | undefined;
  /** Locks in the memory of clients, by name. A lock without an entry is free. */
  readonly locals: ReadonlyMap<string, LocalLock>;
  /** By client uuid. A client without an entry is running. */
  readonly clients: ReadonlyMap<string, ClientState>;
  /** Clients (uuid) whose watchdog is stopped: killed, frozen, or cut off. */
  readonly stopped: ReadonlySet<string>;
  readonly beliefs: readonly Belief[];
  /** Holders that thought they held a lock until their unlock was refused. */
  readonly awareOfLoss: ReadonlySet<string>;
  /** Holders that lost a hold in a failover or a restart of the server. */
  readonly lostHolds: ReadonlySet<string>;
  /** The renewal that did not come, until the lease changes or ends. */
  readonly overdue: { readonly id: string; readonly holder: string; readonly at: RedisTime } | null;
  readonly overdueReported: ReadonlySet<string>;
  /** Every holder id with an event so far, and when its first one was. */
  readonly seen: ReadonlyMap<string, RedisTime>;
  /** Holders that have acquired a lock before. */
  readonly heldBefore: ReadonlySet<string>;
  /** Multi locks and RedLocks so far, by the id of their group. */
  readonly groups: StageGroups;
  /** When a client last reported that it did not get its multi lock or RedLock, by client. */
  readonly gaveUpAt: ReadonlyMap<string, RedisTime>;
  /** The last fault of each server of the scenario, by name. A server without an entry had none. */
  readonly servers: ReadonlyMap<string, ServerState>;
  /** The promoted server, by source. */
  readonly promoted: ReadonlyMap<string, string>;
  /** Keys of locks whose state is not known: Lockscope did not see a range, and they have had no event since. */
  readonly unseen: ReadonlySet<string>;
  /** Counts for the releases since a crowd of waiters slept; null: no crowd so far. */
  readonly tally: Tally | null;
  /** Renewals so far. */
  readonly renewals: number;
};

export const EMPTY_WORLD: World = {
  ...NO_MEMORY,
  locks: new Map(),
  lock: undefined,
  locals: new Map(),
  clients: new Map(),
  stopped: new Set(),
  beliefs: [],
  awareOfLoss: new Set(),
  lostHolds: new Set(),
  overdue: null,
  overdueReported: new Set(),
  seen: new Map(),
  heldBefore: new Set(),
  groups: new Map(),
  gaveUpAt: new Map(),
  servers: new Map(),
  promoted: new Map(),
  unseen: new Set(),
  tally: null,
  renewals: 0,
};

const STATE: Readonly<Record<DemoFault['name'], ClientState>> = {
  frozen: 'frozen',
  thawed: 'running',
  killed: 'dead',
  started: 'running',
  cut: 'cut',
  healed: 'running',
};

/** The same world with another current lock. */
export function withCurrentLock(world: World, lock: string | null): World {
  if (lock === null) return world;
  return { ...world, lock: world.locks.get(lock) };
}

/**
 * The world after a moment; `lock` is the key of its lock. `shared/state/replay` cannot replay it: a moment may be a
 * fault or a report of the demo, and the stage keeps the world of every moment. The lock itself is reduced as on the
 * server.
 */
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
        overdueReported: new Set(world.overdueReported).add(moment.id),
      };
    case 'server': {
      const { source, server, name } = moment.fault;
      const servers = new Map(world.servers).set(server, name);
      const promoted = name === 'promoted' ? new Map(world.promoted).set(source, server) : world.promoted;
      return { ...world, servers, promoted };
    }
    case 'client-report': {
      const { report } = moment;
      if (report.name === 'group-refused') {
        return { ...world, gaveUpAt: new Map(world.gaveUpAt).set(report.client, moment.at) };
      }
      const after = localAfter(world.locals.get(report.lock) ?? FREE, report, moment.at);
      return { ...world, locals: new Map(world.locals).set(report.lock, after) };
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
  const unseen = key === null ? world.unseen : new Set([...world.unseen].filter((name) => name !== key));
  const next: World = { ...world, ...memory, locks, lock, seen, overdue, tally, unseen };
  switch (event.type) {
    case 'lock.acquired':
    case 'lock.reentered':
      return {
        ...without(next, event.holder, key),
        heldBefore: new Set(world.heldBefore).add(event.holder),
        awareOfLoss: new Set([...world.awareOfLoss].filter((id) => id !== event.holder)),
      };
    case 'permits.acquired':
      return { ...next, awareOfLoss: new Set([...world.awareOfLoss].filter((id) => id !== event.holder)) };
    case 'lease.renewed':
      return { ...next, renewals: world.renewals + 1 };
    case 'permits.expired':
    case 'lease.expired':
    case 'lock.lost':
    case 'lock.force-released':
    case 'lock.deleted':
    case 'lock.evicted': {
      const lost = (world.lock?.holders ?? []).filter(({ id }) => !lock?.holders.some((other) => other.id === id));
      const beliefs = [...world.beliefs];
      for (const { id, client: taker = id, mode } of lost) {
        if (world.clients.get(clientOf(taker)) === 'dead') continue;
        beliefs.push({ holder: taker, permit: mode === 'permit' ? id : null, since: at, lock: key });
      }
      const lostHolds = new Set([...world.lostHolds, ...(event.type === 'lock.lost' ? [event.holder] : [])]);
      return { ...next, beliefs, lostHolds };
    }
    case 'blind-spot.began': {
      const ofSource = [...locks].filter(([, { source }]) => source === event.source).map(([name]) => name);
      return { ...next, unseen: new Set([...world.unseen, ...ofSource]) };
    }
    case 'unlock.refused': {
      const after = without(next, event.holder, key);
      const ended = next.beliefs.filter((belief) => !after.beliefs.includes(belief));
      const awareOfLoss = new Set([...world.awareOfLoss, ...ended.map(({ holder: believer }) => believer)]);
      return ended.length === 0 ? next : { ...after, awareOfLoss };
    }
    case 'lock.released':
      return without(next, event.holder, key);
    default:
      return next;
  }
}

/** The world without the belief that `holder` holds this lock. For a permit, `holder` is its id. */
function without(world: World, holder: string, lock: string | null): World {
  const isEnded = (belief: Belief) => (belief.permit ?? belief.holder) === holder && belief.lock === lock;
  if (!world.beliefs.some(isEnded)) return world;
  return { ...world, beliefs: world.beliefs.filter((belief) => !isEnded(belief)) };
}
