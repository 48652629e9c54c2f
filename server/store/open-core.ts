import { fail, ok, type Result } from '../../shared/base/result.ts';
import { prepareTables, STORE_VERSION } from './schema.ts';
import { type DatabaseFault, openSqlite } from './sqlite.ts';
import { type Retention, StoreCore } from './store-core.ts';

/** Opens the store in a file, which is created if it is missing. The error is one line: what is wrong, and what to do. */
export async function openCore(path: string, retention: Retention): Promise<Result<StoreCore, string>> {
  const opened = await openSqlite(path);
  if (!opened.ok) return fail(opened.error ? refusal(path, opened.error.fault, opened.error.message) : NO_SQLITE);
  const database = opened.value;
  try {
    const state = prepareTables(database);
    if (state === 'ready') return ok(new StoreCore(database, retention));
    database.close();
    return fail(state === 'foreign' ? refusal(path, 'foreign', '') : newer(path, state.newer));
  } catch (error) {
    database.close();
    throw error;
  }
}

const NO_SQLITE =
  '--store needs a SQLite, and this Node has none. Use Node 22.13 or newer, or run "npm install libsql" where Lockscope is ' +
  'installed. Or leave out --store.';

function newer(path: string, version: number): string {
  return (
    `--store ${path}: a newer Lockscope made that file (version ${version}; this one reads ${STORE_VERSION}). ` +
    'Update Lockscope, or name another file.'
  );
}

/** Why a file cannot be opened, in one line. `quote`: the words of SQLite. */
export function refusal(path: string, fault: DatabaseFault, quote: string): string {
  return `--store ${path}: ${REASONS[fault] ?? `${quote}. Name another file.`}`;
}

const REASONS: Readonly<Partial<Record<DatabaseFault, string>>> = {
  foreign: 'that file is not a store of Lockscope. Name another one.',
  damaged: 'that file is damaged. Move it away to keep it, and start again: a new file is made.',
  'in-use': 'another program has that file open, probably another Lockscope. End it, or name another file.',
  full: 'the disk is full. Free some space, or name a file on another disk.',
  'no-place': 'the file cannot be opened. The folder must exist, and you must be allowed to write there.',
  'read-only': 'you may not write that file. Name another one, or change its rights.',
};
