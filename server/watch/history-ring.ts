import { millisBetween, type RedisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { EventHistory } from './observatory.ts';

const MOST_EVENTS = 500_000;
const MOST_BYTES = 256 * 1024 * 1024;
const LONGEST_MS = 60 * 60 * 1000;
/** What an event takes in memory beside its texts: measured on real events, rounded up. */
const EVENT_BYTES = 420;

/**
 * The newest events, oldest first: at most 256 MB (estimated) or one hour, whichever is smaller.
 *
 * `seq` rises by one without gaps, so an event's place is its distance from the oldest one kept.
 */
export class HistoryRing implements Omit<EventHistory, 'signals'> {
  #events: LockEvent[] = [];
  /** Index of the oldest event kept; what lies before it is dropped now and then in one go. */
  #start = 0;
  #bytes = 0;
  #nextSeq = 1;
  #isCapped = false;

  add(event: LockEvent): void {
    this.#events.push(event);
    this.#bytes += sizeOf(event);
    this.#nextSeq = event.seq + 1;
    while (this.count() > 1 && this.#isOver(event.at)) {
      const oldest = this.#events[this.#start++];
      if (oldest) this.#bytes -= sizeOf(oldest);
      this.#isCapped = true;
    }
    if (this.#start > 10_000 && this.#start * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#start);
      this.#start = 0;
    }
  }

  oldestSeq(): number {
    return this.#events[this.#start]?.seq ?? this.#nextSeq;
  }

  nextSeq(): number {
    return this.#nextSeq;
  }

  count(): number {
    return this.#events.length - this.#start;
  }

  isCapped(): boolean {
    return this.#isCapped;
  }

  after(seq: number, limit: number): LockEvent[] | undefined {
    if (seq + 1 < this.oldestSeq() || seq >= this.#nextSeq) return undefined;
    const from = this.#start + seq + 1 - this.oldestSeq();
    return this.#events.slice(from, from + limit);
  }

  get(seq: number): LockEvent | undefined {
    return seq < this.oldestSeq() ? undefined : this.#events[this.#start + seq - this.oldestSeq()];
  }

  /** Puts a corrected event in the place of the one with its `seq`, if that is still kept. */
  amend(event: LockEvent): void {
    const place = this.#start + event.seq - this.oldestSeq();
    if (event.seq >= this.oldestSeq() && place < this.#events.length) this.#events[place] = event;
  }

  find(query: Parameters<EventHistory['find']>[0]): LockEvent[] {
    const { after, limit } = query;
    const found: LockEvent[] = [];
    if (after !== undefined) {
      const from = this.#start + Math.max(0, after + 1 - this.oldestSeq());
      for (let i = from; i < this.#events.length && found.length < limit; i++) {
        const event = this.#events[i];
        if (event && matches(event, query)) found.push(event);
      }
      return found;
    }
    for (let i = this.#events.length - 1; i >= this.#start && found.length < limit; i--) {
      const event = this.#events[i];
      if (event && matches(event, query)) found.push(event);
    }
    return found.reverse();
  }

  /** Every event kept, oldest first. */
  *all(): Generator<LockEvent> {
    for (let i = this.#start; i < this.#events.length; i++) {
      const event = this.#events[i];
      if (event) yield event;
    }
  }

  #isOver(now: RedisTime): boolean {
    const oldest = this.#events[this.#start];
    if (!oldest) return false;
    return this.count() > MOST_EVENTS || this.#bytes > MOST_BYTES || millisBetween(oldest.at, now) > LONGEST_MS;
  }
}

function matches(event: LockEvent, query: Parameters<EventHistory['find']>[0]): boolean {
  if (query.lock !== undefined && event.lock !== query.lock) return false;
  if (query.type !== undefined && event.type !== query.type) return false;
  if (query.source !== undefined && event.source !== query.source) return false;
  if (query.group !== undefined && event.group !== query.group) return false;
  return query.holder === undefined || ('holder' in event && event.holder === query.holder);
}

function sizeOf(event: LockEvent): number {
  const holder = 'holder' in event ? (event.holder?.length ?? 0) : 0;
  return EVENT_BYTES + 2 * (event.lock.length + holder);
}
