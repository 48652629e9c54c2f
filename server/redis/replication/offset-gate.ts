import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { EffectGroup } from '../../../shared/replication/effects.ts';
import type { BookmarkSignal } from '../../../shared/signals/signal.ts';
import { afterOwnTime } from '../connection/own-time.ts';
import { stopTimer, type Timer } from '../connection/surroundings.ts';
import type { ReadsAt } from '../reads/read-replies.ts';

/** A read that gets no reply, or whose offset is never reached, must not hold the stream back for longer. */
const HELD_MS = 3000;
/** How many bytes of the replication stream may be held back. */
const MOST_HELD = 64 * 1024 * 1024;

type Sink = {
  /** The time of the next signal: `micros`, by Redis's clock, or the time of the newest signal if that is later. */
  moment(micros: number): RedisTime;
  emit(signal: EffectGroup | BookmarkSignal): void;
  /** A read was not placed within 3 s. */
  onLost(): void;
  /** More than 64 MB of the stream are held; everything after them is dropped. */
  onFull(): void;
};

type Waiting = {
  readonly token: string;
  readonly done: () => void;
  found?: { readonly reads: ReadsAt; readonly offset: number; readonly at: number };
};

/**
 * Places the reply to a read among the effects by its replication offset: the read reports the offset at which it was
 * made. From when a read is sent until it is placed, effects are held back.
 *
 *   stream   … 700 HINCRBY · 760 PEXPIREAT · 790 DEL …
 *   reply    "at offset 760"              └ belongs here
 */
export class OffsetGate {
  readonly #sink: Sink;
  #held: EffectGroup[] = [];
  #isHeld = false;
  #waiting: Waiting | undefined;
  #timer: Timer | undefined;
  /** The offset until which the stream has arrived, and that of the oldest effect that is held. */
  #reached = 0;
  #heldFrom = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  get isHolding(): boolean {
    return this.#isHeld || this.#waiting !== undefined;
  }

  /**
   * Expects the reply to a read that is sent now. Calls `done` once it is placed, after 3 s, or at `settle` or `drop`.
   */
  expect(token: string, done: () => void): void {
    this.#waiting = { token, done };
    stopTimer(this.#timer);
    this.#timer = afterOwnTime(HELD_MS, () => {
      this.#sink.onLost();
      this.settle();
    });
  }

  /** Holds everything back until `settle`. */
  hold(): void {
    this.#isHeld = true;
  }

  /** The next effects of the stream. */
  pass(group: EffectGroup): void {
    if (!this.isHolding) return this.#sink.emit(group);
    if (this.#held.length === 0) this.#heldFrom = group.offset;
    if (group.offset - this.#heldFrom > MOST_HELD) return this.#sink.onFull();
    this.#held.push(group);
  }

  /** Notes that everything up to this offset has arrived. */
  reach(offset: number): void {
    this.#reached = offset;
    const found = this.#waiting?.found;
    if (found && !this.#isHeld && offset >= found.offset) this.#place();
  }

  /** The reply to a read, and the offset and the server's time (µs) at which it was made. */
  reply(token: string, reads: ReadsAt, offset: number, at: number): void {
    if (this.#waiting?.token !== token) return;
    this.#waiting.found = { reads, offset, at };
    this.reach(this.#reached);
  }

  /** Ends the wait for a read and emits what was held back. */
  settle(): void {
    stopTimer(this.#timer);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#isHeld = false;
    for (const group of this.#held.splice(0)) this.#sink.emit(group);
    waiting?.done();
  }

  /** Ends the wait for a read and drops what was held back. */
  drop(): void {
    this.#held = [];
    this.settle();
  }

  #place(): void {
    const { found } = this.#waiting ?? {};
    if (!found) return;
    const isAfter = (group: EffectGroup) => group.offset > found.offset;
    const split = this.#held.findIndex(isAfter);
    const before = this.#held.splice(0, split === -1 ? this.#held.length : split);
    for (const group of before) this.#sink.emit(group);
    // Effects behind the read have a time already, and times never go back.
    const [next] = this.#held;
    const earliest = before.at(-1)?.at ?? 0;
    const at = next
      ? redisTime(Math.min(next.at, Math.max(earliest, found.at)))
      : this.#sink.moment(Math.max(earliest, found.at));
    this.#sink.emit({ kind: 'bookmark', at, reads: found.reads(at) });
    this.settle();
  }
}
