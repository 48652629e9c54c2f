import type { Database, Row } from './database.ts';
import { HOUR_TABLES } from './statistics/hour-schema.ts';

/** The version of the tables below. A database of a newer version is not opened. */
export const STORE_VERSION = 3;

/**
 * The tables, in SQL that SQLite and PostgreSQL both understand. Times are Redis times in µs; `day` is the UTC day of a
 * time, counted from 1970, so that whole days are dropped.
 *
 *   runs          when each time without a gap began, and why there was a gap before it
 *   blocks        about 1,000 lines of a run each (`stream-lines.ts`), gzip-compressed
 *   checkpoints   the state after the line `seq`, so that later instants need only the blocks from there on
 *   …_hours       what locks, clients and holds cost in each hour (`statistics/`), since version 2, and how long their
 *                 servers were watched, since version 3
 */
const TABLES = [
  'CREATE TABLE IF NOT EXISTS lockscope_store (name TEXT PRIMARY KEY, value TEXT NOT NULL)',
  `CREATE TABLE IF NOT EXISTS runs (source TEXT NOT NULL, run BIGINT NOT NULL, began_at BIGINT NOT NULL,
    gap TEXT NOT NULL, PRIMARY KEY (source, run))`,
  `CREATE TABLE IF NOT EXISTS blocks (source TEXT NOT NULL, run BIGINT NOT NULL, first_seq BIGINT NOT NULL,
    last_seq BIGINT NOT NULL, from_at BIGINT NOT NULL, to_at BIGINT NOT NULL, next_event BIGINT NOT NULL,
    day BIGINT NOT NULL, bytes BYTEA NOT NULL, PRIMARY KEY (source, run, first_seq))`,
  'CREATE INDEX IF NOT EXISTS blocks_by_time ON blocks (source, to_at)',
  'CREATE INDEX IF NOT EXISTS blocks_by_day ON blocks (day)',
  `CREATE TABLE IF NOT EXISTS checkpoints (source TEXT NOT NULL, run BIGINT NOT NULL, seq BIGINT NOT NULL,
    at BIGINT NOT NULL, next_event BIGINT NOT NULL, day BIGINT NOT NULL, bytes BYTEA NOT NULL,
    PRIMARY KEY (source, run, seq))`,
  'CREATE INDEX IF NOT EXISTS checkpoints_by_time ON checkpoints (source, at)',
  ...HOUR_TABLES,
];

/** Whether a database is empty, ours (`ready`, `older` or newer), or something else. */
export type TablesState = 'empty' | 'ready' | 'older' | 'foreign' | { readonly newer: number };

export async function stateOfTables(database: Database): Promise<TablesState> {
  const tables = await database.tables();
  if (tables.length === 0) return 'empty';
  if (!tables.includes('lockscope_store')) return 'foreign';
  const [row] = await database.all("SELECT value FROM lockscope_store WHERE name = 'version'");
  const version = Number(row?.value);
  if (!Number.isInteger(version) || version < 1) return 'foreign';
  if (version > STORE_VERSION) return { newer: version };
  return version === STORE_VERSION ? 'ready' : 'older';
}

/** Makes the tables that are missing, or reports why this database cannot be used. */
export async function prepareTables(database: Database): Promise<'ready' | 'foreign' | { readonly newer: number }> {
  const state = await stateOfTables(database);
  if (state !== 'empty' && state !== 'older') return state;
  await database.transaction(async () => {
    // A database of an older version gets the tables that it lacks, without rows for earlier times.
    await database.create(TABLES);
    const sql = `INSERT INTO lockscope_store (name, value) VALUES ('version', ?)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
    await database.all(sql, [String(STORE_VERSION)]);
  });
  return 'ready';
}

const DAY_MICROS = 86_400_000_000;

/** The UTC day of a Redis time, counted from 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MICROS);
}

/** The number in a column. PostgreSQL returns a BIGINT as a text. */
export function numberIn(row: Row | undefined, column: string): number | undefined {
  const value = row?.[column];
  return value === null || value === undefined ? undefined : Number(value);
}

/** The bytes in the column `bytes`: `libsql` returns an `ArrayBuffer`, the others an array of bytes. */
export function bytesIn(row: Row): Uint8Array {
  const value = row.bytes;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (value instanceof Uint8Array) return value;
  throw new Error('column bytes has no bytes');
}
