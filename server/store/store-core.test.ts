import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatabaseError } from './database.ts';
import type { Batch } from './parts.ts';
import { prepareTables } from './schema.ts';
import { openSqlite } from './sqlite.ts';
import { StoreCore } from './store-core.ts';
import { coreStories } from './testing/core-stories.ts';
import { FILES } from './testing/test-place.ts';

coreStories(FILES);

let path = '';
beforeEach(async () => {
  path = await FILES.open();
});
afterEach(() => FILES.drop(path));

test('on a full disk no part of a batch is stored, and all of it once there is room', async () => {
  const database = await openSqlite(path);
  if (!database.ok) throw new Error('no SQLite here');
  await prepareTables(database.value);
  const core = new StoreCore(database.value, { retainMs: 1e12, mostBytes: 1e12 });
  database.value.all('PRAGMA max_page_count=40');
  const text = `${JSON.stringify({ gone: [Array.from({ length: 60_000 }, (_, i) => ((i * 7919) % 99_991).toString(36)).join()] })}\n`;
  const block = { source: 'a', run: 1, firstSeq: 1, lastSeq: 10, nextEvent: 1000, fromAt: 1e15, toAt: 1e15 + 1, text };
  const run = { source: 'a', run: 1, beganAt: 1e15, gap: 'not-running' } as const;
  const batch: Batch = { runs: [run], blocks: [block], checkpoints: [] };
  await expect(core.write(batch)).rejects.toThrow(DatabaseError);
  expect((await core.facts()).reach).toEqual([]);
  database.value.all('PRAGMA max_page_count=10000');
  await core.write(batch);
  expect((await core.facts()).reach).toMatchObject([{ run: 1 }]);
  await core.close();
});
