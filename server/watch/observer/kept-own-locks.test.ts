import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeptOwnLocks } from './kept-own-locks.ts';

const SOURCE = 'redis://127.0.0.1:6379';
let folder: string;
let own: KeptOwnLocks;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockscope-test-'));
  own = new KeptOwnLocks(join(folder, 'own-locks'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('decisions about own locks are stored by the form of the names, and read again for their source only', () => {
  own.keep(SOURCE, { name: 'order:1001', isLock: true });
  own.keep(SOURCE, { shown: true });
  own.keep(SOURCE, { name: 'page:home', isLock: false });
  expect(new KeptOwnLocks(own.dir).read(SOURCE)).toEqual([
    { name: 'order:#', isLock: true },
    { name: 'page:home', isLock: false },
  ]);
  expect(own.read('redis://127.0.0.1:6380')).toEqual([]);
  const [name = ''] = readdirSync(own.dir);
  expect(statSync(join(own.dir, name)).mode & 0o777).toBe(0o600);
});

test('a decision about an own lock that is taken back is not kept, and without decisions there is no file', () => {
  own.keep(SOURCE, { name: 'order:1', isLock: true });
  own.keep(SOURCE, { name: 'order:2', isLock: null });
  expect([own.read(SOURCE), readdirSync(own.dir)]).toEqual([[], []]);
});

test('a decision is added to those that another Lockscope wrote, and replaces an earlier one about the same form', () => {
  const other = new KeptOwnLocks(own.dir);
  own.keep(SOURCE, { name: 'order:1', isLock: true });
  other.keep(SOURCE, { name: 'page:home', isLock: false });
  own.keep(SOURCE, { name: 'order:7', isLock: false });
  expect(other.read(SOURCE)).toEqual([
    { name: 'page:home', isLock: false },
    { name: 'order:#', isLock: false },
  ]);
});

test('only the newest 200 decisions are kept', () => {
  const nameOf = (n: number) => `${'x'.repeat(n % 50)}:${'y'.repeat(n / 50)}:`;
  for (let n = 0; n < 250; n++) own.keep(SOURCE, { name: nameOf(n), isLock: true });
  const read = own.read(SOURCE);
  expect([read.length, read[0]]).toEqual([200, { name: nameOf(50), isLock: true }]);
});

test.each(['', '{', '{"v":2}', '9'.repeat(300_000)])('a file with other content is ignored: %#', (text) => {
  own.keep(SOURCE, { name: 'order:1', isLock: true });
  writeFileSync(join(own.dir, readdirSync(own.dir)[0] ?? ''), text);
  expect(own.read(SOURCE)).toEqual([]);
});
