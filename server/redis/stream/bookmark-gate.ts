import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LostLine, Signal } from '../../../shared/signals/signal.ts';
import { afterOwnTime } from '../connection/own-time.ts';
import { stopTimer, type Timer } from '../connection/surroundings.ts';
import type { ReadsAt } from '../reads/read-replies.ts';

type Waiting = {
  readonly token: string;
  readonly done: () => void;
  reads: ReadsAt | undefined;
  /** The time of the mark's line, once the stream has reached it. */
  reachedAt: RedisTime | undefined;
};

/** A bookmark whose reply or line never arrives must not hold the stream back for longer. */
const HELD_MS = 3000;
/** How many bytes of memory may be held back: a few seconds of a busy stream. */
export const MOST_HELD = 64 * 1024 * 1024;
/** About how many bytes a signal takes without its text; `other` is one shared string. */
const COST = { signal: 256, other: 8 };

/** The next item of the stream; `other`: a line that cannot matter. */
export type Streamed = Signal | LostLine | 'other';

type GateSink = {
  emit(signal: Streamed): void;
  /** A read of keys was not placed in the stream within 3 s. */
  onLost(): void;
  /** More than `MOST_HELD` bytes are held; everything after them is dropped. */
  onFull(): void;
};

/**
 * Puts a read's reply into the stream exactly where its mark is, whichever of the two arrives first.
 *
 *   stream   … line · push · mark │ line · line …     reply still missing: what follows is held back
 *   reply                         └ belongs here
 */
export class BookmarkGate {
  readonly #sink: GateSink;
  #waiting: Waiting | undefined;
  #held: Streamed[] = [];
  #heldBytes = 0;
  #timer: Timer | undefined;

  constructor(sink: GateSink) {
    this.#sink = sink;
  }

  /** Whether the stream is held back right now. */
  get isHolding(): boolean {
    return this.#waiting?.reachedAt !== undefined;
  }

  /** Expects a mark and a reply. Calls `done` once both have arrived, after 3 s, or at `settle` or `drop`. */
  expect(token: string, done: () => void): void {
    this.#waiting = { token, done, reads: undefined, reachedAt: undefined };
    stopTimer(this.#timer);
    this.#timer = afterOwnTime(HELD_MS, () => {
      this.#sink.onLost();
      this.settle();
    });
  }

  /** Holds everything back until `settle` or `drop`. */
  hold(): void {
    this.#waiting = { token: '', done: () => {}, reads: undefined, reachedAt: redisTime(0) };
  }

  /** The next signal of the stream. */
  pass(signal: Streamed): void {
    if (!this.isHolding) return this.#sink.emit(signal);
    if (this.#heldBytes > MOST_HELD) return;
    this.#held.push(signal);
    this.#heldBytes += bytesOf(signal);
    if (this.#heldBytes > MOST_HELD) this.#sink.onFull();
  }

  /** The stream has reached a mark's line. A mark that no read waits for is ignored. */
  mark(token: string, at: RedisTime): void {
    const waiting = this.#waiting;
    if (waiting?.token !== token) return;
    if (waiting.reads) {
      this.#sink.emit({ kind: 'bookmark', at, reads: waiting.reads(at) });
      this.settle();
    } else waiting.reachedAt = at;
  }

  reply(token: string, reads: ReadsAt): void {
    const waiting = this.#waiting;
    if (waiting?.token !== token) return;
    if (waiting.reachedAt === undefined) {
      waiting.reads = reads;
      return;
    }
    this.#sink.emit({ kind: 'bookmark', at: waiting.reachedAt, reads: reads(waiting.reachedAt) });
    this.settle();
  }

  /** Ends the wait for a mark and a reply, and emits what was held back. */
  settle(): void {
    const { done, held } = this.#take();
    for (const signal of held) this.#sink.emit(signal);
    done?.();
  }

  /** Ends the wait for a mark and a reply, and drops what was held back. */
  drop(): void {
    this.#take().done?.();
  }

  #take(): { done: (() => void) | undefined; held: Streamed[] } {
    stopTimer(this.#timer);
    const taken = { done: this.#waiting?.done, held: this.#held };
    this.#waiting = undefined;
    this.#held = [];
    this.#heldBytes = 0;
    return taken;
  }
}

function bytesOf(signal: Streamed): number {
  if (signal === 'other') return COST.other;
  if (signal.kind === 'line') return signal.words.reduce((bytes, word) => bytes + word.length, COST.signal);
  return COST.signal + (signal.kind === 'push' ? signal.channel.length + signal.message.length : 0);
}
