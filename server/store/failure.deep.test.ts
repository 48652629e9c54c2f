import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plusMillis, redisTime } from '../../shared/base/time.ts';
import { shiftedTimes } from '../../shared/recording/shifted-times.ts';
import { timeOfStep } from '../../shared/recording/steps-from-recording.ts';
import { signalsFromTrace, stepsFromSignals } from '../../testing/traces/trace-file.ts';
import { soon } from '../testing/soon.ts';
import { DEFAULT_MEMORY } from '../watch/terms/memory-shares.ts';
import { OpenedRanges } from './opened-ranges.ts';
import { prepareTables } from './schema.ts';
import { openSqlite } from './sqlite.ts';
import { Store } from './store.ts';
import { StoreCore } from './store-core.ts';
import { linkTo } from './testing/link-here.ts';
import { newFile, StoredWatch } from './testing/stored-trace.ts';

const FILE = new URL('../../shared/traces/redisson-4.7.0/herd.trace', import.meta.url);
const STEPS = stepsFromSignals(signalsFromTrace(readFileSync(FILE, 'latin1')), true);
const MINUTE_MICROS = 60_000_000;
/** The steps of the trace, `n` minutes later. */
const played = (n: number) => STEPS.map((step) => shiftedTimes(step, timeOfStep(STEPS[0]!), n * MINUTE_MICROS));
const RETENTION = { retainMs: 1e12, mostBytes: 1e12 };

test('a full disk interrupts history, which continues with the whole state once there is room', async () => {
  const path = newFile();
  const database = await openSqlite(path);
  if (!database.ok) throw new Error('no SQLite here');
  await prepareTables(database.value);
  const core = new StoreCore(database.value, RETENTION);
  const link = linkTo(core);
  const store = new Store({ path, ...RETENTION }, link, await core.facts());
  const watch = new StoredWatch(store, plusMillis(timeOfStep(STEPS[0]!), -1));
  const [early, middle, late] = [played(0), Array.from({ length: 10 }, (_, n) => played(n + 1)).flat(), played(11)];

  watch.take(early);
  await watch.stored();
  const pages = database.value.all('PRAGMA page_count')[0]?.page_count;
  database.value.all(`PRAGMA max_page_count=${pages}`);
  watch.take(middle);
  await soon(() => expect(store.reach.problem).toMatchObject({ code: 'store-failed', values: { why: 'full' } }));
  const { until } = store.reach;
  const last = watch.live.answers.now();
  expect(until).toBeLessThanOrEqual(last);
  expect(until).toBeGreaterThanOrEqual(timeOfStep(early.at(-1)!) - 1_000_000);

  database.value.all('PRAGMA max_page_count=100000');
  await soon(() => expect(store.reach).toMatchObject({ problem: undefined, until: null }));
  watch.take(late);
  await watch.stored();

  const ranges = new OpenedRanges(link, DEFAULT_MEMORY);
  const whole = { from: 0, limit: 100, isWanted: () => true };
  const at = timeOfStep(late.at(-20)!);
  const range = await ranges.open(at, at);
  expect(await range?.answers.lockPage({ ...whole, at })).toEqual(await watch.live.answers.lockPage({ ...whole, at }));

  const gap = await ranges.open(timeOfStep(early.at(-1)!), at);
  const inGap = await gap?.answers.lockPage({ ...whole, at: redisTime(((until ?? 0) + last) / 2) });
  expect(inGap?.locks.every((lock) => (lock.unwatchedSince ?? 0) > 0)).toBe(true);
  expect(inGap?.locks.length).toBeGreaterThan(0);
  await watch.end();
}, 60_000);
