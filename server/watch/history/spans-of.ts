import { redisTime } from '../../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import { type Hold, HoldReader } from '../../../shared/spans/holds-from-events.ts';
import type { Wait } from '../../../shared/spans/wait.ts';
import { WaitReader } from '../../../shared/spans/waits-from-events.ts';
import { idOf, type LockState, lockIdOf } from '../../../shared/state/lock-state.ts';
import { isAt, isWanted } from '../../../shared/state/replay/lock-filter.ts';
import { seqBefore } from '../../../shared/state/replay/replay.ts';
import type { Span } from '../../../shared/wire/http.ts';
import { inParts, type Sliced } from '../slices/in-slices.ts';
import { bytesOf } from './bytes-of.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { SpanQuery } from './queries.ts';
import type { Remembered } from './remembered.ts';

export type Spans = { readonly spans: Span[]; readonly truncated: boolean };

const MOST_SPANS = 10_000;
const MOST_BYTES = 8 * 1024 * 1024;
/** How many locks are read at the same time. */
const MOST_READERS = 50_000;
const DRAIN_AT = 32;
/** Events that are read first if all locks are asked for: 10,000 spans have about this many. */
const FIRST_EVENTS = 60_000;

/**
 * Holds and waits that touch the stretch `from`..`to` (Redis time, µs), oldest first: the newest 10,000.
 *
 * To find the newest spans, not all events are read:
 *
 *   ◆ ······ ◆ ······ ◆ events ◆ events ◆ events
 *                     └ 10,000 spans begin after it?   if not, an earlier checkpoint is tried
 */
export function* spansOf(memory: Remembered, query: SpanQuery): Sliced<Spans> {
  const first = firstOfInterest(memory, query);
  const lastSeq = query.to === undefined ? memory.nextSeq - 1 : seqBefore(memory, redisTime(query.to));
  for (let events = FIRST_EVENTS; query.lock === undefined; events *= 4) {
    const from = memory.checkpoints.findLast(({ afterSeq }) => afterSeq <= lastSeq - events);
    if (!from || from.afterSeq <= (first?.afterSeq ?? 0)) break;
    const newest = yield* spansFrom(memory, from, query);
    if (newest.truncated && isAllBehind(newest, memory, from)) return newest;
  }
  return yield* spansFrom(memory, first, query);
}

/** Whether no span that ended before the checkpoint can be newer than these. */
function isAllBehind({ spans }: Spans, { blocks }: Remembered, { afterSeq }: Checkpoint): boolean {
  const oldest = spans[0]?.from ?? 0;
  return blocks.every(({ firstSeq, newestAt }) => firstSeq > afterSeq || newestAt < oldest);
}

/**
 * Reads events once, oldest first, from a checkpoint on. A span that is open at the checkpoint has its true beginning. A
 * lock takes memory only while it is held or waited for.
 */
function* spansFrom(memory: Remembered, checkpoint: Checkpoint | undefined, query: SpanQuery): Sliced<Spans> {
  const { blocks, nextSeq } = memory;
  const readers = new Map<string, LockReader>();
  const kept = new NewestSpans(query);
  for (const locks of checkpoint?.busy(query.lock) ?? []) {
    for (const lock of locks) if (isWanted(lock, query)) readers.set(idOf(lock), new LockReader(lock, lock));
    yield;
  }
  for (const block of blocks) {
    if (checkpoint && block.lastSeq <= checkpoint.afterSeq) continue;
    if (query.to !== undefined && block.oldestAt > query.to && readers.size === 0) continue;
    if (query.lock !== undefined && !block.mayHaveLock(query.lock) && !block.hasType('blind-spot.began')) continue;
    for (const event of block.events()) {
      if (event.seq >= nextSeq) break;
      if (event.type === 'blind-spot.began') {
        for (const reader of readers.values()) if (reader.source === event.source) reader.take(event);
      }
      if (isOfSource(event) || !isAt(event, query)) continue;
      const id = lockIdOf(event);
      const known = readers.get(id);
      // A lock that is first held or waited for after the stretch does not matter.
      if (!known && query.to !== undefined && event.at > query.to) continue;
      const reader = known ?? new LockReader({ ...event, name: event.lock });
      reader.take(event);
      if (reader.isIdle) {
        kept.add(reader.finish());
        readers.delete(id);
      } else {
        if (reader.taken % DRAIN_AT === 0) kept.add(reader.drain());
        readers.set(id, reader);
      }
      if (readers.size > MOST_READERS) forgetOne(readers, kept);
    }
    yield;
  }
  for (const part of inParts(readers.values())) {
    for (const reader of part) kept.add(reader.finish());
    yield;
  }
  return kept.all();
}

/** Where reading begins. For a single lock, everything in memory is read, so that no renewal is missed. */
function firstOfInterest(memory: Remembered, { from, lock }: SpanQuery): Checkpoint | undefined {
  if (from === undefined || lock !== undefined) return memory.checkpoints[0];
  const seq = seqBefore(memory, redisTime(from));
  return memory.checkpoints.findLast(({ afterSeq }) => afterSeq <= seq);
}

/** Drops the reader of the lock that was met first. If its hold or wait goes on, later events begin a new span. */
function forgetOne(readers: Map<string, LockReader>, kept: NewestSpans): void {
  for (const [id, reader] of readers) {
    kept.add(reader.finish());
    kept.isCut = true;
    readers.delete(id);
    return;
  }
}

/** Reads the events of one lock. */
class LockReader {
  readonly source: string;
  taken = 0;
  readonly #of: Pick<Span, 'source' | 'db' | 'lock'>;
  readonly #holds: HoldReader;
  readonly #waits: WaitReader;

  /** `base`: the lock before its first event. */
  constructor({ source, db, name }: { source: string; db: number; name: string }, base?: LockState) {
    this.source = source;
    this.#of = { source, db, lock: name };
    this.#holds = new HoldReader(base);
    this.#waits = new WaitReader(base);
  }

  get isIdle(): boolean {
    return this.#holds.isIdle && this.#waits.isIdle;
  }

  take(event: LockEvent): void {
    this.taken++;
    this.#holds.take(event);
    this.#waits.take(event);
  }

  drain(): Span[] {
    return this.#spans(this.#holds.drain(), this.#waits.drain());
  }

  finish(): Span[] {
    return this.#spans(this.#holds.holds, this.#waits.finish());
  }

  #spans(holds: readonly Hold[], waits: readonly Wait[]): Span[] {
    return [...holds.map((hold) => spanOfHold(this.#of, hold)), ...waits.map((wait) => spanOfWait(this.#of, wait))];
  }
}

/** Keeps the newest spans that touch a stretch of time. */
class NewestSpans {
  isCut = false;
  #spans: Span[] = [];
  readonly #query: SpanQuery;

  constructor(query: SpanQuery) {
    this.#query = query;
  }

  add(spans: readonly Span[]): void {
    for (const span of spans) if (touches(span, this.#query)) this.#spans.push(span);
    if (this.#spans.length > 2 * MOST_SPANS) this.#cut();
  }

  all(): Spans {
    this.#cut();
    return { spans: this.#spans, truncated: this.isCut };
  }

  #cut(): void {
    this.#spans.sort((a, b) => a.from - b.from || a.fromSeq - b.fromSeq);
    let first = this.#spans.length;
    for (let bytes = 0; first > 0 && this.#spans.length - first < MOST_SPANS; first--) {
      bytes += bytesOf(this.#spans[first - 1]);
      if (bytes > MOST_BYTES) break;
    }
    if (first > 0) this.isCut = true;
    this.#spans = this.#spans.slice(first);
  }
}

function spanOfHold(of: Pick<Span, 'source' | 'db' | 'lock'>, hold: Hold): Span {
  return {
    kind: 'hold',
    ...of,
    holder: hold.holder,
    from: hold.from,
    to: hold.to,
    ended: hold.ended,
    openStart: hold.isOpenStart,
    deepest: hold.deepest,
    renewals: hold.renewals,
    ...(hold.renewalsBefore === undefined ? {} : { renewalsBefore: hold.renewalsBefore }),
    fromSeq: hold.fromSeq,
    toSeq: hold.toSeq,
  };
}

function spanOfWait(of: Pick<Span, 'source' | 'db' | 'lock'>, wait: Wait): Span {
  return {
    kind: 'wait',
    ...of,
    holder: wait.holder,
    from: wait.from,
    to: wait.to,
    ended: wait.ended,
    openStart: false,
    attempts: wait.attempts,
    fromSeq: wait.fromSeq,
    toSeq: wait.toSeq,
  };
}

function touches(span: Span, query: SpanQuery): boolean {
  if (query.minMs !== undefined && span.to !== null && span.to - span.from < query.minMs * 1000) return false;
  if (query.to !== undefined && span.from > query.to) return false;
  return query.from === undefined || span.to === null || span.to >= query.from;
}
