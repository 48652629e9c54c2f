import { bytesIn, dayOf, numberIn } from './schema.ts';
import type { Database, Row } from './sqlite.ts';

/** Why nothing is stored before a run: Lockscope was not running, or could not store. */
export type Gap = 'not-running' | 'not-stored';

/** What a source did without a gap. A source is here what one Lockscope watches: one stream of events. */
export type RunRow = {
  readonly source: string;
  /** Each run of a source has a greater number than the one before. */
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

/** Nothing else happened in a run until `at`. */
export type Until = { readonly source: string; readonly run: number; readonly at: number };

/** What is stored of a source: from when to when, and its newest line. */
export type Reach = {
  readonly source: string;
  readonly from: number;
  readonly to: number;
  readonly run: number;
  readonly seq: number;
};

const RUN = 'source, run, began_at, gap';
const BLOCK = 'source, run, first_seq, last_seq, from_at, to_at, next_event, bytes';
const CHECKPOINT = 'source, run, seq, at, next_event, bytes';

/** The statements of the store. Their text is the same for SQLite and PostgreSQL, but for the form of placeholders. */
export class Tables {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  addRun({ source, run, beganAt, gap }: RunRow): void {
    const sql = `INSERT INTO runs (${RUN}) VALUES (?, ?, ?, ?) ON CONFLICT (source, run) DO NOTHING`;
    this.#all(sql, [source, run, beganAt, gap]);
  }

  /** Adds a block; returns false if it is there already. */
  addBlock({ source, run, firstSeq, lastSeq, fromAt, toAt, nextEvent, bytes }: BlockRow): boolean {
    const sql = `INSERT INTO blocks (${BLOCK}, day) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (source, run, first_seq) DO NOTHING RETURNING run`;
    return this.#all(sql, [source, run, firstSeq, lastSeq, fromAt, toAt, nextEvent, bytes, dayOf(toAt)]).length > 0;
  }

  addCheckpoint({ source, run, seq, at, nextEvent, bytes }: CheckpointRow): void {
    const sql = `INSERT INTO checkpoints (${CHECKPOINT}, day) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (source, run, seq) DO NOTHING`;
    this.#all(sql, [source, run, seq, at, nextEvent, bytes, dayOf(at)]);
  }

  /** From when to when each source is stored. */
  reach(): Reach[] {
    const rows = this.#all('SELECT source, MIN(from_at) AS oldest, MAX(run) AS run FROM blocks GROUP BY source');
    return rows.map((row) => {
      const [source, run] = [String(row.source), numberIn(row, 'run') ?? 0];
      return {
        source,
        run,
        seq: this.lastSeq(source, run),
        from: numberIn(row, 'oldest') ?? 0,
        to: this.endOf(source, run) ?? 0,
      };
    });
  }

  /** The `seq` after every stored event of all sources. */
  nextEvent(): number {
    const [row] = this.#all('SELECT MAX(next_event) AS event FROM blocks');
    return numberIn(row, 'event') ?? 1;
  }

  /** The runs of a source, oldest first. */
  runs(source: string): RunRow[] {
    return this.#all(`SELECT ${RUN} FROM runs WHERE source = ? ORDER BY run`, [source]).map(runFrom);
  }

  /** The newest checkpoint of a run at or before a time. */
  checkpointAt(source: string, run: number, at: number): CheckpointRow | undefined {
    const sql = `SELECT ${CHECKPOINT} FROM checkpoints WHERE source = ? AND run = ? AND at <= ?
      ORDER BY seq DESC LIMIT 1`;
    return this.#all(sql, [source, run, at]).map(checkpointFrom)[0];
  }

  /** The oldest checkpoint of a run after a line. */
  checkpointAfter(source: string, run: number, seq: number): CheckpointRow | undefined {
    const sql = `SELECT ${CHECKPOINT} FROM checkpoints WHERE source = ? AND run = ? AND seq >= ? ORDER BY seq LIMIT 1`;
    return this.#all(sql, [source, run, seq]).map(checkpointFrom)[0];
  }

  /** Blocks of a run after a line, in order, up to the last one with an event at or before `to`. */
  blocks(source: string, run: number, afterSeq: number, to: number, limit: number): BlockRow[] {
    const sql = `SELECT ${BLOCK} FROM blocks WHERE source = ? AND run = ? AND first_seq > ? AND first_seq <=
      (SELECT MAX(first_seq) FROM blocks WHERE source = ? AND run = ? AND from_at <= ?) ORDER BY first_seq LIMIT ?`;
    return this.#all(sql, [source, run, afterSeq, source, run, to, limit]).map(blockFrom);
  }

  /** The number of the first line of a run that is still stored. */
  firstSeq(source: string, run: number): number | undefined {
    const sql = 'SELECT MIN(first_seq) AS seq FROM blocks WHERE source = ? AND run = ?';
    return numberIn(this.#all(sql, [source, run])[0], 'seq');
  }

  /** The number of the last line of a run that is stored. */
  lastSeq(source: string, run: number): number {
    const sql = 'SELECT MAX(last_seq) AS seq FROM blocks WHERE source = ? AND run = ?';
    return numberIn(this.#all(sql, [source, run])[0], 'seq') ?? 0;
  }

  /** The checkpoint after exactly this line. */
  checkpointOn(source: string, run: number, seq: number): CheckpointRow | undefined {
    const sql = `SELECT ${CHECKPOINT} FROM checkpoints WHERE source = ? AND run = ? AND seq = ?`;
    return this.#all(sql, [source, run, seq]).map(checkpointFrom)[0];
  }

  /** When the run ends, as far as it is stored. */
  endOf(source: string, run: number): number | undefined {
    const sql = 'SELECT MAX(to_at) AS newest FROM blocks WHERE source = ? AND run = ?';
    const newest = numberIn(this.#all(sql, [source, run])[0], 'newest');
    const until = JSON.parse(this.note(`until ${source}`) ?? 'null') as Until | null; // what `setUntil` wrote
    return newest !== undefined && until?.run === run ? Math.max(newest, until.at) : newest;
  }

  /** Notes that nothing else happened in a run until a time. */
  setUntil(until: Until): void {
    this.setNote(`until ${until.source}`, JSON.stringify(until));
  }

  /** When the newest event of the block with this event happened. */
  timeOfEvent(source: string, seq: number): number | undefined {
    const sql = 'SELECT MIN(to_at) AS at FROM blocks WHERE source = ? AND next_event > ?';
    return numberIn(this.#all(sql, [source, seq])[0], 'at');
  }

  /** A text that is kept beside the rows. */
  note(name: string): string | undefined {
    const [row] = this.#all('SELECT value FROM lockscope_store WHERE name = ?', [name]);
    return row && String(row.value);
  }

  setNote(name: string, value: string): void {
    const sql = `INSERT INTO lockscope_store (name, value) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`;
    this.#all(sql, [name, value]);
  }

  /** The days with blocks, and their bytes, oldest first. */
  days(): { readonly day: number; readonly bytes: number }[] {
    const sql = 'SELECT day, SUM(LENGTH(bytes)) AS bytes FROM blocks GROUP BY day ORDER BY day';
    return this.#all(sql).map((row) => ({ day: numberIn(row, 'day') ?? 0, bytes: numberIn(row, 'bytes') ?? 0 }));
  }

  /** Drops everything before a day. */
  dropBefore(day: number): void {
    for (const table of ['blocks', 'checkpoints']) this.#all(`DELETE FROM ${table} WHERE day < ?`, [day]);
    this.#dropEmptyRuns();
  }

  /** Drops the blocks of a source that end before a time, and the checkpoints before it. */
  dropUntil(at: number): void {
    this.#all('DELETE FROM blocks WHERE to_at < ?', [at]);
    this.#all('DELETE FROM checkpoints WHERE at < ?', [at]);
    this.#dropEmptyRuns();
  }

  /** The time of the block before which about this part of all blocks are, from 0 to 1. */
  timeOfPart(part: number): number | undefined {
    const [row] = this.#all('SELECT COUNT(*) AS blocks FROM blocks');
    const offset = Math.floor((numberIn(row, 'blocks') ?? 0) * part);
    return numberIn(this.#all('SELECT to_at FROM blocks ORDER BY to_at LIMIT 1 OFFSET ?', [offset])[0], 'to_at');
  }

  /** Runs whose blocks are gone, except the newest of each source: the next run follows it. */
  #dropEmptyRuns(): void {
    this.#all(`DELETE FROM runs WHERE NOT EXISTS
      (SELECT 1 FROM blocks WHERE blocks.source = runs.source AND blocks.run = runs.run)
      AND run < (SELECT MAX(newest.run) FROM runs AS newest WHERE newest.source = runs.source)`);
  }

  #all(sql: string, values: Parameters<Database['all']>[1] = []): readonly Row[] {
    return this.#database.all(sql, values);
  }
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
    bytes: bytesIn(row, 'bytes'),
  };
}

function checkpointFrom(row: Row): CheckpointRow {
  return {
    source: String(row.source),
    run: Number(row.run),
    seq: Number(row.seq),
    at: Number(row.at),
    nextEvent: Number(row.next_event),
    bytes: bytesIn(row, 'bytes'),
  };
}
