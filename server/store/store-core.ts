import { gunzipSync, gzipSync } from 'node:zlib';
import type { CostsBody } from '../../shared/wire/costs.ts';
import type { LockHours } from '../../shared/wire/lock-hours.ts';
import { wallMs } from '../redis/connection/surroundings.ts';
import { type Database, DatabaseError } from './database.ts';
import type { BackQuery, Batch, KnownSource, RangeQuery, StoredBack, StoredRange, StoreFacts } from './parts.ts';
import { readBack } from './reads/read-back.ts';
import { readRange } from './reads/read-range.ts';
import { RetainedRows } from './retained-rows.ts';
import { dayOf } from './schema.ts';
import { type HourQuery, readHourCosts } from './statistics/hour-costs.ts';
import { HourMeter } from './statistics/hour-meter.ts';
import { HOUR_MICROS, hourOf } from './statistics/hour-rows.ts';
import { HourTables } from './statistics/hour-tables.ts';
import { type LockHoursQuery, readLockHours } from './statistics/lock-hours.ts';
import { Tables } from './tables.ts';

/** How long and how much is kept. */
export type Retention = { readonly retainMs: number; readonly mostBytes: number };

export type StoreOptions = Retention & {
  /**
   * The name of this process's stream in a database that several processes may write. Absent: the stream is
   * `lockscope`, or there is one for each source of a bus.
   */
  readonly source?: string;
  /** Only reads: another process writes. */
  readonly isReader?: boolean;
};

/** The costs of whole hours. */
export type HourAnswer = Omit<CostsBody, 'v' | 'readFrom'>;

/** If the store is too large and has only one day, this part of its blocks is dropped. */
const PART_OF_DAY = 0.25;
/** For a reader, a run still goes on if it is stored up to an instant that is not older than this. */
const STILL_MS = 5 * 60_000;

/**
 * One open store: writes batches, drops what is too old or too much, and reads ranges. It runs in the thread of the
 * store.
 */
export class StoreCore {
  readonly #database: Database;
  readonly #tables: Tables;
  readonly #rows: RetainedRows;
  readonly #hours: HourTables;
  readonly #options: StoreOptions;
  /** Counts what is written of each stream, from the beginning of a run or from the last failed write on. */
  readonly #meters = new Map<string, HourMeter>();
  #day = 0;
  /** Dropping failed after the batch with this newest event. */
  #undroppedAt: number | undefined;
  /** The run of each source that this process is writing. */
  readonly #openRuns = new Map<string, number>();

  constructor(database: Database, options: StoreOptions) {
    this.#database = database;
    this.#tables = new Tables(database);
    this.#rows = new RetainedRows(database);
    this.#hours = new HourTables(database);
    this.#options = options;
  }

  /**
   * Stores the batch in one transaction, then drops what is too old or too much. Throws a `DatabaseError` if nothing of
   * the batch is stored. If only dropping fails, the next batch tries it again first.
   */
  async write({ runs, blocks, checkpoints, packed: given, sources, until }: Batch): Promise<void> {
    if (this.#undroppedAt !== undefined) await this.#retain(this.#undroppedAt);
    this.#undroppedAt = undefined;
    const packed = [
      ...blocks.map(({ text, ...block }) => ({ ...block, bytes: gzipSync(text) })),
      ...(given?.blocks ?? []),
    ];
    const states = [
      ...checkpoints.map(({ text, ...place }) => ({ ...place, bytes: gzipSync(text) })),
      ...(given?.checkpoints ?? []),
    ];
    const meters = new Map(this.#meters);
    this.#meters.clear(); // if the transaction fails, whatever was not counted yet is never counted
    await this.#claim([...runs, ...packed, ...states]);
    await this.#database.transaction(async () => {
      for (const run of runs) {
        await this.#tables.addRun(run);
        await this.#hours.begin(run.source, run.beganAt);
        if (this.#openRuns.get(run.source) !== run.run) meters.set(run.source, new HourMeter());
      }
      for (const block of await this.#tables.addBlocks(packed)) {
        const meter = meters.get(block.source) ?? new HourMeter();
        meters.set(block.source, meter);
        meter.takeLines(gunzipSync(block.bytes).toString());
      }
      await this.#tables.addCheckpoints(states);
      if (until) {
        await this.#tables.setUntil(until);
        meters.get(until.source)?.passTo(until.at);
      }
      await this.#hours.add([...meters].map(([source, meter]) => [source, meter.due()]));
      if (sources) await this.#tables.setNote(this.#sourcesNote, JSON.stringify(sources));
    });
    for (const [source, meter] of meters) this.#meters.set(source, meter);
    for (const { source, run } of [...runs, ...(given?.blocks ?? [])]) this.#openRuns.set(source, run);
    const newest = Math.max(0, ...packed.map(({ toAt }) => toAt));
    if (packed.length === 0) return;
    await this.#retain(newest).catch((error: unknown) => {
      if (!(error instanceof DatabaseError)) throw error;
      this.#undroppedAt = newest; // the batch is stored
    });
  }

  async read(query: RangeQuery): Promise<StoredRange | undefined> {
    const { source } = query;
    const openRun = this.#options.isReader ? await this.#runOfNow(source) : this.#openRuns.get(source);
    return readRange(this.#tables, query, openRun);
  }

  /** The events before a range that detectors may need in it. */
  readBack(query: BackQuery): Promise<StoredBack> {
    return readBack(this.#tables, query);
  }

  timeOfEvent(source: string, seq: number): Promise<number | undefined> {
    return this.#tables.timeOfEvent(source, seq);
  }

  /** Ranks costs of whole hours, and reports whether all of them are known. */
  async costs(query: HourQuery): Promise<HourAnswer> {
    const { against, ...costs } = await readHourCosts(this.#database, query);
    const since = await this.#since('hours', query.source);
    const runs = await this.#tables.runs(query.source);
    const isAtLeast = ({ from, to }: { from: number; to: number }) =>
      from < hourOf(since) * HOUR_MICROS || runs.slice(1).some(({ beganAt }) => beganAt > from && beganAt < to);
    const compared = against && { against: { ...against, isAtLeast: isAtLeast(against) } };
    return { ...costs, since, isAtLeast: isAtLeast(costs), ...compared };
  }

  /** The hours of a lock, with the time in which its server was watched. */
  async lockHours(query: LockHoursQuery): Promise<LockHours> {
    return { ...(await readLockHours(this.#database, query)), since: await this.#since('watched', query.source) };
  }

  async facts(): Promise<StoreFacts> {
    const sources = JSON.parse((await this.#tables.note(this.#sourcesNote)) ?? '[]') as KnownSource[]; // `write` wrote this form
    return { bytes: await this.#database.bytes(), reach: await this.#tables.reach(), sources };
  }

  /** Counts the rest of what was written, and closes the store. */
  async close(): Promise<void> {
    try {
      const meters = [...this.#meters];
      this.#meters.clear();
      const rest = meters.map(([source, meter]) => [source, meter.rest()] as const);
      if (rest.length > 0) await this.#database.transaction(() => this.#hours.add(rest));
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error; // for example, the disk is full: the rest is not counted
    }
    await this.#database.close();
  }

  /** Since when hours are counted and still kept. */
  async #since(what: 'hours' | 'watched', source: string): Promise<number> {
    const oldest = (await this.#tables.reach()).find((reach) => reach.source === source)?.from ?? 0;
    return Math.max((await this.#hours.since(what, source)) ?? oldest, hourOf(oldest) * HOUR_MICROS);
  }

  /** Claims the source of each row. Throws if another process writes one of them. */
  async #claim(rows: readonly { readonly source: string }[]): Promise<void> {
    for (const source of new Set(rows.map((row) => row.source))) {
      if (await this.#database.claim(source)) continue;
      throw new DatabaseError('in-use', `another Lockscope writes ${source} there`);
    }
  }

  /** The run that another process is still writing, as far as a reader can see that. */
  async #runOfNow(source: string): Promise<number | undefined> {
    const newest = (await this.#tables.reach()).find((reach) => reach.source === source);
    return newest && newest.to > (wallMs() - STILL_MS) * 1000 ? newest.run : undefined;
  }

  /** The name of the note with the servers of this process. */
  get #sourcesNote(): string {
    const { source } = this.#options;
    return source === undefined ? 'sources' : `sources ${source}`;
  }

  /** Drops days that are too old, and the oldest one while the store is too large: of an only day, a part. */
  async #retain(now: number): Promise<void> {
    const { retainMs, mostBytes } = this.#options;
    const oldest = dayOf(now - retainMs * 1000);
    if (oldest !== this.#day) {
      await this.#drop(() => this.#dropBefore(oldest));
      this.#day = oldest;
    }
    for (let bytes = await this.#database.bytes(); bytes > mostBytes; ) {
      const [first, second] = await this.#rows.days();
      if (first === undefined) return;
      const part = second === undefined ? await this.#rows.timeOfPart(PART_OF_DAY) : undefined;
      await this.#drop(() => (second === undefined ? this.#dropUntil((part ?? 0) + 1) : this.#dropBefore(second)));
      const left = await this.#database.bytes();
      if (left >= bytes) return;
      bytes = left;
    }
  }

  async #dropBefore(day: number): Promise<void> {
    await this.#rows.dropBefore(day);
    await this.#hours.dropBefore(day * 24);
  }

  async #dropUntil(at: number): Promise<void> {
    await this.#rows.dropUntil(at);
    await this.#hours.dropBefore(hourOf(at));
  }

  /** Drops rows, and frees their room. */
  async #drop(drop: () => Promise<void>): Promise<void> {
    await this.#database.transaction(drop);
    await this.#database.freeRoom();
  }
}
