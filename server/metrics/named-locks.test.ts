import { afterEach, expect, test } from 'vitest';
import { samplesIn, valuesOf } from '../../testing/stories/parse-metrics.ts';
import { acquired, released } from '../testing/make-events.ts';
import { makeMemoryObservatory, type NewEvent } from '../testing/memory-observatory.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { MOST_NAMED } from './named-locks.ts';

let metrics: Metrics | undefined;
afterEach(() => metrics?.stop());

function watched(...locks: readonly string[]) {
  const observatory = makeMemoryObservatory();
  observatory.setSource({ level: 'monitor' });
  const made = createMetrics({ observatory, version: '1', locks });
  metrics = made;
  const values = async (name: string) => valuesOf(samplesIn((await made.text('text')).text), `lockscope_lock_${name}`);
  return { observatory, values };
}

const waiting = (lock: string, holder: string): NewEvent[] =>
  [1, 2].map((attempt) => ({
    ...{ type: 'lock.refused', lock, holder, mode: 'exclusive', ttlMs: 1000, attempt, asleep: attempt > 1 },
  }));

test('locks with matching names have their own holders, waiters and totals', async () => {
  const { observatory, values } = watched('orders:*', 'stock');
  observatory.record(acquired('orders:1', 'u:1'), ...waiting('orders:1', 'u:2'), acquired('other:1', 'u:1'));
  observatory.record({ ...acquired('stock', 'u:1'), waitedMs: 1500, db: 3 } as NewEvent);
  observatory.record({ type: 'lease.expired', lock: 'stock', holder: 'u:1', mode: 'exclusive', db: 3 });
  expect(await values('holders')).toEqual({ 'main 0 orders:1': 1, 'main 3 stock': 0 });
  expect(await values('waiters')).toEqual({ 'main 0 orders:1': 1, 'main 3 stock': 0 });
  observatory.record(released('orders:1', 'u:1'));
  expect(await values('holders')).toEqual({ 'main 0 orders:1': 0, 'main 3 stock': 0 });
  expect(await values('acquisitions_total')).toEqual({ 'main 0 orders:1': 1, 'main 3 stock': 1 });
  expect(await values('wait_seconds_total')).toEqual({ 'main 3 stock': 1.5 });
  expect(await values('lease_expiries_total')).toEqual({ 'main 0 orders:1': 0, 'main 3 stock': 1 });
  const held = await values('hold_seconds_total');
  expect(held).toEqual({ 'main 0 orders:1': expect.closeTo(0.006, 9), 'main 3 stock': expect.closeTo(0.001, 9) });
  observatory.setSource({ level: 'events' });
  expect(await values('waiters')).toEqual({});
  expect(await values('holders')).toEqual({ 'main 0 orders:1': 0, 'main 3 stock': 0 });
});

test('the time of a wait whose beginning was not seen is in no total', async () => {
  const { observatory, values } = watched('*');
  observatory.record({ ...acquired('stock', 'u:1'), waitedMs: 1500 } as NewEvent);
  observatory.record({ ...acquired('stock', 'u:2'), waitedMs: 9000, waitedAtLeast: true } as NewEvent);
  expect(await values('wait_seconds_total')).toEqual({ 'main 0 stock': 1.5 });
});

test('at most 200 locks have their own series, also a lock that is named "other"; further locks share one', async () => {
  const { observatory, values } = watched('*');
  observatory.record(acquired('other', 'u:1'));
  for (let n = 0; n < MOST_NAMED + 49; n++) observatory.record(acquired(`lock:${n}`, 'u:1'));
  observatory.record(acquired('x'.repeat(201), 'u:1'));
  const holders = await values('holders');
  expect(Object.keys(holders)).toHaveLength(MOST_NAMED + 1);
  expect(holders['main 0 other']).toBe(1);
  expect(holders['main  other']).toBe(51);
  const acquisitions = await values('acquisitions_total');
  expect(Object.keys(acquisitions)).toHaveLength(MOST_NAMED + 1);
  expect(acquisitions['main  other']).toBe(51);
  observatory.record(released('lock:249', 'u:1'), released(`lock:${MOST_NAMED + 10}`, 'u:1'));
  expect((await values('holders'))['main  other']).toBe(50);
});

test('a lock that was dropped from memory loses its series, and another lock gets the place', async () => {
  const { observatory, values } = watched('*');
  for (let n = 0; n < MOST_NAMED; n++) observatory.record(acquired(`lock:${n}`, 'u:1'));
  observatory.record(acquired('next', 'u:1'));
  observatory.forget('main/0/lock:7');
  expect(Object.keys(await values('acquisitions_total'))).not.toContain('main 0 lock:7');
  observatory.record(released('next', 'u:1'));
  const holders = await values('holders');
  expect(holders['main 0 next']).toBe(0);
  expect(holders['main  other']).toBeUndefined();
  expect(holders['main 0 lock:7']).toBeUndefined();
});

test('a name with quotes, backslashes and line ends is one label', async () => {
  const { observatory, values } = watched('*');
  const name = 'a"} 1\n\\lockscope_lock_holders{lock="b';
  observatory.record(acquired(name, 'u:1'));
  expect(await values('holders')).toEqual({ [`main 0 ${name}`]: 1 });
});
