import type { Database, Row, Value } from './database.ts';
import { bytesIn, dayOf, numberIn } from './schema.ts';

/** Why nothing is stored before a run: Lockscope was not running, or could not store. */
export type Gap = 'not-running' | 'not-stored';

/** A time without a gap in a source. Here, a source is what one Lockscope watches: one stream of events. */
export type RunRow = {
  readonly source: string;
  /** Each run of a source has a greater number than the run before. */
  readonly run: number;
  readonly beganAt: number;
  readonly gap: Gap;
};

/** Lines of a run, in order. The first line of a run is number 1. `nextEvent`: the `seq` of the event after them. */
export type BlockRow = {
  readonly source: string;
  readonly run: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly fromAt: number;
  readonly toAt: number;
  readonly nextEvent: number;
  readonly bytes: Uint8Array;
};

/** The state after the line `seq` of a run. */
export type CheckpointRow = {
  readonly source: string;
  readonly run: number;
  readonly seq: number;
  readonly at: number;
  readonly nextEvent: number;
  readonly bytes: Uint8Array;
};

/** Nothing further happened in a run until `at`. */
export type Until = { readonly source: string; readonly run: number; readonly at: number };

/** What is stored of a source: from when to when, and its newest line. */
export type Reach = {
  readonly source: string;
  readonly from: number;
  readonly to: number;
  readonly run: number;
  readonly seq: number;
  /** The `seq` after its newest event. */
  readonly nextEvent: number;
};

const RUN = 'source, run, began_at, gap';
const BLOCK = 'source, run, first_seq, last_seq, from_at, to_at, next_event, bytes';
const CHECKPOINT = 'source, run, seq, at, next_event, bytes';
const newestBlock = (column: string) =>
  `(SELECT ${column} FROM blocks WHERE source = newest.source AND run = newest.run ORDER BY first_seq DESC LIMIT 1)`;
const REACH = `SELECT newest.source, newest.run, ${newestBlock('last_seq')} AS seq, ${newestBlock('to_at')} AS newest,
    ${newestBlock('next_event')} AS next_event,
    (SELECT from_at FROM blocks WHERE source = newest.source ORDER BY run, first_seq LIMIT 1) AS oldest,
    (SELECT value FROM lockscope_store WHERE name = 'until ' || newest.source) AS until
  FROM (SELECT source, MAX(run) AS run FROM runs WHERE EXISTS
    (SELECT 1 FROM blocks WHERE blocks.source = runs.source AND blocks.run = runs.run) GROUP BY source) AS newest
  ORDER BY newest.source`;

/** Statements that write and read rows. Their text is the same for SQLite and PostgreSQL. */
export class Tables {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async addRun({ source, run, beganAt, gap }: RunRow): Promise<void> {
    const sql = `INSERT INTO runs (${RUN}) VALUES (?, ?, ?, ?) ON CONFLICT (source, run) DO NOTHING`;
    await this.#database.all(sql, [source, run, beganAt, gap]);
  }

  /** Adds blocks; returns those that were not there yet. */
  async addBlocks(blocks: readonly BlockRow[]): Promise<BlockRow[]> {
    const sql = `INSERT INTO blocks (${BLOCK}, day) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (source, run, first_seq) DO NOTHING RETURNING source, run, first_seq`;
    const rows = blocks.map(({ source, run, firstSeq, lastSeq, fromAt, toAt, nextEvent, bytes }) => {
      return [source, run, firstSeq, lastSeq, fromAt, toAt, nextEvent, bytes, dayOf(toAt)];
    });
    const added = await this.#database.insert(sql, rows);
    const keys = new Set(added.map((row) => `${Number(row.run)} ${Number(row.first_seq)} ${String(row.source)}`));
    return blocks.filter(({ source, run, firstSeq }) => keys.has(`${run} ${firstSeq} ${source}`));
  }

  async addCheckpoints(checkpoints: readonly CheckpointRow[]): Promise<void> {
    const sql = `INSERT INTO checkpoints (${CHECKPOINT}, day) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (source, run, seq) DO NOTHING`;
    const rows = checkpoints.map(({ source, run, seq, at, nextEvent, bytes }) => {
      return [source, run, seq, at, nextEvent, bytes, dayOf(at)];
    });
    await this.#database.insert(sql, rows);
  }

  /**
   * From when to when each source is stored. Of each source, reads only the first and the last block, because viewers
   * ask for this every 5 s.
   */
  async reach(): Promise<Reach[]> {
    const rows = await this.#database.all(REACH);
    return rows.map((row) => {
      const [source, run] = [String(row.source), Number(row.run)];
      const to = laterOf(numberIn(row, 'newest') ?? 0, run, row.until);
      const next = { seq: Number(row.seq), nextEvent: Number(row.next_event) };
      return { source, run, from: Number(row.oldest), to, ...next };
    });
  }

  /** The runs of a source, oldest first. */
  async runs(source: string): Promise<RunRow[]> {
    const sql = `SELECT ${RUN} FROM runs WHERE source = ? ORDER BY run`;
    return (await this.#database.all(sql, [source])).map(runFrom);
  }

  /** The newest checkpoint of a run at or before a time. */
  checkpointAt(source: string, run: number, at: number): Promise<CheckpointRow | undefined> {
    return this.#checkpoint('at <= ? ORDER BY seq DESC LIMIT 1', [source, run, at]);
  }

  /** The oldest checkpoint of a run after this line or a later line. */
  checkpointAfter(source: string, run: number, seq: number): Promise<CheckpointRow | undefined> {
    return this.#checkpoint('seq >= ? ORDER BY seq LIMIT 1', [source, run, seq]);
  }

  /** The checkpoint after exactly this line. */
  checkpointOn(source: string, run: number, seq: number): Promise<CheckpointRow | undefined> {
    return this.#checkpoint('seq = ?', [source, run, seq]);
  }

  /** Blocks of a run after a line, in order, up to the last block that begins at or before `to`. */
  async blocks(source: string, run: number, afterSeq: number, to: number, limit: number): Promise<BlockRow[]> {
    const sql = `SELECT ${BLOCK} FROM blocks WHERE source = ? AND run = ? AND first_seq > ? AND first_seq <=
      (SELECT MAX(first_seq) FROM blocks WHERE source = ? AND run = ? AND from_at <= ?) ORDER BY first_seq LIMIT ?`;
    return (await this.#database.all(sql, [source, run, afterSeq, source, run, to, limit])).map(blockFrom);
  }

  /** Blocks of a run before a line, the newest first. */
  async blocksBefore(source: string, run: number, seq: number, limit: number): Promise<BlockRow[]> {
    const sql = `SELECT ${BLOCK} FROM blocks WHERE source = ? AND run = ? AND first_seq < ? ORDER BY first_seq DESC LIMIT ?`;
    return (await this.#database.all(sql, [source, run, seq, limit])).map(blockFrom);
  }

  /** The number of the first line of a run that is still stored. */
  firstSeq(source: string, run: number): Promise<number | undefined> {
    const sql = 'SELECT first_seq AS found FROM blocks WHERE source = ? AND run = ? ORDER BY first_seq LIMIT 1';
    return this.#number(sql, [source, run]);
  }

  /** The time until which the run is stored. */
  async endOf(source: string, run: number): Promise<number | undefined> {
    const sql = 'SELECT to_at AS found FROM blocks WHERE source = ? AND run = ? ORDER BY first_seq DESC LIMIT 1';
    const newest = await this.#number(sql, [source, run]);
    return newest === undefined ? undefined : laterOf(newest, run, await this.note(`until ${source}`));
  }

  /** Notes that nothing further happened in a run until a time. */
  setUntil(until: Until): Promise<void> {
    return this.setNote(`until ${until.source}`, JSON.stringify(until));
  }

  /** When the block with this event ended, or the first block after that event if its own is not stored. */
  timeOfEvent(source: string, seq: number): Promise<number | undefined> {
    return this.#number('SELECT MIN(to_at) AS found FROM blocks WHERE source = ? AND next_event > ?', [source, seq]);
  }

  /** A text that is kept beside the rows. */
  async note(name: string): Promise<string | undefined> {
    const [row] = await this.#database.all('SELECT value FROM lockscope_store WHERE name = ?', [name]);
    return row && String(row.value);
  }

  async setNote(name: string, value: string): Promise<void> {
    const sql = `INSERT INTO lockscope_store (name, value) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`;
    await this.#database.all(sql, [name, value]);
  }

  async #checkpoint(which: string, values: Value[]): Promise<CheckpointRow | undefined> {
    const sql = `SELECT ${CHECKPOINT} FROM checkpoints WHERE source = ? AND run = ? AND ${which}`;
    return (await this.#database.all(sql, values)).map(checkpointFrom)[0];
  }

  async #number(sql: string, values: Value[]): Promise<number | undefined> {
    return numberIn((await this.#database.all(sql, values))[0], 'found');
  }
}

/** Until when a run is stored: the end of its newest block, or the time in a note of `setUntil` about it, if later. */
function laterOf(newest: number, run: number, note: unknown): number {
  const until = JSON.parse(typeof note === 'string' ? note : 'null') as Until | null; // `setUntil` wrote this form
  return until?.run === run ? Math.max(newest, until.at) : newest;
}

function runFrom(row: Row): RunRow {
  return {
    source: String(row.source),
    run: Number(row.run),
    beganAt: Number(row.began_at),
    gap: row.gap === 'not-stored' ? 'not-stored' : 'not-running',
  };
}

function blockFrom(row: Row): BlockRow {
  return {
    source: String(row.source),
    run: Number(row.run),
    firstSeq: Number(row.first_seq),
    lastSeq: Number(row.last_seq),
    fromAt: Number(row.from_at),
    toAt: Number(row.to_at),
    nextEvent: Number(row.next_event),
    bytes: bytesIn(row),
  };
}

function checkpointFrom(row: Row): CheckpointRow {
  return {
    source: String(row.source),
    run: Number(row.run),
    seq: Number(row.seq),
    at: Number(row.at),
    nextEvent: Number(row.next_event),
    bytes: bytesIn(row),
  };
}
