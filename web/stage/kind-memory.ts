import type { RedisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { LockState } from '../../shared/state/lock-state.ts';

/** Attempts that follow each other without sleep: how many there were, and which attempt of the wait the newest was. */
export type Polls = { readonly count: number; readonly attempts: number };

/** What the stage remembers of kinds of lock, beyond how they stand. */
export type KindMemory = {
  /** Who took each permit, by its id. */
  readonly takers: ReadonlyMap<string, string>;
  /** Fenced lock: the number each holder was given last. */
  readonly tokens: ReadonlyMap<string, string>;
  /** By holder: who asks again and again. */
  readonly polls: ReadonlyMap<string, Polls>;
  /** When a lock was last free, or a latch open; null: not yet. */
  readonly freedAt: RedisTime | null;
};

export const NO_MEMORY: KindMemory = { takers: new Map(), tokens: new Map(), polls: new Map(), freedAt: null };

/** Whether somebody asks once more though it did not sleep. */
export function isPoll(event: LockEvent): event is Extract<LockEvent, { type: 'lock.refused' }> {
  if (event.type !== 'lock.refused' || event.asleep || event.attempt < 2) return false;
  return event.reason === 'not-head' || (event.wokenBy === undefined && event.reason !== 'error');
}

/** The memory after an event; `after`: the lock as it stands then. */
export function rememberedAfter(memory: KindMemory, event: LockEvent, after: LockState | undefined): KindMemory {
  switch (event.type) {
    case 'lock.refused': {
      if (!isPoll(event)) return memory;
      const count = (memory.polls.get(event.holder)?.count ?? 0) + 1;
      return { ...memory, polls: new Map(memory.polls).set(event.holder, { count, attempts: event.attempt }) };
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

/** Polls nearer to each other than this look like one. */
const NEAR_MICROS = 5000;

/**
 * The events without most of the polls of a hot loop: the first two, the last, and one every 5 ms remain, each with the
 * number of its attempt.
 */
export function withFewerPolls(events: readonly LockEvent[]): readonly LockEvent[] {
  const kept = new Map<string, { at: number; count: number }>();
  return events.filter((event, n) => {
    if (!isPoll(event)) return true;
    const last = kept.get(event.holder);
    const next = events[n + 1];
    const isLast = !next || !isPoll(next) || next.holder !== event.holder;
    const isNear = last !== undefined && last.count > 1 && event.at - last.at < NEAR_MICROS;
    if (isNear && !isLast) return false;
    kept.set(event.holder, { at: event.at, count: (last?.count ?? 0) + 1 });
    return true;
  });
}
