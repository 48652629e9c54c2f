import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plusMillis } from '../../shared/base/time.ts';
import { timeOfStep } from '../../shared/recording/steps-from-recording.ts';
import { signalsFromTrace, stepsFromSignals } from '../../testing/traces/trace-file.ts';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { DEFAULT_MEMORY } from '../watch/terms/memory-shares.ts';
import { StoredWatch, storeIn } from './testing/stored-trace.ts';
import { withStore } from './with-store.ts';

const HOUR_MS = 3_600_000;
const FILE = new URL('../../shared/traces/redisson-4.7.0/herd.trace', import.meta.url);
const STEPS = stepsFromSignals(signalsFromTrace(readFileSync(FILE, 'latin1')), true);
const BEGIN = timeOfStep(STEPS[0]!);
const END = Math.max(...STEPS.map(timeOfStep));

test('more than an hour of an earlier process comes from statistics, which add up to what the memory of that process had', async () => {
  const first = new StoredWatch(await storeIn(), plusMillis(BEGIN, -1));
  first.take(STEPS);
  const { ranking } = await first.live.answers.waitCosts({ from: plusMillis(BEGIN, -1), to: first.live.answers.now() });
  await first.end();
  const store = await storeIn(first.file);
  const observatory = withStore(store, DEFAULT_MEMORY, () => makeMemoryObservatory());
  const asked = { by: 'lock', limit: 20 } as const;
  const found = await observatory.hourCosts?.({ ...asked, from: plusMillis(BEGIN, -HOUR_MS), to: END });
  const caused = [...ranking.locks.values()].map((cost) => Math.round(cost.caused / 1000));
  expect(found?.rows.locks?.map(({ causedMs }) => Math.round(causedMs)).sort()).toEqual(caused.sort());
  expect(caused.some((ms) => ms > 0)).toBe(true);
  expect(await observatory.hourCosts?.({ ...asked, from: BEGIN, to: END })).toBeUndefined();
  await observatory.stop();
});

test('the hours of a lock include the time in which an earlier process watched it', async () => {
  const first = new StoredWatch(await storeIn(), plusMillis(BEGIN, -1));
  first.take(STEPS);
  await first.end();
  const observatory = withStore(await storeIn(first.file), DEFAULT_MEMORY, () => makeMemoryObservatory());
  const [{ lock = '' } = {}] =
    (await observatory.hourCosts?.({ by: 'lock', limit: 1, from: plusMillis(BEGIN, -HOUR_MS), to: END }))?.rows.locks ??
    [];
  const found = await observatory.lockHours?.({ lock, from: BEGIN, to: END });
  const watched = found?.watched.flatMap(({ hours }) => hours) ?? [];
  const watchedMs = watched.reduce((sum, hour) => sum + hour.watchedMs, 0);
  expect(watchedMs).toBeGreaterThan(((END - BEGIN) / 1000) * 0.99);
  expect(watched.map(({ waitsSeenMs }) => waitsSeenMs)).toEqual(watched.map((hour) => hour.watchedMs));
  expect(found?.locks.map(({ source, hours }) => [source, hours.some(({ holds }) => holds > 0)])).toEqual([
    ['redis', true],
  ]);
  await observatory.stop();
});

test('a range that is in memory is not read from statistics', async () => {
  const store = await storeIn();
  const watch = new StoredWatch(store, plusMillis(BEGIN, -1));
  watch.take(STEPS);
  await watch.stored();
  const { answers, history } = watch.live;
  const observatory = withStore(store, DEFAULT_MEMORY, () => ({
    ...makeMemoryObservatory(),
    ...answers,
    history: Object.assign(history, { signals: async () => undefined }),
  }));
  const range = { from: history.oldestAt ?? BEGIN, to: plusMillis(BEGIN, 3 * HOUR_MS) };
  expect(await observatory.hourCosts?.({ ...range, by: 'lock', limit: 20 })).toBeUndefined();
  await observatory.stop();
});
