import { millisBetween, type RedisTime } from '../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../shared/events/event.ts';
import { thinRuns } from '../../shared/spans/thin-runs.ts';
import type { EventHistory, EventQuery } from './observatory.ts';
import { AttemptPacker, PackedAttempt } from './packed-attempts.ts';

const MOST_EVENTS = 500_000;
const MOST_BYTES = 256 * 1024 * 1024;
const LONGEST_MS = 60 * 60 * 1000;
/** What an event takes in memory beside its texts: measured on real events, rounded up. */
const EVENT_BYTES = 420;
const PACKED_BYTES = 80;
/** As many packed attempts count as one event. */
const PACKED_AS_ONE = 8;

type Kept = LockEvent | PackedAttempt;

/**
 * The newest events, oldest first: at most 256 MB (estimated) or one hour, whichever is smaller.
 *
 * `seq` rises by one without gaps, so an event's place is its distance from the oldest one kept. Attempts of a hot loop
 * are packed, so that thousands a second push little else out.
 */
export class HistoryRing implements Omit<EventHistory, 'signals'> {
  #events: Kept[] = [];
  #packer = new AttemptPacker();
  #packed = 0;
  /** Index of the oldest event kept; what lies before it is dropped now and then in one go. */
  #start = 0;
  #bytes = 0;
  #nextSeq = 1;
  #isCapped = false;

  add(event: LockEvent): void {
    const kept = this.#packer.pack(event);
    this.#events.push(kept);
    this.#bytes += sizeOf(kept);
    if (kept instanceof PackedAttempt) this.#packed++;
    this.#nextSeq = event.seq + 1;
    while (this.count() > 1 && this.#isOver(event.at)) {
      const oldest = this.#events[this.#start++];
      if (oldest) this.#bytes -= sizeOf(oldest);
      if (oldest instanceof PackedAttempt) this.#packed--;
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
    return this.#events.slice(from, from + limit).map(whole);
  }

  get(seq: number): LockEvent | undefined {
    const kept = seq < this.oldestSeq() ? undefined : this.#events[this.#start + seq - this.oldestSeq()];
    return kept && whole(kept);
  }

  /** Puts a corrected event in the place of the one with its `seq`, if that is still kept. */
  amend(event: LockEvent): void {
    const place = this.#start + event.seq - this.oldestSeq();
    const before = this.#events[place];
    if (event.seq < this.oldestSeq() || !before) return;
    if (before instanceof PackedAttempt) this.#packed--;
    this.#bytes += sizeOf(event) - sizeOf(before);
    this.#events[place] = event;
  }

  find(query: EventQuery): LockEvent[] {
    return this.search(query).events;
  }

  search(query: EventQuery): { events: LockEvent[]; isCut: boolean } {
    const { after, before = this.#nextSeq, limit, dense = false } = query;
    const found: Kept[] = [];
    // where runs are to be told by their ends, what is packed is not counted
    let count = 0;
    const take = (kept: Kept | undefined) => {
      if (!kept || !matches(kept instanceof PackedAttempt ? kept.like : kept, query)) return;
      found.push(kept);
      if (!dense || !(kept instanceof PackedAttempt)) count++;
    };
    if (after !== undefined) {
      const from = this.#start + Math.max(0, after + 1 - this.oldestSeq());
      for (let i = from; i < this.#events.length && count < limit; i++) take(this.#events[i]);
    } else {
      const newest = this.#start + Math.min(before, this.#nextSeq) - 1 - this.oldestSeq();
      for (let i = newest; i >= this.#start && count < limit; i--) take(this.#events[i]);
      found.reverse();
    }
    const events = dense ? thinRuns([...endsOfRuns(found)].map(whole)) : found.map(whole);
    return { events, isCut: count >= limit };
  }

  /** Every event kept, oldest first. */
  *all(): Generator<LockEvent> {
    for (let i = this.#start; i < this.#events.length; i++) {
      const event = this.#events[i];
      if (event) yield whole(event);
    }
  }

  /** The same without what lies in the midst of dense runs, for those who ask for beginnings and ends. */
  *ends(): Generator<LockEvent> {
    for (const kept of endsOfRuns(this.#events, this.#start)) yield whole(kept);
  }

  #isOver(now: RedisTime): boolean {
    const oldest = this.#events[this.#start];
    if (!oldest) return false;
    const count = this.count() - this.#packed * (1 - 1 / PACKED_AS_ONE);
    return count > MOST_EVENTS || this.#bytes > MOST_BYTES || millisBetween(oldest.at, now) > LONGEST_MS;
  }
}

/** A list from `start` on, without the midst of runs, as far as they are packed. */
function* endsOfRuns(list: readonly Kept[], start = 0): Generator<Kept> {
  const last = new Map<LockEvent, Kept>();
  for (let i = start; i < list.length; i++) {
    const kept = list[i];
    if (kept instanceof PackedAttempt) last.set(kept.like, kept);
  }
  for (let i = start; i < list.length; i++) {
    const kept = list[i];
    if (kept && (!(kept instanceof PackedAttempt) || last.get(kept.like) === kept)) yield kept;
  }
}

function whole(kept: Kept): LockEvent {
  return kept instanceof PackedAttempt ? kept.whole() : kept;
}

function matches(event: LockEvent, query: EventQuery): boolean {
  if (!isAt(event, query)) return false;
  if (query.type !== undefined && event.type !== query.type) return false;
  if (query.group !== undefined && event.group !== query.group) return false;
  return query.holder === undefined || ('holder' in event && event.holder === query.holder);
}

function sizeOf(event: Kept): number {
  if (event instanceof PackedAttempt) return PACKED_BYTES;
  const holder = 'holder' in event ? (event.holder?.length ?? 0) : 0;
  return EVENT_BYTES + 2 * (event.lock.length + holder);
}

/** Whether an event is of the lock, source and database that are asked for; what is not said fits any. */
export function isAt(event: LockEvent, { lock, source, db }: Pick<EventQuery, 'lock' | 'source' | 'db'>): boolean {
  if (lock !== undefined && (event.lock !== lock || isOfSource(event))) return false;
  if (source !== undefined && event.source !== source) return false;
  return db === undefined || event.db === db;
}
