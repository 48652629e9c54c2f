import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { Signal } from '../../shared/signals/signal.ts';
import type { ReadsAt } from './key-reads.ts';

type Waiting = {
  readonly token: string;
  readonly done: () => void;
  reads: ReadsAt | undefined;
  /** Where its line stood, once the stream has come to it. */
  reachedAt: RedisTime | undefined;
};

/** A bookmark whose reply or line never comes must not hold the stream for ever. */
const HELD_MS = 3000;

/**
 * Puts a read's reply into the stream exactly where its mark stands, whichever of the two comes first.
 *
 *   stream   … line · push · mark │ line · line …     reply still missing: what follows is held back
 *   reply                         └ belongs here
 */
export class BookmarkGate {
  readonly #emit: (signal: Signal | 'other') => void;
  readonly #onLost: () => void;
  #waiting: Waiting | undefined;
  #held: (Signal | 'other')[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(emit: (signal: Signal | 'other') => void, onLost: () => void) {
    this.#emit = emit;
    this.#onLost = onLost;
  }

  /** Whether the stream is held back right now. */
  get isHolding(): boolean {
    return this.#waiting?.reachedAt !== undefined;
  }

  /** Expects a mark and a reply; `done` is called once they have met, or when one of them does not come. */
  expect(token: string, done: () => void): void {
    this.#waiting = { token, done, reads: undefined, reachedAt: undefined };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#onLost();
      this.settle();
    }, HELD_MS);
  }

  /** Holds everything back until `settle`. */
  hold(): void {
    this.#waiting = { token: '', done: () => {}, reads: undefined, reachedAt: redisTime(0) };
  }

  /** The next signal of the stream. */
  pass(signal: Signal | 'other'): void {
    if (this.isHolding) this.#held.push(signal);
    else this.#emit(signal);
  }

  /** The stream has come to a mark's line. Marks of nobody waiting are nothing to us. */
  mark(token: string, at: RedisTime): void {
    const waiting = this.#waiting;
    if (waiting?.token !== token) return;
    if (waiting.reads) {
      this.#emit({ kind: 'bookmark', at, reads: waiting.reads(at) });
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
    this.#emit({ kind: 'bookmark', at: waiting.reachedAt, reads: reads(waiting.reachedAt) });
    this.settle();
  }

  /** Ends the wait and lets go what was held back. */
  settle(): void {
    const done = this.#waiting?.done;
    const held = this.#held;
    clearTimeout(this.#timer);
    this.#waiting = undefined;
    this.#held = [];
    for (const signal of held) this.#emit(signal);
    done?.();
  }
}
