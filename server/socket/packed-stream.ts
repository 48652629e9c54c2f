import type { LockEvent } from '../../shared/events/event.ts';
import { LockBook } from '../../shared/wire/lock-book.ts';
import { EventPacker } from '../../shared/wire/packed-events.ts';
import type { PackedMessage } from '../../shared/wire/socket.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { Changes } from './change-log.ts';

/** Words and locks remembered for the pages; with more it begins anew. */
const MOST_REMEMBERED = 100_000;

/** What came since the stream's last message. */
export type News = {
  readonly events: readonly LockEvent[];
  readonly changes: Changes;
  readonly to: number;
  readonly tick: number;
  readonly skipped: number;
};

/**
 * The stream of those pages that keep step: all of them stand at the same place and were told the same since it began,
 * so one message does for all, and says nothing twice.
 *
 *   begins            fresh message     message     message …        a page that falls behind leaves it,
 *   (members join)    ▲ forget all                                   and joins when it begins anew
 */
export class PackedStream {
  readonly #observatory: Observatory;
  #packer = new EventPacker();
  #book = new LockBook();
  #isFresh = true;
  seq = 0;
  tick = 0;

  constructor(observatory: Observatory) {
    this.#observatory = observatory;
  }

  /** Forgets all that was told: from here on the members are others. */
  beginAt(seq: number, tick: number): void {
    this.#packer = new EventPacker();
    this.#book = new LockBook();
    this.#isFresh = true;
    this.seq = seq;
    this.tick = tick;
  }

  /** The next message; undefined where there is nothing to tell. The stream stands behind it then. */
  next({ events, changes, to, tick, skipped }: News): PackedMessage | undefined {
    if (this.#packer.size + this.#book.size > MOST_REMEMBERED) this.beginAt(this.seq, this.tick);
    const fromSeq = this.seq + 1;
    this.seq = to;
    this.tick = tick;
    const at = this.#observatory.now();
    const touched = this.#book.foresee(events, at);
    const gone = new Set(changes.gone);
    const locks: PackedMessage['locks'] = [];
    for (const id of new Set([...touched, ...changes.changed])) {
      const lock = this.#observatory.lockById(id);
      if (!lock) gone.add(id);
      else {
        const patch = this.#book.patchFor(lock);
        if (!patch) continue;
        locks.push([id, patch]);
        this.#book.correct(id, patch, at);
      }
    }
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
