import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCore } from './open-core.ts';
import { openSqlite } from './sqlite.ts';

const RETENTION = { retainMs: 30 * 86_400_000, mostBytes: 1024 ** 3 };
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockscope-store-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Why a file is refused; empty: it is opened. */
async function refusalOf(path: string): Promise<string> {
  const opened = await openCore(path, RETENTION);
  if (!opened.ok) return opened.error;
  await opened.value.close();
  return '';
}

test('a store is created, and opened again', async () => {
  const path = join(folder, 'a.store');
  expect(await refusalOf(path)).toBe('');
  expect(await refusalOf(path)).toBe('');
});

test('a file with other content is refused and not changed', async () => {
  const path = join(folder, 'notes.txt');
  writeFileSync(path, 'a list of things to do\n'.repeat(500));
  const before = readFileSync(path);
  expect(await refusalOf(path)).toContain(`${path}: that file is not a store of Lockscope. Name another one.`);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('the database of another program is refused', async () => {
  const path = join(folder, 'other.db');
  const other = await openSqlite(path);
  if (!other.ok) throw new Error('no SQLite here');
  other.value.all('CREATE TABLE invoices (id INTEGER)');
  other.value.close();
  expect(await refusalOf(path)).toContain('that file is not a store of Lockscope');
});

test('a file of a newer version is refused', async () => {
  const path = join(folder, 'new.store');
  expect(await refusalOf(path)).toBe('');
  const store = await openSqlite(path);
  if (!store.ok) throw new Error('no SQLite here');
  store.value.all("UPDATE lockscope_store SET value = '7' WHERE name = 'version'");
  store.value.close();
  expect(await refusalOf(path)).toContain('a newer Lockscope made that file (version 7; this one reads 3)');
});

test('an older file gets the tables of statistics', async () => {
  const path = join(folder, 'old.store');
  expect(await refusalOf(path)).toBe('');
  const old = await openSqlite(path);
  if (!old.ok) throw new Error('no SQLite here');
  for (const table of ['lock_hours', 'client_hours', 'hold_hours']) old.value.all(`DROP TABLE ${table}`);
  old.value.all("UPDATE lockscope_store SET value = '1' WHERE name = 'version'");
  old.value.close();
  expect(await refusalOf(path)).toBe('');
  const upgraded = await openSqlite(path);
  if (!upgraded.ok) throw new Error('no SQLite here');
  const [row] = upgraded.value.all("SELECT value FROM lockscope_store WHERE name = 'version'");
  expect([row?.value, upgraded.value.all('SELECT * FROM lock_hours')]).toEqual(['3', []]);
  upgraded.value.close();
});

test('a file that is open elsewhere is refused', async () => {
  const path = join(folder, 'busy.store');
  const first = await openCore(path, RETENTION);
  expect(await refusalOf(path)).toContain('another program has that file open, probably another Lockscope');
  if (first.ok) await first.value.close();
  expect(await refusalOf(path)).toBe('');
});

test('a file in a folder that does not exist is refused', async () => {
  expect(await refusalOf(join(folder, 'none', 'a.store'))).toContain('The folder must exist');
});

test('a file with a damaged first page is refused', async () => {
  const path = join(folder, 'damaged.store');
  expect(await refusalOf(path)).toBe('');
  const bytes = readFileSync(path);
  bytes.fill(0xff, 100, 4096);
  writeFileSync(path, bytes);
  expect(await refusalOf(path)).toContain('that file is damaged. Move it away');
});
