import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Database } from '../database.ts';
import { openSqlite } from '../sqlite.ts';

/** Where a test has its store, for example in files or in a PostgreSQL. */
export type TestPlace = {
  /** A new place, as `--store` names it. */
  open(): Promise<string> | string;
  drop(path: string): Promise<void> | void;
  /** The database itself. A new database has no tables yet. */
  database(path: string): Promise<Database>;
};

/** SQLite files, each in a folder of its own. */
export const FILES: TestPlace = {
  open: () => join(mkdtempSync(join(tmpdir(), 'lockscope-store-')), 'a.store'),
  drop: (path) => rmSync(dirname(path), { recursive: true }),
  database: async (path) => {
    const opened = await openSqlite(path);
    if (!opened.ok) throw new Error('no SQLite here');
    return opened.value;
  },
};
