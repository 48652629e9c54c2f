import { gunzipSync, gzipSync } from 'node:zlib';
import type { CostsBody } from '../../shared/wire/costs.ts';
import type { Batch, KnownSource, RangeQuery, StoredRange, StoreFacts } from './parts.ts';
import { readRange } from './read-range.ts';
import { dayOf, numberIn } from './schema.ts';
import { type Database, DatabaseError } from './sqlite.ts';
import { type HourQuery, readHourCosts } from './statistics/hour-costs.ts';
import { HourMeter } from './statistics/hour-meter.ts';
import { HOUR_MICROS, hourOf } from './statistics/hour-rows.ts';
import { HourTables } from './statistics/hour-tables.ts';
import { Tables } from './tables.ts';

/** How long and how much is kept. */
export type Retention = { readonly retainMs: number; readonly mostBytes: number };

/** The costs of whole hours. */
export type HourAnswer = Omit<CostsBody, 'v' | 'readFrom'>;

/** When the file is too large and has only one day, this part of it is dropped. */
const PART_OF_DAY = 0.25;

/** One open store: writes batches, drops what is too old or too much, and reads ranges. It runs in the thread of the store. */
export class StoreCore {
  readonly #database: Database;
  readonly #tables: Tables;
  readonly #hours: HourTables;
  readonly #retention: Retention;
  /** What is written of each stream is counted, from the beginning of a run on. */
  readonly #meters = new Map<string, HourMeter>();
  #day = 0;
  /** The run of each source that this process is writing. */
  readonly #openRuns = new Map<string, number>();

  constructor(database: Database, retention: Retention) {
    this.#database = database;
    this.#tables = new Tables(database);
    this.#hours = new HourTables(database);
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
    const meters = new Map(this.#meters);
    this.#meters.clear(); // if this fails, what they have counted is not stored
    this.#database.transaction(() => {
      for (const run of runs) {
        this.#tables.addRun(run);
        this.#hours.begin(run.source, run.beganAt);
        if (this.#openRuns.get(run.source) !== run.run) meters.set(run.source, new HourMeter());
      }
      for (const block of packed) {
        if (!this.#tables.addBlock(block)) continue;
        const meter = meters.get(block.source) ?? new HourMeter();
        meters.set(block.source, meter);
        meter.takeLines(gunzipSync(block.bytes).toString());
      }
      for (const state of states) this.#tables.addCheckpoint(state);
      if (until) {
        this.#tables.setUntil(until);
        meters.get(until.source)?.passTo(until.at);
      }
      for (const [source, meter] of meters) this.#hours.add(source, meter.due());
      if (sources) this.#tables.setNote('sources', JSON.stringify(sources));
    });
    for (const [source, meter] of meters) this.#meters.set(source, meter);
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

  /** Ranks costs of whole hours, and reports whether all of them is known. */
  costs(query: HourQuery): HourAnswer {
    const { against, ...costs } = readHourCosts(this.#database, query);
    const known = this.#tables.reach().find(({ source }) => source === query.source)?.from ?? 0;
    const since = Math.max(this.#hours.since(query.source) ?? known, hourOf(known) * HOUR_MICROS);
    const runs = this.#tables.runs(query.source);
    const isAtLeast = ({ from, to }: { from: number; to: number }) =>
      from < hourOf(since) * HOUR_MICROS || runs.slice(1).some(({ beganAt }) => beganAt > from && beganAt < to);
    const compared = against && { against: { ...against, isAtLeast: isAtLeast(against) } };
    return { ...costs, since, isAtLeast: isAtLeast(costs), ...compared };
  }

  facts(): StoreFacts {
    const sources = JSON.parse(this.#tables.note('sources') ?? '[]') as KnownSource[]; // what `write` wrote
    return { bytes: this.#bytes(), reach: this.#tables.reach(), nextEvent: this.#tables.nextEvent(), sources };
  }

  /** Closes the file. What is not counted yet is counted before. */
  close(): void {
    try {
      const meters = [...this.#meters];
      this.#meters.clear();
      this.#database.transaction(() => {
        for (const [source, meter] of meters) this.#hours.add(source, meter.rest());
      });
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error; // the disk is full: the last seconds are not counted
    }
    this.#database.close();
  }

  /** Drops days that are too old, and the oldest ones while the file is too large. */
  #retain(now: number): void {
    const { retainMs, mostBytes } = this.#retention;
    const oldest = dayOf(now - retainMs * 1000);
    if (oldest !== this.#day) {
      this.#day = oldest;
      this.#drop(() => this.#dropBefore(oldest));
    }
    for (let bytes = this.#bytes(); bytes > mostBytes; ) {
      const [first, second] = this.#tables.days();
      if (first === undefined) return;
      const part = second ? undefined : this.#tables.timeOfPart(PART_OF_DAY);
      this.#drop(() => (second ? this.#dropBefore(second.day) : this.#dropUntil((part ?? 0) + 1)));
      const left = this.#bytes();
      if (left >= bytes) return;
      bytes = left;
    }
  }

  #dropBefore(day: number): void {
    this.#tables.dropBefore(day);
    this.#hours.dropBefore(day * 24);
  }

  #dropUntil(at: number): void {
    this.#tables.dropUntil(at);
    this.#hours.dropBefore(hourOf(at));
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
