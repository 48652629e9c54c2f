import { readFileSync } from 'node:fs';
import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { eventsFromTrace } from '../../testing/traces/trace-file.ts';

const TRACE = new URL('../../../../shared/traces/redisson-4.7.0/two-clients.trace', import.meta.url);
const LEASE_MICROS = 30_000_000;

/**
 * The events of a trace of Redisson in which two clients hold one lock in turn, for any number of locks with other
 * names.
 */
export class RecordedCycles {
  readonly #text: string;
  readonly #source: string;

  constructor(source: string) {
    const trace = eventsFromTrace(readFileSync(TRACE, 'utf8'), true);
    this.#text = JSON.stringify(trace.map((event) => ({ ...event, source })));
    this.#source = source;
  }

  get source(): string {
    return this.#source;
  }

  /**
   * The events for a lock of this name. `client`: hex digits that replace the last ones of the first eight in the ids of
   * both clients.
   */
  of(lock: string, client: string): RecordedCycle {
    const ids = new RegExp(`([0-9a-f]{${8 - client.length}}).{${client.length}}(?=-\\w{4}-\\w{4}-)`, 'g');
    const text = this.#text.replaceAll('orders:42', lock).replaceAll(ids, `$1${client}`);
    return new RecordedCycle(JSON.parse(text) as LockEvent[]); // only names differ
  }
}

/** The events of one lock, again and again. */
export class RecordedCycle {
  readonly #events: readonly LockEvent[];

  constructor(events: readonly LockEvent[]) {
    this.#events = events;
  }

  get length(): number {
    return this.#events.length;
  }

  /** The event at this place, as event `seq` that happens at `at`. */
  event(place: number, seq: number, at: LockEvent['at']): LockEvent {
    const event = this.#events[place % this.#events.length];
    if (!event) throw new Error('the trace has no events');
    const because = event.because?.map((cause) => seq - (event.seq - cause));
    const expiresAt = 'expiresAt' in event && { expiresAt: redisTime(at + LEASE_MICROS) };
    return { ...event, seq, at, ...(because ? { because } : {}), ...expiresAt } as LockEvent; // the event keeps its type
  }

  /** The fields of each event that differ from the same event of the other cycle, which differs only in names. */
  differences(other: RecordedCycle | undefined): Partial<LockEvent>[] {
    return this.#events.map((event, n) => {
      const theirs: Readonly<Record<string, unknown>> = { ...(other ? other.#events[n] : undefined) };
      const differ = Object.entries(event).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(theirs[name]),
      );
      return Object.fromEntries(differ) as Partial<LockEvent>; // its own fields
    });
  }
}
