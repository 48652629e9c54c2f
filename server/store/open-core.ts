import { fail, ok, type Result } from '../../shared/base/result.ts';
import { type Database, DatabaseError, type DatabaseFault } from './database.ts';
import { openPostgres } from './postgres/postgres.ts';
import { prepareTables, STORE_VERSION, stateOfTables, type TablesState } from './schema.ts';
import { openSqlite } from './sqlite.ts';
import { StoreCore, type StoreOptions } from './store-core.ts';
import { isDatabaseUrl, shownStore } from './store-name.ts';

/**
 * Opens a store. If the store is missing, makes it, unless this process only reads. The error is one line: what is
 * wrong, and what to do.
 */
export async function openCore(path: string, options: StoreOptions): Promise<Result<StoreCore, string>> {
  const opened = isDatabaseUrl(path) ? await openPostgres(path, options.isReader) : await openSqlite(path);
  if (!opened.ok) return fail(opened.error ? refusal(path, opened.error.fault, opened.error.message) : NO_SQLITE);
  const database: Database = opened.value;
  try {
    const problem = await problemOf(path, database, options);
    if (problem === undefined) return ok(new StoreCore(database, options));
    await database.close();
    return fail(problem);
  } catch (error) {
    await database.close();
    if (error instanceof DatabaseError && isDatabaseUrl(path)) return fail(refusal(path, error.fault, error.message));
    throw error;
  }
}

/** Why an open database is not used; `undefined`: it has the tables, and no other process writes the same source. */
async function problemOf(path: string, database: Database, options: StoreOptions): Promise<string | undefined> {
  const { source, isReader } = options;
  const state: TablesState = isReader ? await stateOfTables(database) : await prepareTables(database);
  if (state === 'foreign') return refusal(path, 'foreign', '');
  if (state === 'empty' || state === 'older') return `--store ${shownStore(path)}: ${NOT_WRITTEN}`;
  if (state !== 'ready') return newer(path, state.newer);
  return source === undefined || (await database.claim(source)) ? undefined : refusal(path, 'in-use', '');
}

const NO_SQLITE =
  '--store needs a SQLite, and this Node has none. Use Node 22.13 or newer, or run "npm install libsql" where Lockscope is ' +
  'installed. Or leave out --store.';
const NOT_WRITTEN = 'nothing is stored in that database yet. Start "lockscope store" first, in this version.';

function newer(path: string, version: number): string {
  const what = isDatabaseUrl(path) ? 'database' : 'file';
  return (
    `--store ${shownStore(path)}: a newer Lockscope made that ${what} (version ${version}; this one reads ${STORE_VERSION}). ` +
    `Update Lockscope, or name another ${what}.`
  );
}

/** Why a store cannot be opened, in one line. `quote`: the words of SQLite or PostgreSQL. */
export function refusal(path: string, fault: DatabaseFault, quote: string): string {
  const reason = isDatabaseUrl(path) ? DATABASE_REASONS[fault]?.(quote) : FILE_REASONS[fault];
  return `--store ${shownStore(path)}: ${reason ?? `${quote}. Name another ${isDatabaseUrl(path) ? 'database' : 'file'}.`}`;
}

const FILE_REASONS: Readonly<Partial<Record<DatabaseFault, string>>> = {
  foreign: 'that file is not a store of Lockscope. Name another one.',
  damaged: 'that file is damaged. Move it away to keep it, and start again: a new file is made.',
  'in-use': 'another program has that file open, probably another Lockscope. End it, or name another file.',
  full: 'the disk is full. Free some space, or name a file on another disk.',
  'no-place': 'the file cannot be opened. The folder must exist, and you must be allowed to write there.',
  'read-only': 'you may not write that file. Name another one, or change its rights.',
};

const DATABASE_REASONS: Readonly<Partial<Record<DatabaseFault, (quote: string) => string>>> = {
  foreign: () =>
    'that database has tables of something else. Name an empty one, or a schema of its own: ' +
    '?options=-c%20search_path%3Dlockscope at the end of the URL.',
  'in-use': () => 'another Lockscope stores the same servers there. End it, or name another database.',
  full: () => 'the disk of PostgreSQL is full. Free some space, or name another database.',
  'no-place': () => 'its search_path names no schema that exists. Create it, or leave out search_path.',
  gone: (quote) => `PostgreSQL does not answer there (${quote}). Start it, or name another one.`,
  login: () => 'PostgreSQL refuses that user or password. Correct them in the URL, or set PGUSER and PGPASSWORD.',
  'no-database': () => 'PostgreSQL has no database of that name. Create it with createdb, or name another one.',
  'no-rights': (quote) => `${quote}. Let that user create tables and write them there, or name another user.`,
};
