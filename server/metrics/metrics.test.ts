import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { samplesIn, valuesOf } from '../../testing/stories/parse-metrics.ts';
import { acquired, released } from '../testing/make-events.ts';
import { type MemoryObservatory, makeMemoryObservatory, type NewEvent } from '../testing/memory-observatory.ts';
import { createMetrics, type Metrics } from './metrics.ts';

const MB = 1024 * 1024;

let observatory: MemoryObservatory;
let metrics: Metrics;

beforeEach(() => {
  observatory = makeMemoryObservatory();
  observatory.setSource({ level: 'monitor' });
  metrics = createMetrics({ observatory, version: '1.2.3', memory: 300 * MB });
});
afterEach(() => metrics.stop());

const samples = async (format: 'text' | 'openmetrics' = 'text') => samplesIn((await metrics.text(format)).text);
const values = async (name: string) => valuesOf(await samples(), name);

const refused = (lock: string, holder: string, attempt: number): NewEvent => ({
  ...{ type: 'lock.refused', lock, holder, mode: 'exclusive', ttlMs: 1000, attempt, asleep: attempt > 1 },
});
/** Records a published message, and returns the `seq` of its event. */
function published(lock: string): number {
  const [event] = observatory.record({ type: 'wakeup.published', lock, channel: 'c', message: '0' });
  return event?.seq ?? 0;
}

describe('gauges', () => {
  test('count locks by kind and state, holders and waiters, and have the oldest wait', async () => {
    observatory.record(acquired('a', 'u:1'), refused('a', 'u:2', 1), refused('a', 'u:2', 2), refused('a', 'u:3', 1));
    observatory.record(acquired('b', 'u:1'), released('b', 'u:1'));
    expect(await values('lockscope_locks')).toEqual({ 'main lock held': 1, 'main lock free': 1 });
    expect(await values('lockscope_locks_waited_for')).toEqual({ 'main lock': 1 });
    expect(await values('lockscope_holders')).toEqual({ 'main lock': 1 });
    // The single refused attempt of u:3 is not known to be a wait.
    expect(await values('lockscope_waiters')).toEqual({ 'main lock': 1 });
    expect(await values('lockscope_oldest_wait_seconds')).toEqual({ main: expect.closeTo(0.004, 6) });
  });

  test('about waiters are absent, not zero, at a level that does not show waits', async () => {
    observatory.record(acquired('a', 'u:1'));
    expect(await values('lockscope_waiters')).toEqual({ 'main lock': 0 });
    observatory.setSource({ level: 'events' });
    for (const name of ['lockscope_waiters', 'lockscope_locks_waited_for', 'lockscope_oldest_wait_seconds'])
      expect(await values(name)).toEqual({});
    expect(await values('lockscope_locks')).toEqual({ 'main lock held': 1, 'main lock free': 0 });
  });

  test('about locks are absent while the source is not watched, which its state shows', async () => {
    observatory.record(acquired('a', 'u:1'));
    observatory.setSource({ status: 'reconnecting', lagMs: 40 });
    for (const name of ['locks', 'holders', 'waiters', 'source_lag_seconds', 'source_level'])
      expect(await values(`lockscope_${name}`)).toEqual({});
    expect(await values('lockscope_source_watched')).toEqual({ main: 0 });
    expect(await values('lockscope_source_status')).toEqual({
      ...{ 'main connecting': 0, 'main observing': 0, 'main reconnecting': 1, 'main failed': 0 },
    });
  });

  test('show how a source is watched', async () => {
    observatory.setSource({ lagMs: 40, drift: 3, rejected: 2, guard: { state: 'tripped' }, linesPerSecond: 12 });
    observatory.setSource({ missing: { isFull: true }, clockOffsetMs: -1500, level: 'events' });
    const now = await samples();
    const of = (name: string) => valuesOf(now, `lockscope_source_${name}`);
    expect(of('lag_seconds')).toEqual({ main: 0.04 });
    expect(of('drift_total')).toEqual({ main: 3 });
    expect(of('rejected_lines_total')).toEqual({ main: 2 });
    expect(of('guard_tripped')).toEqual({ main: 1 });
    expect(of('lines_per_second')).toEqual({ main: 12 });
    expect(of('locks_incomplete')).toEqual({ main: 1 });
    expect(of('clock_offset_seconds')).toEqual({ main: -1.5 });
    expect(of('level')).toEqual({ 'main snapshot': 0, 'main events': 1, 'main replication': 0, 'main monitor': 0 });
    expect(of('info')).toEqual({ 'main redis://127.0.0.1:6379 7.0.15 master': 1 });
    // INFO was not asked for yet.
    expect(of('monitor_cost_ratio')).toEqual({});
    observatory.setSource({ drift: 4 });
    expect(await values('lockscope_source_drift_total')).toEqual({ main: 4 });
  });

  test('compare memory with its limit', async () => {
    expect(await values('lockscope_memory_limit_bytes')).toEqual({ '': 300 * MB });
    expect((await values('lockscope_memory_used_bytes'))['']).toBeGreaterThan(30 * MB);
    observatory.record(acquired('a', 'u:1'));
    const { eventsBytes, locksBytes } = observatory.memory?.() ?? {};
    expect(locksBytes).toBeGreaterThan(0);
    expect(await values('lockscope_memory_part_bytes')).toEqual({ events: eventsBytes, locks: locksBytes });
    expect(await values('lockscope_memory_locks_capped')).toEqual({ '': 0 });
    expect(await values('lockscope_build_info')).toEqual({ '1.2.3': 1 });
  });
});

describe('what has happened', () => {
  test('events are counted by type, and each once', async () => {
    observatory.record(acquired('a', 'u:1'), released('a', 'u:1'), acquired('a', 'u:1'));
    const expected = { 'main lock.acquired': 2, 'main lock.released': 1 };
    expect(await values('lockscope_events_total')).toEqual(expected);
    expect(await values('lockscope_events_total')).toEqual(expected);
  });

  test('expiries are 0 at the start, so that Prometheus sees the first expiry, but only if the level shows them', async () => {
    expect(await values('lockscope_lease_expiries_total')).toEqual({ main: 0 });
    observatory.record(acquired('a', 'u:1'), { type: 'lease.expired', lock: 'a', holder: 'u:1', mode: 'exclusive' });
    observatory.record({ type: 'permits.expired', lock: 's', permits: 3 });
    expect(await values('lockscope_lease_expiries_total')).toEqual({ main: 4 });
    const blind = makeMemoryObservatory();
    blind.setSource({ level: 'snapshot' });
    const other = createMetrics({ observatory: blind, version: '1' });
    expect(valuesOf(samplesIn((await other.text('text')).text), 'lockscope_lease_expiries_total')).toEqual({});
  });

  test('waits that ended are counted, with the length of those that ended with an acquisition', async () => {
    observatory.record({ ...acquired('a', 'u:1'), waitedMs: 1200 } as NewEvent);
    observatory.record({ type: 'waiter.dequeued', lock: 'a', holder: 'u:2', reason: 'gave-up' });
    observatory.record({ type: 'waiter.dequeued', lock: 'a', holder: 'u:3', reason: 'presumed-gone' });
    observatory.record({ type: 'waiter.dequeued', lock: 'a', holder: 'u:4', reason: 'evicted' });
    expect(await values('lockscope_waits_ended_total')).toEqual({
      ...{ 'main lock acquired': 1, 'main lock gave-up': 1, 'main lock gone': 1 },
    });
    expect(await values('lockscope_wait_duration_seconds_sum')).toEqual({ 'main lock': 1.2 });
    const buckets = await values('lockscope_wait_duration_seconds_bucket');
    expect([buckets['1 main lock'], buckets['2.5 main lock'], buckets['+Inf main lock']]).toEqual([0, 1, 1]);
  });

  test('a wait whose beginning was not seen is counted as ended, and has no length', async () => {
    observatory.record({ ...acquired('a', 'u:1'), waitedMs: 1200 } as NewEvent);
    observatory.record({ ...acquired('a', 'u:2'), waitedMs: 9000, waitedAtLeast: true } as NewEvent);
    expect(await values('lockscope_waits_ended_total')).toEqual({ 'main lock acquired': 2 });
    expect(await values('lockscope_wait_duration_seconds_count')).toEqual({ 'main lock': 1 });
    expect(await values('lockscope_wait_duration_seconds_sum')).toEqual({ 'main lock': 1.2 });
  });

  test('the time from a message to the attempt that it caused is measured, whether the attempt acquired the lock or not', async () => {
    const seq = published('a');
    observatory.record({ ...refused('a', 'u:2', 2), wokenBy: 'message', because: [seq] } as NewEvent);
    observatory.record({ ...acquired('a', 'u:3'), wokenBy: 'message', because: [4711, seq] } as NewEvent);
    observatory.record({ ...acquired('a', 'u:4'), wokenBy: 'own-timer', because: [seq] } as NewEvent);
    expect(await values('lockscope_wakeup_latency_seconds_count')).toEqual({ 'main lock': 2 });
    // One event follows the other after a millisecond.
    expect(await values('lockscope_wakeup_latency_seconds_sum')).toEqual({ 'main lock': expect.closeTo(0.003, 9) });
  });

  test('metrics of one Lockscope do not include another Lockscope in the same process', async () => {
    const other = createMetrics({ observatory: makeMemoryObservatory(), version: '2' });
    observatory.record(acquired('a', 'u:1'));
    expect(valuesOf(samplesIn((await other.text('text')).text), 'lockscope_events_total')).toEqual({});
    expect(await values('lockscope_events_total')).toEqual({ 'main lock.acquired': 1 });
    other.stop();
  });

  test('after stop, nothing is counted', async () => {
    metrics.stop();
    expect(observatory.listeners()).toBe(0);
    observatory.record(acquired('a', 'u:1'));
    expect(await values('lockscope_events_total')).toEqual({});
  });
});

describe('formats', () => {
  test('the text has no exemplars, and is the same after a request for OpenMetrics', async () => {
    observatory.record(acquired('a', 'u:1'), released('a', 'u:1'));
    const before = await metrics.text('text');
    const [open, after] = await Promise.all([metrics.text('openmetrics'), metrics.text('text')]);
    const lines = ({ text }: { text: string }) => text.split('\n').filter((line) => !line.includes('memory_used'));
    expect(lines(after)).toEqual(lines(before));
    expect(before.contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(before.text).toContain('# TYPE lockscope_events_total counter\n');
    expect(before.text).not.toContain(' # {');
    expect(open.contentType).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(open.text).toContain('# TYPE lockscope_events counter\nlockscope_events_total{');
    expect(open.text.endsWith('\n# EOF\n')).toBe(true);
    expect(valuesOf(samplesIn(open.text), 'lockscope_events_total')).toEqual(
      valuesOf(samplesIn(before.text), 'lockscope_events_total'),
    );
  });

  test('an exemplar of OpenMetrics has the instant of the event that it counts, in the form of links to the page', async () => {
    const [, event] = observatory.record(acquired('a', 'u:1'), released('a', 'u:1'));
    const found = (await samples('openmetrics')).flatMap(({ name, exemplar }) =>
      name === 'lockscope_hold_duration_seconds_bucket' && exemplar ? [exemplar] : [],
    );
    expect(found).toEqual([{ at: `${((event?.at ?? 0) / 1e6).toFixed(6)}s`, seq: String(event?.seq) }]);
  });

  test('OpenMetrics does not contain the name of a lock', async () => {
    observatory.record(acquired('secret-name', 'u:1'), released('secret-name', 'u:1'));
    expect((await metrics.text('openmetrics')).text).not.toContain('secret-name');
  });
});
