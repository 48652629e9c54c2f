import { fail, ok, type Result } from '../../shared/base/result.ts';
import { type Database, DatabaseError, type DatabaseFault, type Row, type Value } from './database.ts';

/** The part of `node:sqlite` that is used. `libsql` has the same, but takes all values as one array. */
type Engine = {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...values: unknown[]): readonly Row[] };
  close(): void;
};
type Make = { readonly open: (path: string) => Engine; readonly takesArray: boolean };

/** Opens or creates a SQLite file for this process alone. `undefined` as the error: this Node has no SQLite. */
export async function openSqlite(path: string): Promise<Result<SqliteFile, DatabaseError | undefined>> {
  const make = ownSqlite() ?? (await installedSqlite());
  if (!make) return fail(undefined);
  try {
    return ok(new SqliteFile(make, path));
  } catch (error) {
    return fail(databaseError(error));
  }
}

class SqliteFile implements Database {
  readonly #engine: Engine;
  readonly #takesArray: boolean;
  readonly #prepared = new Map<string, ReturnType<Engine['prepare']>>();

  constructor({ open, takesArray }: Make, path: string) {
    this.#takesArray = takesArray;
    this.#engine = open(path);
    try {
      // In this order: the lock is then taken with the first read, and no file for shared memory is made.
      this.#engine.exec('PRAGMA locking_mode=EXCLUSIVE');
      this.#engine.exec('PRAGMA auto_vacuum=INCREMENTAL');
      this.#engine.exec('PRAGMA journal_mode=WAL');
      this.#engine.exec('PRAGMA synchronous=NORMAL');
      this.#engine.exec('BEGIN IMMEDIATE');
      this.#engine.exec('COMMIT');
    } catch (error) {
      this.#engine.close();
      throw error;
    }
  }

  all(sql: string, values: readonly Value[] = []): readonly Row[] {
    try {
      const statement = this.#prepared.get(sql) ?? this.#engine.prepare(sql);
      this.#prepared.set(sql, statement);
      return this.#takesArray ? statement.all([...values]) : statement.all(...values);
    } catch (error) {
      throw databaseError(error);
    }
  }

  insert(sql: string, rows: readonly (readonly Value[])[]): readonly Row[] {
    return rows.flatMap((values) => this.all(sql, values));
  }

  async transaction<T>(work: () => T | Promise<T>): Promise<T> {
    this.all('BEGIN IMMEDIATE');
    try {
      const result = await work();
      this.all('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  tables(): readonly string[] {
    return this.all("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => String(name));
  }

  create(statements: readonly string[]): void {
    for (const sql of statements) this.all(sql);
  }

  /** The whole file belongs to this process. */
  claim(): boolean {
    return true;
  }

  bytes(): number {
    const of = (what: string) => Number(this.all(`PRAGMA ${what}`)[0]?.[what] ?? 0);
    return (of('page_count') - of('freelist_count')) * of('page_size');
  }

  freeRoom(): void {
    this.all('PRAGMA incremental_vacuum');
  }

  close(): void {
    this.#prepared.clear();
    try {
      // In `libsql`, statements keep the file locked after `close`, until they are collected. A write-ahead log without
      // shared memory cannot be unlocked, so it is ended first. One plain file is left.
      this.#engine.exec('PRAGMA journal_mode=DELETE');
      this.#engine.exec('PRAGMA locking_mode=NORMAL');
      this.all('SELECT name FROM sqlite_master LIMIT 1');
    } catch {
      // The file is damaged, or gone.
    }
    this.#prepared.clear();
    this.#engine.close();
  }

  #rollBack(): void {
    try {
      this.#engine.exec('ROLLBACK');
    } catch {
      // A full disk has ended the transaction already.
    }
  }
}

/** The SQLite of Node itself: from 22.13 on. */
function ownSqlite(): Make | undefined {
  const sqlite: unknown = process.getBuiltinModule?.('node:sqlite');
  if (typeof sqlite !== 'object' || sqlite === null || !('DatabaseSync' in sqlite)) return undefined;
  const Own = sqlite.DatabaseSync as new (path: string) => Engine; // as documented: the types here are older
  return { open: (path) => new Own(path), takesArray: false };
}

/** The optional package `libsql`. */
async function installedSqlite(): Promise<Make | undefined> {
  try {
    const { default: Installed } = await import('libsql');
    return { open: (path) => new Installed(path) as unknown as Engine, takesArray: true }; // the same methods
  } catch {
    return undefined;
  }
}

const FAULTS: Readonly<Record<number, DatabaseFault>> = {
  5: 'in-use',
  6: 'in-use',
  8: 'read-only',
  11: 'damaged',
  13: 'full',
  14: 'no-place',
  26: 'foreign',
};

/**
 * Both engines number an error as SQLite does, in fields of different names. If `libsql` cannot open a file, only the
 * message has the number.
 */
function databaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  if (!(error instanceof Error)) return new DatabaseError('other', String(error));
  const { errcode, rawCode } = error as Error & { readonly errcode?: unknown; readonly rawCode?: unknown };
  const number = typeof errcode === 'number' ? errcode : rawCode;
  const cannotOpen = error.message.startsWith('ConnectionFailed') && error.message.includes(': 14');
  const known = typeof number === 'number' ? FAULTS[number & 0xff] : undefined;
  return new DatabaseError(known ?? (cannotOpen ? 'no-place' : 'other'), error.message);
}
