import { setImmediate } from 'node:timers/promises';
import type { EventStore } from '../../server/watch/store/event-store.ts';
import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { type RecordedCycle, RecordedCycles } from './recorded-cycle.ts';

/** The end of the hour of events. */
export const END = redisTime(1_795_003_600_000_000);
export const HOUR_MICROS = 3_600_000_000;
/** Number of locks that two clients hold in turn. */
const LOCKS = 1000;
const CLIENTS = 20;
/** One in this many events renews the lease of a lock that stays held. */
const RENEWAL_EACH = 10;
const BATCH = 500;
const SOURCE = 'bench';
const LEASE_MICROS = 30_000_000;

/** Number of events, and of locks that stay held. */
type Filling = { readonly events: number; readonly held: number };

/**
 * Fills a history with an hour of events. `held` locks stay held and are renewed. Two clients compete for each of 1,000
 * further locks, with the events of a trace of Redisson under other names.
 */
export async function fillMemory(eventStore: EventStore, { events, held }: Filling): Promise<void> {
  const recorded = new RecordedCycles(SOURCE);
  const cycles = Array.from({ length: LOCKS }, (_, number) =>
    recorded.of(`app:job-${number}`, String(number % CLIENTS).padStart(2, '0')),
  );
  let batch: LockEvent[] = [];
  for (let seq = 1; seq <= events; seq++) {
    const at = redisTime(END - HOUR_MICROS + Math.floor((seq * HOUR_MICROS) / events));
    const next = seq - held - 1;
    const isOfHeldLock = next < 0 || next % RENEWAL_EACH === 0;
    const place = next - Math.ceil(next / RENEWAL_EACH);
    batch.push(isOfHeldLock ? eventOfHeldLock(seq, at, held) : eventOfCycle(cycles, place, seq, at));
    if (batch.length < BATCH && seq < events) continue;
    eventStore.add(batch);
    batch = [];
    await setImmediate(); // lets the history pack its checkpoints
  }
}

/** Acquires each held lock once, then renews them in turn. */
function eventOfHeldLock(seq: number, at: LockEvent['at'], held: number): LockEvent {
  const number = seq <= held ? seq - 1 : Math.floor((seq - held - 1) / RENEWAL_EACH) % held;
  const holder = `${clientOf(number)}:${number}`;
  const lease = { leaseMs: 30_000, expiresAt: redisTime(at + LEASE_MICROS) };
  const ofLock = { source: SOURCE, db: 0, lock: `warehouse:order-${number}`, kind: 'lock' } as const;
  const base = { seq, at, ...ofLock, certainty: 'observed', by: `10.0.0.${number % CLIENTS}:40000`, holder } as const;
  return seq <= held
    ? { ...base, type: 'lock.acquired', mode: 'exclusive', holdCount: 1, ...lease }
    : { ...base, type: 'lease.renewed', cause: 'watchdog', ...lease };
}

/** The cycles in turn, each from its first event to its last. */
function eventOfCycle(cycles: readonly RecordedCycle[], place: number, seq: number, at: LockEvent['at']): LockEvent {
  const length = cycles[0]?.length ?? 1;
  const cycle = cycles[Math.floor(place / length) % LOCKS];
  if (!cycle) throw new Error('there are no cycles');
  return cycle.event(place, seq, at);
}

function clientOf(number: number): string {
  return `${String(number % CLIENTS).padStart(8, '0')}-a552-4cac-b9ed-4a986a0325f9`;
}
