import { once } from 'node:events';
import type { Response } from 'express';
import type { LockEvent } from '../../../shared/events/event.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { Observatory } from '../../watch/observatory.ts';
import type { EventQuery } from '../../watch/terms/queries.ts';
import { HttpProblem } from '../problems/problem.ts';

/** Streams that may be open at once. */
const MOST_STREAMS = 100;
/** A silent stream writes this often, because proxies and `server.timeout` end a connection without writes. */
const ALIVE_EVERY_MS = 15_000;
/** A reader that accepts nothing for this long is disconnected. It may resume when it reads again. */
const STUCK_MS = 60_000;
const RETRY_AFTER_S = 5;
/** How many events are read from memory at once. A write ends with the event that brings it to this length. */
const MOST_EVENTS = 250;
const MOST_CHARACTERS = 64 * 1024;

type Limits = { readonly most: number; readonly aliveMs: number; readonly stuckMs: number };
const LIMITS: Limits = { most: MOST_STREAMS, aliveMs: ALIVE_EVERY_MS, stuckMs: STUCK_MS };

/** Which events a stream sends: those after `after`. Absent `after`: only new events. */
type StreamQuery = Omit<EventQuery, 'before' | 'from' | 'to' | 'dense' | 'limit'>;

type Memory = Pick<Observatory, 'history' | 'onBatch'>;

/**
 * The open streams of server-sent events.
 *
 * The history is the queue, as it is for pages: each stream has a position in it. While a connection does not read,
 * nothing is read from the history. So a slow reader costs at most one write of memory, and gets a `resync` if the
 * events after its position are dropped meanwhile.
 */
export class EventStreams {
  readonly #limits: Limits;
  readonly #open = new Map<Response, AbortController>();

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Sends events until the client closes its connection, or until `end` or `close`. Throws a 503 if too many streams
   * are open.
   */
  async send(res: Response, memory: Memory, query: StreamQuery): Promise<void> {
    const { most, aliveMs } = this.#limits;
    if (this.#open.size >= most) {
      res.setHeader('Retry-After', RETRY_AFTER_S);
      throw new HttpProblem(503, problem('too-many-streams', { most }));
    }
    // Proxies such as nginx would hold events back.
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    if (res.req.method === 'HEAD') return void res.end();
    const end = new AbortController();
    this.#open.set(res, end);
    res.once('close', () => end.abort());
    const stream = new EventStream(res, memory, query, this.#limits.stuckMs);
    const timer = setInterval(() => stream.stayAlive(), aliveMs);
    try {
      await stream.run(end.signal);
    } catch (error) {
      if (!end.signal.aborted) throw error;
    } finally {
      clearInterval(timer);
      this.#open.delete(res);
    }
  }

  /** Ends a stream after a whole event. */
  end(res: Response): void {
    this.#open.get(res)?.abort();
    res.end();
  }

  /** Ends every stream. */
  close(): void {
    for (const res of this.#open.keys()) this.end(res);
  }
}

class EventStream {
  readonly #res: Response;
  readonly #memory: Memory;
  readonly #query: StreamQuery;
  readonly #stuckMs: number;
  /** Every event up to this `seq` has been sent, does not match the query, or is no longer in memory. */
  #position: number;
  /** The last `id` that was sent. */
  #id: number;

  constructor(res: Response, memory: Memory, query: StreamQuery, stuckMs: number) {
    this.#res = res;
    this.#memory = memory;
    this.#query = query;
    this.#stuckMs = stuckMs;
    this.#position = query.after ?? memory.history.nextSeq() - 1;
    this.#id = this.#position;
  }

  /** Sends the events after the position, then each new event. Rejects when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { history } = this.#memory;
    await this.#write(':\n\n', signal); // the reader sees at once that it is connected
    for (;;) {
      const next = { oldestSeq: history.oldestSeq(), nextSeq: history.nextSeq() };
      const isInMemory = this.#position + 1 >= next.oldestSeq && this.#position < next.nextSeq;
      if (!isInMemory) {
        this.#position = next.oldestSeq - 1;
        await this.#write(`event: resync\ndata: ${JSON.stringify(next)}\n\n`, signal);
      } else if (this.#position === next.nextSeq - 1) await this.#news(signal);
      else await this.#sendMore(next.nextSeq - 1, signal);
    }
  }

  /**
   * Sends a comment line, unless the connection is full. If events that the reader did not ask for were skipped, sends
   * the position as `id` too, so that the reader resumes after them.
   */
  stayAlive(): void {
    if (this.#res.writableEnded || this.#res.writableNeedDrain) return;
    const id = this.#position > this.#id ? `id: ${this.#position}\n` : '';
    this.#id = Math.max(this.#id, this.#position);
    this.#res.write(`:\n${id}\n`);
  }

  /** Sends events up to `newest`, as many as one write takes. */
  async #sendMore(newest: number, signal: AbortSignal): Promise<void> {
    const asked = { ...this.#query, after: this.#position, limit: MOST_EVENTS };
    const { events, isCut } = await this.#memory.history.search(asked, signal);
    let text = '';
    let sent = 0;
    for (; sent < events.length && text.length < MOST_CHARACTERS; sent++) text += textOf(events[sent]!); // below the length
    const last = events[sent - 1]?.seq;
    this.#position = last !== undefined && (isCut || sent < events.length) ? last : newest;
    if (last === undefined) return;
    this.#id = last;
    await this.#write(text, signal);
  }

  async #write(text: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#res.write(text)) return;
    const timer = setTimeout(() => this.#res.destroy(), this.#stuckMs);
    try {
      await once(this.#res, 'drain', { signal });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits for the next event. */
  #news(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted(); // rejects
      const { history, onBatch } = this.#memory;
      const end = () => {
        stop();
        reject(signal.reason);
      };
      const stop = onBatch(() => {
        if (history.nextSeq() - 1 === this.#position) return;
        stop();
        signal.removeEventListener('abort', end);
        resolve();
      });
      signal.addEventListener('abort', end, { once: true });
    });
  }
}

function textOf(event: LockEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
