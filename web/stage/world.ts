import type { RedisTime } from '../../shared/base/time.ts';
import { clientOf } from '../../shared/events/names.ts';
import type { LockState } from '../../shared/state/lock-state.ts';
import { reduceLock } from '../../shared/state/reduce.ts';
import type { DemoFault } from '../../shared/wire/demo.ts';
import type { Moment } from './moments-from-run.ts';

export type ClientState = 'running' | 'frozen' | 'cut' | 'dead';

/** A hold that Redis ended and its holder does not know of. */
export type Belief = { readonly holder: string; readonly since: RedisTime };

/** How everything on the stage stands at one instant: the lock in Redis, and what Redis does not know. */
export type World = {
  readonly lock: LockState | undefined;
  /** By uuid; absent: running. */
  readonly clients: ReadonlyMap<string, ClientState>;
  /** Clients (uuid) whose watchdog stands still: killed, frozen, or cut off. */
  readonly stopped: ReadonlySet<string>;
  readonly beliefs: readonly Belief[];
  /** The refill that did not come, while its lease still runs. */
  readonly overdue: { readonly id: string; readonly holder: string; readonly at: RedisTime } | null;
  /** Everybody who asked or held so far, and since when. */
  readonly seen: ReadonlyMap<string, RedisTime>;
  /** Holders that once held. */
  readonly heldBefore: ReadonlySet<string>;
  /** Refills told so far. */
  readonly refills: number;
};

export const EMPTY_WORLD: World = {
  lock: undefined,
  clients: new Map(),
  stopped: new Set(),
  beliefs: [],
  overdue: null,
  seen: new Map(),
  heldBefore: new Set(),
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

/** The world after a moment. The lock itself is reduced by the very reducer the server runs. */
export function worldAfter(world: World, moment: Moment): World {
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
      return { ...world, overdue: { id: moment.id, holder: moment.holder, at: moment.at } };
    case 'event':
      return afterEvent(world, moment);
  }
}

function afterEvent(world: World, { event, at }: Extract<Moment, { kind: 'event' }>): World {
  const lock = event.lock === '' ? world.lock : reduceLock(world.lock, event);
  const holder = 'holder' in event ? event.holder : undefined;
  const seen = holder === undefined || world.seen.has(holder) ? world.seen : new Map(world.seen).set(holder, at);
  const overdue = lock?.expiresAt != null && lock.expiresAt === world.lock?.expiresAt ? world.overdue : null;
  const next: World = { ...world, lock, seen, overdue };
  switch (event.type) {
    case 'lock.acquired':
    case 'lock.reentered':
      return { ...without(next, event.holder), heldBefore: new Set(world.heldBefore).add(event.holder) };
    case 'lease.renewed':
      return { ...next, refills: world.refills + 1 };
    case 'lease.expired':
    case 'lock.force-released':
    case 'lock.deleted':
    case 'lock.evicted': {
      const lost = (world.lock?.holders ?? []).filter(({ id }) => !lock?.holders.some((other) => other.id === id));
      const alive = lost.filter(({ id }) => world.clients.get(clientOf(id)) !== 'dead');
      return { ...next, beliefs: [...world.beliefs, ...alive.map(({ id }) => ({ holder: id, since: at }))] };
    }
    case 'unlock.refused':
    case 'renewal.refused':
    case 'lock.released':
      return event.type === 'renewal.refused' ? next : without(next, event.holder);
    default:
      return next;
  }
}

function without(world: World, holder: string): World {
  if (!world.beliefs.some((belief) => belief.holder === holder)) return world;
  return { ...world, beliefs: world.beliefs.filter((belief) => belief.holder !== holder) };
}
