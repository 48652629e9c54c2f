import { expect, test } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import { acquired, released } from '../testing/make-events.ts';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { metricsFrom, SeriesStarts } from './metric-data.ts';

// The tests look at no field of a resource.
const ORIGIN = { resource: {} as never, scope: { name: 'lockscope', version: '1.2.3' } };

test('metrics have the names, labels, values and buckets of /metrics, and are counted since they began', async () => {
  const observatory = makeMemoryObservatory();
  const metrics = createMetrics({ observatory, version: '1.2.3', locks: ['named'] });
  const starts = new SeriesStarts([100, 0]);
  const collect = async (now: number) => {
    const { scopeMetrics } = metricsFrom(await metrics.values(), { now: [now, 0], starts, origin: ORIGIN });
    return (name: string) => scopeMetrics[0]?.metrics.find(({ descriptor }) => descriptor.name === name);
  };
  observatory.record(acquired('a', 'u:1'), released('a', 'u:1'));
  observatory.record(acquired('b', 'u:1'), released('b', 'u:1'));
  const first = await collect(200);
  const lengths = first('lockscope_hold_duration_seconds');
  expect(lengths?.descriptor).toMatchObject({
    unit: 's',
    description: expect.stringContaining('From the acquisition'),
  });
  expect(lengths).toMatchObject({ dataPointType: 0, aggregationTemporality: 1 });
  expect(lengths?.dataPoints).toMatchObject([
    {
      ...{ startTime: [100, 0], endTime: [200, 0], attributes: { source: 'main', kind: 'lock', end: 'released' } },
      value: { count: 2, sum: expect.closeTo(0.002, 9), buckets: { counts: [2, ...Array(14).fill(0)] } },
    },
  ]);
  expect(first('lockscope_locks')).toMatchObject({ dataPointType: 2, dataPoints: [{ value: 0 }, { value: 2 }] });
  expect(first('lockscope_waiters')).toBeUndefined();
  const events = first('lockscope_events_total');
  expect(events).toMatchObject({ dataPointType: 3, isMonotonic: true });
  expect(events?.dataPoints[0]).toMatchObject({ value: 2, attributes: { source: 'main', type: 'lock.acquired' } });

  observatory.record(acquired('named', 'u:1'));
  const acquisitions = (await collect(300))('lockscope_lock_acquisitions_total');
  expect(acquisitions?.dataPoints).toMatchObject([{ startTime: [200, 0], value: 1 }]);
  observatory.record(released('named', 'u:1'));
  expect((await collect(400))('lockscope_lock_acquisitions_total')?.dataPoints[0]).toMatchObject({
    startTime: [200, 0],
  });
  // The lock is dropped from memory, and seen again: its series is counted again from 0.
  observatory.forget('main/0/named');
  observatory.record(acquired('other', 'u:1'));
  await collect(500);
  observatory.record(acquired('named', 'u:1'));
  expect((await collect(600))('lockscope_lock_acquisitions_total')?.dataPoints[0]).toMatchObject({
    ...{ startTime: [500, 0], value: 1 },
  });
  metrics.stop();
});

test('a series whose value fell is reported as begun at the collection before', () => {
  const starts = new SeriesStarts([100, 0]);
  const startOf = (value: number, now: number) => {
    const start = starts.startOf('a_total', { labels: {}, value });
    starts.collected([now, 0]);
    return start[0];
  };
  expect([startOf(5, 200), startOf(5, 300), startOf(6, 400), startOf(2, 500), startOf(3, 600)]).toEqual([
    ...[100, 100, 100, 400, 400],
  ]);
});
