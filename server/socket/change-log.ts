import type { ObservedBatch } from '../watch/terms/observed-batch.ts';
import { RecentIds } from './recent-ids.ts';

const USUAL_BYTES = 16 * 1024 * 1024;
/** The part of the memory for ids of locks that are gone. */
const GONE_PART = 0.1;

/** What changed since some moment: ids of changed locks, ids of removed locks, and whether sources changed. */
export type Changes = {
  readonly changed: readonly string[];
  readonly gone: readonly string[];
  readonly haveSourcesChanged: boolean;
};

/** Which locks changed when. A page that is behind gets each changed lock once, however often it changed. */
export class ChangeLog {
  readonly #changed: RecentIds;
  readonly #gone: RecentIds;
  readonly #startSeq: number;
  #sourcesTick = 0;
  #tick = 0;
  #seq: number;

  /** Starts to remember after the event `startSeq`. */
  constructor(startSeq: number, mostBytes = USUAL_BYTES) {
    this.#changed = new RecentIds((1 - GONE_PART) * mostBytes);
    this.#gone = new RecentIds(GONE_PART * mostBytes);
    this.#startSeq = startSeq;
    this.#seq = startSeq;
  }

  /** The number of batches noted. */
  get tick(): number {
    return this.#tick;
  }

  note(batch: ObservedBatch): void {
    this.#tick += 1;
    this.#seq = Math.max(this.#seq, batch.toSeq);
    for (const id of batch.changed) {
      this.#changed.touch(id, this.#tick, this.#seq);
      this.#gone.remove(id);
    }
    for (const id of batch.gone) {
      this.#gone.touch(id, this.#tick, this.#seq);
      this.#changed.remove(id);
    }
    if (batch.sourcesChanged) this.#sourcesTick = this.#tick;
  }

  /** What changed after that tick; `undefined` if some changes are forgotten. */
  since(tick: number): Changes | undefined {
    const changed = this.#changed.since(tick, this.#tick);
    const gone = this.#gone.since(tick, this.#tick);
    return changed && gone && { changed, gone, haveSourcesChanged: this.#sourcesTick > tick };
  }

  /**
   * What changed for a page that has all events up to `seq`; `undefined` if some changes are forgotten. May include
   * locks that the page already has. Sources always count as changed.
   */
  sinceSeq(seq: number): Changes | undefined {
    if (seq < this.#startSeq) return undefined;
    const changed = this.#changed.sinceSeq(seq);
    const gone = this.#gone.sinceSeq(seq);
    return changed && gone && { changed, gone, haveSourcesChanged: true };
  }
}
