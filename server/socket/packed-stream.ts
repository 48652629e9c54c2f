import type { LockEvent } from '../../shared/events/event.ts';
import { LockPredictor } from '../../shared/wire/lock-predictor.ts';
import { EventPacker } from '../../shared/wire/packed-events.ts';
import type { PackedMessage } from '../../shared/wire/socket.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { Changes } from './change-log.ts';
import { MOST_WEIGHT, weightOf } from './weight.ts';

/** Most words and locks remembered for the members; with more, the stream starts again. */
const MOST_REMEMBERED = 100_000;
/** Most characters of lock names sent since it started: a name may have a megabyte. */
const MOST_LETTERS = 8_000_000;

/** What is new since the last message. `skipped` counts events that are not sent. */
export type News = {
  readonly events: readonly LockEvent[];
  readonly changes: Changes;
  readonly to: number;
  readonly tick: number;
  readonly skipped: number;
};

/**
 * The stream of all pages that are up to date. They have the same position and received the same messages since it
 * started. So one message serves all of them, and repeats nothing.
 *
 *   starts            fresh message     message     message …        a page that falls behind leaves it,
 *   (members join)    ▲ forget all                                   and joins when it starts again
 */
export class PackedStream {
  readonly #observatory: Observatory;
  #packer = new EventPacker();
  #book = new LockPredictor();
  #isFresh = true;
  #letters = 0;
  seq = 0;
  tick = 0;

  constructor(observatory: Observatory) {
    this.#observatory = observatory;
  }

  /** Starts again at this position, with new members: forgets everything sent before. */
  beginAt(seq: number, tick: number): void {
    this.#packer = new EventPacker();
    this.#book = new LockPredictor();
    this.#isFresh = true;
    this.#letters = 0;
    this.seq = seq;
    this.tick = tick;
  }

  /**
   * The next message; `undefined` if there is nothing to send. If it would be too large, returns `too-much` and starts
   * again after it; the members need a snapshot.
   */
  next({ events, changes, to, tick, skipped }: News): PackedMessage | 'too-much' | undefined {
    const isFull = this.#packer.size + this.#book.size > MOST_REMEMBERED || this.#letters > MOST_LETTERS;
    if (isFull) this.beginAt(this.seq, this.tick);
    const fromSeq = this.seq + 1;
    this.seq = to;
    this.tick = tick;
    const at = this.#observatory.now();
    const touched = this.#book.predict(events, at);
    const gone = new Set(changes.gone);
    const locks: PackedMessage['locks'] = [];
    let weight = 0;
    for (const id of new Set([...touched, ...changes.changed])) {
      const lock = this.#observatory.lockById(id);
      if (!lock) gone.add(id);
      else {
        const patch = this.#book.patchFor(lock);
        if (!patch) continue;
        weight += weightOf(id) + weightOf(patch);
        if (weight > MOST_WEIGHT) break;
        locks.push([id, patch]);
        this.#book.correct(id, patch, at);
      }
    }
    if (weight + weightOf([...gone]) > MOST_WEIGHT) {
      this.beginAt(to, tick);
      return 'too-much';
    }
    for (const { lock } of events) this.#letters += lock.length;
    for (const [id] of locks) this.#letters += id.length;
    for (const id of gone) this.#book.forget(id);
    if (events.length + locks.length + gone.size + skipped === 0 && !changes.sources) return undefined;
    const isFresh = this.#isFresh;
    this.#isFresh = false;
    return {
      v: 1,
      ...(isFresh ? { fresh: true } : {}),
      fromSeq,
      toSeq: to,
      at,
      events: this.#packer.pack(events),
      locks,
      gone: [...gone],
      ...(changes.sources ? { sources: this.#observatory.sources() } : {}),
      ...(skipped > 0 ? { skipped } : {}),
    };
  }
}
