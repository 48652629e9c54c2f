import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LockEvent } from '../../../shared/events/event.ts';
import { STORY_START, seconds, story } from '../../../testing/stories/story.ts';
import type { Row } from '../database.ts';
import { openCore } from '../open-core.ts';
import { openSqlite } from '../sqlite.ts';
import type { StoreCore } from '../store-core.ts';
import { linesOfBatch } from '../stream-lines.ts';

const DAY_MS = 86_400_000;
const EVENTS = story(`orders:42 lease 60s
  0.000 A attempts acquired
  2.000 B attempts refused
  2.001 B subscribes
  2.002 B attempts refused
  9.000 A releases
  9.001 B attempts acquired
  30.000 B releases`);
let path = '';

beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'lockscope-store-')), 'a.store');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true }));

async function opened(): Promise<StoreCore> {
  const core = await openCore(path, { retainMs: 2 * DAY_MS, mostBytes: 1e12 });
  if (!core.ok) throw new Error(core.error);
  return core.value;
}

/** The rows of a table in the closed file. */
async function rowsOf(table: string): Promise<readonly Row[]> {
  const file = await openSqlite(path);
  if (!file.ok) throw new Error('no SQLite here');
  const rows = file.value.all(`SELECT * FROM ${table}`);
  file.value.close();
  return rows;
}

/** The story as the `nth` block of a run, this much later. */
function block(nth: number, laterMs = 0) {
  const events = EVENTS.map((event) => ({ ...event, at: event.at + laterMs * 1000 }) as LockEvent); // the same events
  const seqs = { firstSeq: nth * 100 + 1, lastSeq: nth * 100 + events.length, nextEvent: nth * 100 + 50 };
  const times = { fromAt: events[0]?.at ?? 0, toAt: events.at(-1)?.at ?? 0 };
  return { source: 'a', run: 1, ...seqs, ...times, text: linesOfBatch({ events, gone: [] }) };
}

const RUN = { source: 'a', run: 1, beganAt: STORY_START - 1, gap: 'not-running' } as const;
const NOTHING = { runs: [], blocks: [], checkpoints: [] };

test('the costs of a lock, its clients and its holds are stored in the file together with the block', async () => {
  const core = await opened();
  await core.write({ ...NOTHING, runs: [RUN], blocks: [block(0)] });
  await core.close();
  const [lock, ...others] = await rowsOf('lock_hours');
  expect(others).toEqual([]);
  expect(lock).toMatchObject({
    source: 'a',
    server: 'story',
    db: 0,
    lock: 'orders:42',
    holds: 2,
    waits: 1,
    under_10s: 1,
  });
  expect([ms(lock?.waited_us), ms(lock?.lost_us), ms(lock?.held_us)]).toEqual([7001, 7000, 29_999]);
  const clients = await rowsOf('client_hours');
  expect(clients.map((row) => [row.waits, ms(row.waited_us), ms(row.lost_us)])).toEqual([
    [0, 0, 7000],
    [1, 7001, 0],
  ]);
  expect((await rowsOf('hold_hours')).map((row) => [row.seq, ms(row.lost_us)])).toEqual([[1, 7000]]);
});

const ms = (micros: unknown) => Math.round(Number(micros) / 1000);

test('a block that is written twice is counted once', async () => {
  const core = await opened();
  await core.write({ ...NOTHING, runs: [RUN], blocks: [block(0)] });
  await core.write({ ...NOTHING, blocks: [block(0)] });
  await core.close();
  expect(await rowsOf('lock_hours')).toMatchObject([{ holds: 2, waits: 1 }]);
});

test('sums are added to those of an earlier process, and the hours of a dropped day are dropped', async () => {
  const first = await opened();
  await first.write({ ...NOTHING, runs: [RUN], blocks: [block(0)] });
  await first.close();
  const second = await opened();
  await second.write({ ...NOTHING, runs: [{ ...RUN, run: 2 }], blocks: [{ ...block(1, 60_000), run: 2 }] });
  await second.close();
  expect(await rowsOf('lock_hours')).toMatchObject([{ holds: 4, waits: 2 }]);
  const third = await opened();
  await third.write({ ...NOTHING, runs: [{ ...RUN, run: 3 }], blocks: [{ ...block(2, 4 * DAY_MS), run: 3 }] });
  await third.close();
  expect(await rowsOf('lock_hours')).toMatchObject([{ holds: 2, waits: 1 }]);
  expect((await rowsOf('client_hours')).length).toBe(2);
  expect((await rowsOf('hold_hours')).length).toBe(1);
});

test('statistics are known since the first run that counted them', async () => {
  const core = await opened();
  await core.write({ ...NOTHING, runs: [RUN] });
  await core.write({ ...NOTHING, runs: [{ ...RUN, run: 2, beganAt: seconds(90) }] });
  await core.close();
  expect(await rowsOf('lockscope_store')).toContainEqual({ name: 'hours a', value: String(STORY_START - 1) });
});
