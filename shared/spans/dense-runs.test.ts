import { expect, test } from 'vitest';
import { story } from '../../testing/stories/story.ts';
import { goldens } from '../../testing/traces/read-trace.ts';
import { eventsFromTrace } from '../../testing/traces/trace-file.ts';
import type { LockEvent } from '../events/event.ts';
import { denseRunsFromEvents } from './dense-runs.ts';
import { thinRuns } from './thin-runs.ts';

function eventsOf(folder: string, name: string): LockEvent[] {
  const golden = goldens().find((each) => each.folder === folder && each.name === name);
  if (!golden) throw new Error(`no trace ${folder}/${name}`);
  return eventsFromTrace(golden.trace(), golden.isPushFirst);
}

test.each([
  ['redisson-3.46.0', 8255],
  ['redisson-4.7.0', 7656],
])('[F6] %s: the attempts of a waiter behind a dead head are one dense run', (folder, atLeast) => {
  const events = eventsOf(folder, 'fair-dead-head');
  const [run, ...others] = denseRunsFromEvents(events);
  expect(others).toEqual([]);
  expect(run?.attempts).toBeGreaterThanOrEqual(atLeast);
  const refusals = events.filter((event) => event.type === 'lock.refused' && event.attempt > 2);
  expect(run?.attempts).toBeLessThanOrEqual(refusals.length);
});

test('[F6] before Redisson 3.32.0, attempts behind a dead head are not a dense run', () => {
  expect(denseRunsFromEvents(eventsOf('redisson-3.27.2', 'fair-dead-head'))).toEqual([]);
});

test('the attempts of a waiting call are not a dense run', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    1.000  B attempts refused
    1.001  B subscribes
    1.002  B attempts refused
    1.100  B attempts refused
    1.150  B attempts refused
    1.900  B attempts refused
  `);
  expect(denseRunsFromEvents(events)).toEqual([]);
});

test.each(['redisson-3.46.0', 'redisson-4.7.0'])(
  '[F6] %s: a run whose middle attempts are missing is still the same run',
  (folder) => {
    const events = eventsOf(folder, 'fair-dead-head');
    const thin = thinRuns(events);
    expect(thin.length).toBeLessThan(40);
    expect(denseRunsFromEvents(thin)).toEqual(denseRunsFromEvents(events));
    const others = (list: readonly LockEvent[]) => list.filter(({ type }) => type !== 'lock.refused');
    expect(others(thin)).toEqual(others(events));
  },
);

test('[P2] all attempts of a wait with sleep are kept', () => {
  const events = eventsOf('redisson-4.7.0', 'contention');
  expect(thinRuns(events)).toEqual(events);
});
