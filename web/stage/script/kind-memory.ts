import { plusMillis, type RedisTime } from '../../../shared/base/time.ts';
import type { EventOf, LockEvent } from '../../../shared/events/event.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';

/**
 * Attempts without sleep in between. `attempts` is their number, as on the lane: a waiter of a fair lock had others before it
 * slept. `first` is the number of the first one in its wait.
 */
type Polls = { readonly attempts: number; readonly first: number };

/** What the stage remembers for some kinds of lock, beyond their state. */
export type KindMemory = {
  /** The client that took each permit, by permit id. */
  readonly takers: ReadonlyMap<string, string>;
  /** Fenced lock: the last fencing token of each holder. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Waiters that poll, by holder. */
  readonly polls: ReadonlyMap<string, Polls>;
  /** By holder: when a sleeping waiter's own timer ends, by the TTL in Redis's reply. */
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

/** Whether an event is a repeated refused attempt without sleep before it. */
export function isPoll(event: LockEvent): boolean {
  if (event.type !== 'lock.refused' || event.asleep || event.attempt < 2) return false;
  return event.reason === 'not-head' || (event.wokenBy === undefined && event.reason !== 'error');
}

/** The memory after an event; `after` is the state of the lock after it. */
export function rememberedAfter(memory: KindMemory, event: LockEvent, after: LockState | undefined): KindMemory {
  switch (event.type) {
    case 'lock.refused': {
      if (isPoll(event)) return withPoll(memory, event);
      if (!event.asleep || event.ttlMs === null) return memory;
      return { ...memory, timers: new Map(memory.timers).set(event.holder, plusMillis(event.at, event.ttlMs)) };
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

/** The first poll that is seen as one may be the second attempt of its wait: then the first attempt belongs to it. */
function withPoll(memory: KindMemory, { holder, attempt }: EventOf<'lock.refused'>): KindMemory {
  const first = memory.polls.get(holder)?.first ?? (attempt === 2 ? 1 : attempt);
  return { ...memory, polls: new Map(memory.polls).set(holder, { attempts: attempt - first + 1, first }) };
}

function withoutPolls(memory: KindMemory, holder: string): KindMemory {
  if (!memory.polls.has(holder)) return memory;
  return { ...memory, polls: new Map([...memory.polls].filter(([other]) => other !== holder)) };
}
