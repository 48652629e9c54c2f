import { plusMillis, type RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';

/** Attempts that follow each other without sleep; `attempts`: which of its wait the newest was. */
export type Polls = { readonly attempts: number };

/** What the stage remembers of kinds of lock, beyond how they stand. */
export type KindMemory = {
  /** Who took each permit, by its id. */
  readonly takers: ReadonlyMap<string, string>;
  /** Fenced lock: the number each holder was given last. */
  readonly tokens: ReadonlyMap<string, string>;
  /** By holder: who asks again and again. */
  readonly polls: ReadonlyMap<string, Polls>;
  /** By holder: when a sleeper looks again by itself, by the TTL it was told. */
  readonly timers: ReadonlyMap<string, RedisTime>;
  /** When a lock was last free, or a latch open; null: not yet. */
  readonly freedAt: RedisTime | null;
};

export const NO_MEMORY: KindMemory = {
  takers: new Map(),
  tokens: new Map(),
  polls: new Map(),
  timers: new Map(),
  freedAt: null,
};

/** Whether somebody asks once more though it did not sleep. */
export function isPoll(event: LockEvent): boolean {
  if (event.type !== 'lock.refused' || event.asleep || event.attempt < 2) return false;
  return event.reason === 'not-head' || (event.wokenBy === undefined && event.reason !== 'error');
}

/** The memory after an event; `after`: the lock as it stands then. */
export function rememberedAfter(memory: KindMemory, event: LockEvent, after: LockState | undefined): KindMemory {
  switch (event.type) {
    case 'lock.refused': {
      if (isPoll(event)) {
        return { ...memory, polls: new Map(memory.polls).set(event.holder, { attempts: event.attempt }) };
      }
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

function withoutPolls(memory: KindMemory, holder: string): KindMemory {
  if (!memory.polls.has(holder)) return memory;
  return { ...memory, polls: new Map([...memory.polls].filter(([other]) => other !== holder)) };
}
