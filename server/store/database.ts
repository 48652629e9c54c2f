export type Value = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, unknown>>;

/** SQLite answers at once, PostgreSQL later. */
type Soon<T> = T | Promise<T>;

/**
 * What the store needs from a database engine: `sqlite.ts` and `postgres/postgres.ts`. The statements have the same
 * text for both, with `?` for each value. Each call may fail with a `DatabaseError`. Calls must not overlap.
 */
export type Database = {
  /** Runs a statement with its values, and returns its rows. */
  all(sql: string, values?: readonly Value[]): Soon<readonly Row[]>;
  /** Runs an INSERT for each of these rows, which must differ in their keys. Returns what its RETURNING names. */
  insert(sql: string, rows: readonly (readonly Value[])[]): Soon<readonly Row[]>;
  /** Runs `work` as one transaction: all of it is stored, or nothing. */
  transaction<T>(work: () => Soon<T>): Promise<T>;
  /** The names of all tables. */
  tables(): Soon<readonly string[]>;
  /** Makes the tables that are missing. */
  create(statements: readonly string[]): Soon<void>;
  /** Takes the right to write a source, until `close`. Returns false if another process has it. */
  claim(source: string): Soon<boolean>;
  /** About the size of all that is stored, without the room of rows that were dropped. */
  bytes(): Soon<number>;
  /** Frees the room of rows that were dropped. */
  freeRoom(): Soon<void>;
  close(): Soon<void>;
};

/** Why a database refuses. `gone`: it does not answer now, but may do so later. */
export type DatabaseFault =
  | 'foreign'
  | 'damaged'
  | 'in-use'
  | 'full'
  | 'no-place'
  | 'read-only'
  | 'gone'
  | 'login'
  | 'no-database'
  | 'no-rights'
  | 'other';

export class DatabaseError extends Error {
  readonly fault: DatabaseFault;

  constructor(fault: DatabaseFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
