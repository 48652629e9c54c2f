import { expect, test } from 'vitest';
import type { LockEvent } from '../events/event.ts';
import { goldens } from '../testing/read-trace.ts';
import { story } from '../testing/story.ts';
import { eventsFromTrace } from '../testing/trace-file.ts';
import { denseRunsFromEvents, eventsAndRuns } from './dense-runs.ts';

function eventsOf(folder: string, name: string): LockEvent[] {
  const golden = goldens().find((each) => each.folder === folder && each.name === name);
  if (!golden) throw new Error(`no trace ${folder}/${name}`);
  return eventsFromTrace(golden.trace(), golden.isPushFirst);
}

test.each([
  ['redisson-3.46.0', 8255],
  ['redisson-4.7.0', 7656],
])('[F6] %s: a waiter behind a dead head is one dense run, not thousands of rows', (folder, atLeast) => {
  const events = eventsOf(folder, 'fair-dead-head');
  const [run, ...others] = denseRunsFromEvents(events);
  expect(others).toEqual([]);
  expect(run?.attempts).toBeGreaterThanOrEqual(atLeast);
  const rows = eventsAndRuns(events);
  expect(rows.length).toBeLessThan(30);
  const kept = rows.map((row) => ('attempts' in row ? row.attempts : 1)).reduce((sum, count) => sum + count, 0);
  expect(kept).toBe(events.length);
});

test('[F6] before 3.32.0 there is no such run', () => {
  expect(denseRunsFromEvents(eventsOf('redisson-3.27.2', 'fair-dead-head'))).toEqual([]);
});

test('attempts of a call that waits are no run', () => {
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
  expect(eventsAndRuns(events)).toEqual(events);
});
