import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, DatabaseError } from './database.ts';
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

test('a batch counts as stored if only dropping old days fails, and dropping is tried again before the next batch', async () => {
  const opened = await openSqlite(path);
  if (!opened.ok) throw new Error('no SQLite here');
  const sqlite = opened.value;
  await prepareTables(sqlite);
  let fault: DatabaseError | undefined = new DatabaseError('no-rights', 'may not vacuum');
  const database: Database = {
    all: (sql, values) => sqlite.all(sql, values),
    insert: (sql, rows) => sqlite.insert(sql, rows),
    transaction: (work) => sqlite.transaction(work),
    tables: () => sqlite.tables(),
    create: (statements) => sqlite.create(statements),
    claim: () => sqlite.claim(),
    bytes: () => sqlite.bytes(),
    close: () => sqlite.close(),
    freeRoom() {
      if (fault) throw fault;
      sqlite.freeRoom();
    },
  };
  const core = new StoreCore(database, { retainMs: 1e9, mostBytes: 1e12 });
  const run = { source: 'a', run: 1, beganAt: 1e15, gap: 'not-running' } as const;
  const block = (nth: number) => {
    const seqs = { firstSeq: nth, lastSeq: nth, nextEvent: 100 + nth };
    return { source: 'a', run: 1, ...seqs, fromAt: 1e15 + nth, toAt: 1e15 + nth, text: '{"gone":["x"]}\n' };
  };
  await core.write({ runs: [run], blocks: [block(1)], checkpoints: [] });
  expect((await core.facts()).reach).toMatchObject([{ seq: 1 }]);
  await expect(core.write({ runs: [], blocks: [block(2)], checkpoints: [] })).rejects.toThrow('may not vacuum');
  expect((await core.facts()).reach).toMatchObject([{ seq: 1 }]);
  fault = undefined;
  await core.write({ runs: [], blocks: [block(2)], checkpoints: [] });
  expect((await core.facts()).reach).toMatchObject([{ seq: 2 }]);
  await core.close();
});
