import { gzipSync } from 'node:zlib';
import type { Batch, KnownSource, RangeQuery, StoredRange, StoreFacts } from './parts.ts';
import { readRange } from './read-range.ts';
import { dayOf, numberIn } from './schema.ts';
import type { Database } from './sqlite.ts';
import { Tables } from './tables.ts';

/** How long and how much is kept. */
export type Retention = { readonly retainMs: number; readonly mostBytes: number };

/** When the file is too large and has only one day, this part of it is dropped. */
const PART_OF_DAY = 0.25;

/** One open store: writes batches, drops what is too old or too much, and reads ranges. It runs in the thread of the store. */
export class StoreCore {
  readonly #database: Database;
  readonly #tables: Tables;
  readonly #retention: Retention;
  #day = 0;
  /** The run of each source that this process is writing. */
  readonly #openRuns = new Map<string, number>();

  constructor(database: Database, retention: Retention) {
    this.#database = database;
    this.#tables = new Tables(database);
    this.#retention = retention;
  }

  /** Stores all of a batch, or throws a `DatabaseError` and stores nothing of it. */
  write({ runs, blocks, checkpoints, packed: given, sources, until }: Batch): void {
    const packed = [
      ...blocks.map(({ text, ...block }) => ({ ...block, bytes: gzipSync(text) })),
      ...(given?.blocks ?? []),
    ];
    const states = [
      ...checkpoints.map(({ text, ...place }) => ({ ...place, bytes: gzipSync(text) })),
      ...(given?.checkpoints ?? []),
    ];
    this.#database.transaction(() => {
      for (const run of runs) this.#tables.addRun(run);
      for (const block of packed) this.#tables.addBlock(block);
      for (const state of states) this.#tables.addCheckpoint(state);
      if (until) this.#tables.setUntil(until);
      if (sources) this.#tables.setNote('sources', JSON.stringify(sources));
    });
    for (const { source, run } of [...runs, ...(given?.blocks ?? [])]) this.#openRuns.set(source, run);
    const newest = Math.max(0, ...packed.map(({ toAt }) => toAt));
    if (packed.length > 0) this.#retain(newest);
  }

  read(query: RangeQuery): StoredRange | undefined {
    return readRange(this.#tables, query, this.#openRuns.get(query.source));
  }

  timeOfEvent(source: string, seq: number): number | undefined {
    return this.#tables.timeOfEvent(source, seq);
  }

  facts(): StoreFacts {
    const sources = JSON.parse(this.#tables.note('sources') ?? '[]') as KnownSource[]; // what `write` wrote
    return { bytes: this.#bytes(), reach: this.#tables.reach(), nextEvent: this.#tables.nextEvent(), sources };
  }

  close(): void {
    this.#database.close();
  }

  /** Drops days that are too old, and the oldest ones while the file is too large. */
  #retain(now: number): void {
    const { retainMs, mostBytes } = this.#retention;
    const oldest = dayOf(now - retainMs * 1000);
    if (oldest !== this.#day) {
      this.#day = oldest;
      this.#drop(() => this.#tables.dropBefore(oldest));
    }
    for (let bytes = this.#bytes(); bytes > mostBytes; ) {
      const [first, second] = this.#tables.days();
      if (first === undefined) return;
      const part = second ? undefined : this.#tables.timeOfPart(PART_OF_DAY);
      this.#drop(() => (second ? this.#tables.dropBefore(second.day) : this.#tables.dropUntil((part ?? 0) + 1)));
      const left = this.#bytes();
      if (left >= bytes) return;
      bytes = left;
    }
  }

  /** Drops rows, and makes the file smaller by them. */
  #drop(drop: () => void): void {
    this.#database.transaction(drop);
    this.#database.all('PRAGMA incremental_vacuum');
  }

  #bytes(): number {
    const of = (what: string) => numberIn(this.#database.all(`PRAGMA ${what}`)[0], what) ?? 0;
    return (of('page_count') - of('freelist_count')) * of('page_size');
  }
}
