import { type Problem, problem } from '../../shared/wire/problems/problem.ts';
import { startTimer, stopTimer, type Timer } from '../redis/connection/surroundings.ts';
import { DatabaseError } from './database.ts';
import type { Batch, BlockText, CheckpointText, KnownSource } from './parts.ts';
import type { StoreLink } from './store-link.ts';
import { nameOfStore } from './store-name.ts';
import type { Until } from './tables.ts';

/** Text that may wait for a slow disk or a database that is gone, in characters; above that, storing fails. */
const MOST_WAITING = 32 * 1024 * 1024;
const RETRY_MS = 5000;

/** Is notified after each write, after a failure, and when storing is tried again. */
type WriterListener = {
  stored(blocks: readonly BlockText[]): void;
  /** Nothing is stored from here on, until `again`. Waiting batches are lost. */
  failed(): void;
  /** Storing is tried again, with another run. */
  again(): void;
};

/**
 * Writes batches, one at a time: what arrives meanwhile is the next batch. After a failure it tries again every 5 s. If
 * the database is gone, the batch is kept and written again. The database ignores rows that it already has.
 */
export class StoreWriter {
  readonly #link: StoreLink;
  readonly #file: string;
  readonly #listener: WriterListener;
  #waiting = new Waiting();
  #underWay: Promise<void> | undefined;
  #problem: Problem | undefined;
  #quote = '';
  #timer: Timer | undefined;
  /** The database is unavailable: nothing is written until the next attempt. */
  #isAway = false;

  constructor(link: StoreLink, path: string, listener: WriterListener) {
    this.#link = link;
    this.#file = nameOfStore(path);
    this.#listener = listener;
  }

  /** Why nothing is stored; undefined: the last write succeeded, or nothing was written yet. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  addRun(run: Batch['runs'][number]): void {
    this.#waiting.runs.push(run);
    this.#begin();
  }

  addBlock(block: BlockText): void {
    this.#waiting.blocks.push(block);
    this.#waiting.characters += block.text.length;
    this.#begin();
  }

  addCheckpoint(checkpoint: CheckpointText): void {
    this.#waiting.checkpoints.push(checkpoint);
    this.#waiting.characters += checkpoint.text.length;
    this.#begin();
  }

  /** Notes that nothing further happened until a time. */
  setUntil(until: Until): void {
    this.#waiting.until = until;
    this.#begin();
  }

  /** Notes which sources are watched. The note is written with the next rows. */
  setSources(sources: readonly KnownSource[]): void {
    this.#waiting.sources = sources;
  }

  /** Writes the remaining batches, and closes the store. */
  async end(): Promise<void> {
    stopTimer(this.#timer);
    this.#isAway = false;
    this.#begin();
    await this.#underWay;
    await this.#link.close();
  }

  #begin(): void {
    if (this.#waiting.characters > MOST_WAITING) this.#fail(this.#isAway ? 'gone' : 'slow', this.#quote);
    if (!this.#isAway)
      this.#underWay ??= this.#writeAll().finally(() => {
        this.#underWay = undefined;
      });
  }

  async #writeAll(): Promise<void> {
    while (!this.#waiting.isEmpty && !this.#isAway) {
      const batch = this.#waiting;
      this.#waiting = new Waiting();
      try {
        const { runs, blocks, checkpoints, sources, until } = batch;
        await this.#link.ask({ ask: 'write', batch: { runs, blocks, checkpoints, sources, until } });
        this.#problem = undefined;
        this.#listener.stored(blocks);
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        this.#quote = error.message;
        if (error.fault === 'gone') this.#keep(batch);
        else this.#fail(error.fault === 'full' ? 'full' : 'other', error.message);
      }
    }
  }

  /** Keeps the lines that were not written, until the next attempt. */
  #keep(batch: Waiting): void {
    this.#waiting.putBefore(batch);
    this.#isAway = true;
    this.#problem = problem('store-failed', { file: this.#file, why: 'gone', quote: this.#quote });
    this.#later(() => this.#begin());
  }

  #fail(why: 'full' | 'slow' | 'gone' | 'other', quote: string): void {
    this.#waiting = new Waiting();
    this.#problem = problem('store-failed', { file: this.#file, why, quote });
    this.#listener.failed();
    this.#later(() => this.#listener.again());
  }

  #later(next: () => void): void {
    stopTimer(this.#timer);
    this.#timer = startTimer(() => {
      this.#isAway = false;
      next();
    }, RETRY_MS);
    this.#timer.unref();
  }
}

class Waiting {
  readonly runs: Batch['runs'][number][] = [];
  readonly blocks: BlockText[] = [];
  readonly checkpoints: CheckpointText[] = [];
  sources: readonly KnownSource[] | undefined;
  until: Until | undefined;
  characters = 0;

  /** Puts an older batch in front of this batch. */
  putBefore(older: Waiting): void {
    this.runs.unshift(...older.runs);
    this.blocks.unshift(...older.blocks);
    this.checkpoints.unshift(...older.checkpoints);
    this.sources ??= older.sources;
    this.until ??= older.until;
    this.characters += older.characters;
  }

  get isEmpty(): boolean {
    return this.until === undefined && this.runs.length + this.blocks.length + this.checkpoints.length === 0;
  }
}
