import { forgetOldest } from '../../shared/base/forget-oldest.ts';
import { millisBetween, type RedisTime } from '../../shared/base/time.ts';
import type { EventType, LockEvent } from '../../shared/events/event.ts';
import { sourceInId } from '../../shared/state/lock-state.ts';
import type { Exposition } from './exposition.ts';
import { type HoldListener, HoldTimes } from './hold-times.ts';
import type { Sights } from './sights.ts';

/** Upper ends of the buckets, in seconds: holds and waits take from a millisecond to half an hour. */
const LENGTHS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];
/** As `LENGTHS`, for wake-ups: a wake-up takes about a millisecond. */
const WAKE_UPS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const SHARES = [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** How many messages are remembered, to measure how long after its message a waiter attempted. */
const MOST_MESSAGES = 10_000;

/** How a wait ended, by the reason with which the waiter left. */
const WAIT_ENDS = { 'gave-up': 'gave-up', left: 'gave-up', 'presumed-gone': 'gone' } as const;

/** Counts events as they arrive, and measures holds, waits and wake-ups from them. */
export class EventMetrics {
  readonly #setEvents;
  /** By source and type. A counter of prom-client would take ten times as long for each event. */
  readonly #events = new Map<string, Map<EventType, number>>();
  readonly #expiries;
  readonly #waitsEnded;
  readonly #waits;
  readonly #wakeUps;
  readonly #holds: HoldTimes;
  /** When the newest messages were published, by `seq`. */
  readonly #messages = new Map<number, RedisTime>();
  /** The sources whose holds are seen from beginning to end. */
  readonly #followed = new Set<string>();

  /** `onHold`: is called for each hold that ended and whose beginning was seen, with its length in ms. */
  constructor(to: Exposition, onHold: (event: LockEvent, heldMs: number) => void) {
    const labelNames = ['source', 'kind'] as const;
    this.#setEvents = to.total({
      name: 'lockscope_events_total',
      help: 'Events, as GET /api/events returns them.',
      labelNames: ['source', 'type'],
    });
    this.#expiries = to.counter({
      name: 'lockscope_lease_expiries_total',
      help: 'Holds that ended because their lease ran out. Absent if the level does not show it.',
      labelNames: ['source'],
    });
    this.#waitsEnded = to.counter({
      name: 'lockscope_waits_ended_total',
      help: 'Waits that ended. Outcome: acquired, gave-up, or gone (its client no longer waits, as far as is known).',
      labelNames: [...labelNames, 'outcome'],
    });
    this.#waits = to.histogram({
      name: 'lockscope_wait_duration_seconds',
      help: 'From the first refusal to the acquisition, of waits whose beginning was seen.',
      ...{ labelNames, buckets: LENGTHS },
    });
    this.#wakeUps = to.histogram({
      name: 'lockscope_wakeup_latency_seconds',
      help: 'From the message of a release to the next attempt of a waiter that it woke.',
      ...{ labelNames, buckets: WAKE_UPS },
    });
    this.#holds = new HoldTimes(listenerTo(to, onHold));
  }

  /** Takes the sources as they are watched from now on. */
  see(sights: Sights): void {
    for (const { id } of sights.sources) {
      if (sights.hasHolds(id)) {
        // A counter that begins with its first increase would hide this increase from Prometheus.
        if (!this.#followed.has(id)) this.#expiries.inc({ source: id }, 0);
        this.#followed.add(id);
      } else if (this.#followed.delete(id)) this.#holds.forgetSource(id);
    }
  }

  take(event: LockEvent): void {
    const { source, type, kind } = event;
    this.#count(source, type);
    if (this.#followed.has(source)) this.#holds.take(event);
    if ('wokenBy' in event && event.wokenBy === 'message') this.#wokenUp(event);
    switch (event.type) {
      case 'wakeup.published':
        this.#messages.set(event.seq, event.at);
        return forgetOldest(this.#messages, MOST_MESSAGES);
      case 'lease.expired':
        return this.#expiries.inc({ source });
      case 'permits.expired':
        return this.#expiries.inc({ source }, event.permits);
      case 'lock.acquired':
        if (event.waitedMs === undefined) return;
        this.#waitsEnded.inc({ source, kind, outcome: 'acquired' });
        if (event.waitedAtLeast) return; // how long it took is not known
        return observe(this.#waits, event, { source, kind }, event.waitedMs / 1000);
      case 'waiter.dequeued':
        if (event.reason in WAIT_ENDS) {
          const outcome = WAIT_ENDS[event.reason as keyof typeof WAIT_ENDS]; // the code above checked it
          this.#waitsEnded.inc({ source, kind, outcome });
        }
        return;
      default: // the other events are only counted
    }
  }

  /** Whether the beginning and the end of each hold of a source are seen. */
  follows(source: string): boolean {
    return this.#followed.has(source);
  }

  /** Sets the metric of all events. */
  set(): void {
    const all = [...this.#events].flatMap(([source, counts]) =>
      [...counts].map(([type, count]) => [{ source, type }, count] as const),
    );
    this.#setEvents(all);
  }

  /** Takes the ids of locks that were dropped from memory. */
  forget(ids: readonly string[]): void {
    for (const id of ids) this.#holds.forgetLock(sourceInId(id), id);
  }

  #count(source: string, type: EventType): void {
    const counts = this.#events.get(source) ?? new Map<EventType, number>();
    this.#events.set(source, counts);
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }

  #wokenUp(event: LockEvent): void {
    const { source, kind, at, because = [] } = event;
    const published = because.map((seq) => this.#messages.get(seq)).find((found) => found !== undefined);
    if (published === undefined) return;
    observe(this.#wakeUps, event, { source, kind }, Math.max(0, millisBetween(published, at)) / 1000);
  }
}

function listenerTo(to: Exposition, onHold: (event: LockEvent, heldMs: number) => void): HoldListener {
  const lengths = to.histogram({
    name: 'lockscope_hold_duration_seconds',
    help: 'From the acquisition to the end of the hold. End: released, expired, removed, or unknown. Absent at level snapshot.',
    ...{ labelNames: ['source', 'kind', 'end'], buckets: LENGTHS },
  });
  const shares = to.histogram({
    name: 'lockscope_lease_headroom_ratio',
    help: 'The share of the lease that was left. At: release, renewal (by the watchdog), or end (the hold ended, but it was not seen how).',
    ...{ labelNames: ['source', 'kind', 'at'], buckets: SHARES },
  });
  return {
    ended(event, end, heldMs) {
      observe(lengths, event, { ...placeOf(event), end }, heldMs / 1000);
      onHold(event, heldMs);
    },
    leaseLeft: (event, at, share) => observe(shares, event, { ...placeOf(event), at }, share),
  };
}

function placeOf({ source, kind }: LockEvent) {
  return { source, kind };
}

type Observed<L extends string> = {
  observe(of: { labels: Record<L, string>; value: number; exemplarLabels: Record<string, string> }): void;
};

/** Observes a value, with the instant and the `seq` of its event in the form of links to the page. */
function observe<L extends string>(to: Observed<L>, event: LockEvent, labels: Record<L, string>, value: number): void {
  to.observe({ labels, value, exemplarLabels: { at: instantText(event.at), seq: String(event.seq) } });
}

/** An instant in seconds, in the form of `at` in a link. Integers are written several times faster than fractions. */
function instantText(at: RedisTime): string {
  return `${Math.floor(at / 1_000_000)}.${String(at % 1_000_000).padStart(6, '0')}s`;
}
