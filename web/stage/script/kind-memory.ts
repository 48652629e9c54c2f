import { plusMillis, type RedisTime } from '../../../shared/base/time.ts';
import type { EventOf, LockEvent } from '../../../shared/events/event.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';

/**
 * The refused attempts of a waiter without sleep between them, as on the lane. `first` is the number of the first one:
 * not 1 if the waiter of a fair lock slept after earlier attempts. `attempts` counts up to the number of the newest
 * one, because the page leaves out attempts of dense runs.
 */
type Attempts = { readonly attempts: number; readonly first: number };

/** What the stage remembers for some kinds of lock, beyond their state. */
export type KindMemory = {
  /** The client that took each permit, by permit id. */
  readonly takers: ReadonlyMap<string, string>;
  /** Fenced lock: the last fencing token of each holder. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Waiters that are awake, by holder. With more than one attempt, a waiter polls. */
  readonly polls: ReadonlyMap<string, Attempts>;
  /** By holder: when its own timer ended or ends, by the TTL in Redis's reply before its last sleep. */
  readonly timers: ReadonlyMap<string, RedisTime>;
  /** When a lock last became free, or a latch opened; null: not yet. */
  readonly freedAt: RedisTime | null;
};

export const NO_MEMORY: KindMemory = {
  takers: new Map(),
  tokens: new Map(),
  polls: new Map(),
  timers: new Map(),
  freedAt: null,
};

/**
 * Whether an event is a refused attempt, not the first, after which the waiter does not sleep. Nothing woke the waiter
 * before it, except in a fair lock with another waiter as the head.
 */
export function isPoll(event: LockEvent): boolean {
  if (event.type !== 'lock.refused' || event.asleep || event.attempt < 2) return false;
  return event.reason === 'not-head' || (event.wokenBy === undefined && event.reason !== 'error');
}

/** The memory after an event; `after` is the state of the lock after it. */
export function rememberedAfter(memory: KindMemory, event: LockEvent, after: LockState | undefined): KindMemory {
  switch (event.type) {
    case 'lock.refused': {
      if (!event.asleep) return event.attempt === 1 || isPoll(event) ? withAttempt(memory, event) : memory;
      const asleep = withoutPolls(memory, event.holder);
      const timers = new Map(memory.timers);
      if (event.ttlMs === null) timers.delete(event.holder);
      else timers.set(event.holder, plusMillis(event.at, event.ttlMs));
      return { ...asleep, timers };
    }
    case 'lock.acquired':
    case 'lock.reentered':
      return withToken(withoutPolls(memory, event.holder), event);
    case 'lock.learned':
      return withToken(memory, event);
    case 'waiter.dequeued':
      return withoutPolls(memory, event.holder);
    case 'lock.released':
    case 'lease.expired':
      return after && after.holders.length > 0 ? memory : { ...memory, freedAt: event.at };
    case 'latch.opened':
      return { ...memory, freedAt: event.at };
    case 'permits.acquired': {
      if (!event.permitIds || event.holder === undefined) return memory;
      const takers = new Map(memory.takers);
      for (const id of event.permitIds) takers.set(id, event.holder);
      return { ...memory, takers };
    }
    default:
      return memory;
  }
}

function withToken(
  memory: KindMemory,
  { holder, fencingToken }: { holder?: string; fencingToken?: string },
): KindMemory {
  if (holder === undefined || fencingToken === undefined) return memory;
  return { ...memory, tokens: new Map(memory.tokens).set(holder, fencingToken) };
}

function withAttempt(memory: KindMemory, { holder, attempt }: EventOf<'lock.refused'>): KindMemory {
  const first = attempt === 1 ? 1 : (memory.polls.get(holder)?.first ?? attempt);
  return { ...memory, polls: new Map(memory.polls).set(holder, { attempts: attempt - first + 1, first }) };
}

/** How many attempts a polling waiter has made since it last slept; null if it does not poll. */
export function pollsOf({ polls }: KindMemory, holder: string): number | null {
  const attempts = polls.get(holder)?.attempts ?? 0;
  return attempts > 1 ? attempts : null;
}

function withoutPolls(memory: KindMemory, holder: string): KindMemory {
  if (!memory.polls.has(holder)) return memory;
  return { ...memory, polls: new Map([...memory.polls].filter(([other]) => other !== holder)) };
}
