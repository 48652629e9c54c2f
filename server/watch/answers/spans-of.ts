import { redisTime } from '../../../shared/base/time.ts';
import type { Hold } from '../../../shared/spans/holds-from-events.ts';
import type { Wait } from '../../../shared/spans/wait.ts';
import { seqBefore } from '../../../shared/state/replay/replay.ts';
import type { Span } from '../../../shared/wire/http.ts';
import type { Checkpoint } from '../history/checkpoint.ts';
import { readSpans, type SpansRead } from '../history/read-spans.ts';
import type { Remembered } from '../history/remembered.ts';
import type { Sliced } from '../slices/in-slices.ts';
import { bytesOf } from '../terms/bytes-of.ts';
import type { SpanQuery } from '../terms/queries.ts';

type Spans = { readonly spans: Span[]; readonly truncated: boolean };

const MOST_SPANS = 10_000;
const MOST_BYTES = 8 * 1024 * 1024;
/** How many events are read first if all locks are requested: 10,000 spans have about this many. */
const FIRST_EVENTS = 60_000;

/**
 * Holds and waits that touch the range `from`..`to` (Redis time, µs), oldest first: the newest 10,000.
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

/** Whether every span that ended before the checkpoint is older than these. */
function isAllBehind({ spans }: Spans, { blocks }: Remembered, { afterSeq }: Checkpoint): boolean {
  const oldest = spans[0]?.from ?? 0;
  return blocks.every(({ firstSeq, newestAt }) => firstSeq > afterSeq || newestAt < oldest);
}

function* spansFrom(memory: Remembered, checkpoint: Checkpoint | undefined, query: SpanQuery): Sliced<Spans> {
  const kept = new NewestSpans(query);
  yield* readSpans(memory, checkpoint, query, kept);
  return kept.all();
}

/** Where reading begins. For a single lock, everything in memory is read, so that no renewal is missed. */
export function firstOfInterest(memory: Remembered, { from, lock }: SpanQuery): Checkpoint | undefined {
  if (from === undefined || lock !== undefined) return memory.checkpoints[0];
  const seq = seqBefore(memory, redisTime(from));
  return memory.checkpoints.findLast(({ afterSeq }) => afterSeq <= seq);
}

/** Keeps the newest spans that touch a range of time. */
class NewestSpans {
  isCut = false;
  #spans: Span[] = [];
  readonly #query: SpanQuery;

  constructor(query: SpanQuery) {
    this.#query = query;
  }

  add({ of, holds, waits }: SpansRead): void {
    const spans = [...holds.map((hold) => spanOfHold(of, hold)), ...waits.map((wait) => spanOfWait(of, wait))];
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
    openStart: wait.isOpenStart,
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
