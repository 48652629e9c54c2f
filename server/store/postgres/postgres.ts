import { fail, ok, type Result } from '../../../shared/base/result.ts';
import { steadyMs } from '../../redis/connection/surroundings.ts';
import { type Database, DatabaseError, type Row, type Value } from '../database.ts';
import { PostgresConnection } from './connection.ts';
import { postgresError } from './faults.ts';

/** Rows of one INSERT: PostgreSQL takes 65,535 values, and a row has 17 at most. */
const ROWS = 500;
/**
 * The size is counted this often. In between, the bytes of blocks and states that this process has written are added.
 */
const COUNT_MS = 10 * 60_000;

/** The room of dropped rows is used again after a vacuum, so these tables are vacuumed soon. */
const TUNE = ['blocks', 'checkpoints'].flatMap((table) => [
  `ALTER TABLE ${table} SET (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02)`,
  // they are compressed already
  `ALTER TABLE ${table} ALTER COLUMN bytes SET STORAGE EXTERNAL`,
]);

/**
 * How many bytes a row takes with its indexes, in addition to its own bytes, and how many 1,000 of its own bytes take.
 */
const ROW_BYTES = 300;
const BYTES_OF_1000 = 1075;
const HOURS = ['lock_hours', 'client_hours', 'hold_hours'];
const SIZE = `SELECT ${['blocks', 'checkpoints']
  .map(
    (table) =>
      `(SELECT COALESCE(SUM(LENGTH(bytes)) * ${BYTES_OF_1000} / 1000, 0) + COUNT(*) * ${ROW_BYTES} FROM ${table})`,
  )
  .concat(HOURS.map((table) => `pg_total_relation_size('${table}')`))
  .join(' + ')} AS bytes`;

/** Opens a database. `isReader`: PostgreSQL then refuses every write. */
export async function openPostgres(url: string, isReader = false): Promise<Result<PostgresDatabase, DatabaseError>> {
  const { Client } = await import('pg');
  const database = new PostgresDatabase(new PostgresConnection(url, (config) => new Client(config), isReader));
  try {
    await database.all('SELECT 1 AS is_open');
    return ok(database);
  } catch (error) {
    await database.close();
    return fail(postgresError(error));
  }
}

/** The tables of a store in the first schema of the `search_path`, which is `public` as a rule. */
class PostgresDatabase implements Database {
  readonly #connection: PostgresConnection;
  readonly #statements = new Map<string, { readonly name: string; readonly text: string }>();
  /** The size when it was last counted, and what was written since then. */
  #counted: { readonly bytes: number; readonly atMs: number } | undefined;
  #written = 0;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  all(sql: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    this.#count(values);
    const known = this.#statements.get(sql) ?? { name: `lockscope_${this.#statements.size}`, text: numbered(sql) };
    this.#statements.set(sql, known);
    return this.#connection.query(known.text, values, known.name);
  }

  /** A statement has many rows, because each statement waits for the server once. */
  async insert(sql: string, rows: readonly (readonly Value[])[]): Promise<readonly Row[]> {
    const returned: Row[] = [];
    for (let from = 0; from < rows.length; from += ROWS) {
      const some = rows.slice(from, from + ROWS);
      const values = some.flat();
      this.#count(values);
      returned.push(...(await this.#connection.query(numbered(ofRows(sql, some.length)), values)));
    }
    return returned;
  }

  transaction<T>(work: () => T | Promise<T>): Promise<T> {
    return this.#connection.transaction(work);
  }

  async tables(): Promise<readonly string[]> {
    const rows = await this.all(`SELECT schema, tablename AS name FROM (SELECT current_schema() AS schema) AS own
      LEFT JOIN pg_catalog.pg_tables ON schemaname = schema`);
    if (rows[0]?.schema === null) throw new DatabaseError('no-place', 'no schema');
    return rows.flatMap(({ name }) => (name === null ? [] : [String(name)]));
  }

  /** If several processes begin at the same time, they take turns: the first process makes the tables. */
  async create(statements: readonly string[]): Promise<void> {
    await this.#connection.query("SELECT pg_advisory_xact_lock(hashtext('lockscope'))", []);
    for (const sql of [...statements, ...TUNE]) await this.#connection.query(tableText(sql), []);
  }

  claim(source: string): Promise<boolean> {
    return this.#connection.claim(source);
  }

  async bytes(): Promise<number> {
    const now = steadyMs();
    if (!this.#counted || now - this.#counted.atMs > COUNT_MS) {
      const [row] = await this.all(SIZE);
      this.#counted = { bytes: Number(row?.bytes ?? 0), atMs: now };
      this.#written = 0;
    }
    return this.#counted.bytes + this.#written;
  }

  /** PostgreSQL uses the room of dropped rows again without being asked. The size is counted when it is needed next. */
  freeRoom(): void {
    this.#counted = undefined;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  #count(values: readonly Value[]): void {
    for (const value of values) if (value instanceof Uint8Array) this.#written += value.byteLength;
  }
}

/** The text of a statement with `$1`, `$2` and so on for each `?`. */
export function numbered(sql: string): string {
  let n = 0;
  return sql.replaceAll('?', () => `$${++n}`);
}

/** The text of an INSERT for several rows. */
export function ofRows(sql: string, count: number): string {
  return sql.replace(/VALUES (\([^)]*\))/, (_all, row: string) => `VALUES ${Array(count).fill(row).join(', ')}`);
}

/**
 * The text that makes a table or index, without a clause that only SQLite knows. Texts are compared by their bytes, as
 * in SQLite.
 */
export function tableText(sql: string): string {
  return sql.replace(' WITHOUT ROWID', '').replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"');
}
