import { expect } from 'vitest';
import { type MetricSample, samplesIn, valuesOf } from '../../testing/stories/parse-metrics.ts';
import type { Lockscope } from './lockscope/lockscope.ts';
import { waitFor } from './wait-for.ts';

/** The metrics of Lockscope as Prometheus reads them. */
export async function metricsText(lockscope: Lockscope, accept = 'text/plain'): Promise<string> {
  const answer = await fetch(`${lockscope.url}/metrics`, { headers: { accept } });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** Metrics, health and locks of one state: nothing happened between the first and the last of them. */
export async function metricsAtOnce(lockscope: Lockscope) {
  return waitFor('a moment without events', async () => {
    const before = await lockscope.newestSeq();
    const samples = samplesIn(await metricsText(lockscope));
    const [{ sources }, locks, events] = [
      await lockscope.health(),
      await lockscope.locks(),
      await lockscope.eventsAfter(0),
    ];
    return (await lockscope.newestSeq()) === before && { samples, sources, locks, events };
  });
}

/** The sum of the values of all series. */
export function sum(values: Record<string, number>): number {
  return Object.values(values).reduce((total, value) => total + value, 0);
}

function countedBy<T>(all: readonly T[], keyOf: (each: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of all) counts[keyOf(each)] = (counts[keyOf(each)] ?? 0) + 1;
  return counts;
}

/**
 * Expects that the metrics agree with the API, and returns them. Locks must have been acquired, waited for and released
 * before.
 */
export async function expectAgreement(lockscope: Lockscope): Promise<MetricSample[]> {
  const { samples, sources, locks, events } = await metricsAtOnce(lockscope);
  const [source] = sources;
  const metric = (name: string) => valuesOf(samples, `lockscope_${name}`);
  expect(metric('events_total')).toEqual(countedBy(events, (event) => `${event.source} ${event.type}`));
  const states = countedBy(locks, ({ source, kind, held }) => `${source} ${kind} ${held ? 'held' : 'free'}`);
  expect(Object.fromEntries(Object.entries(metric('locks')).filter(([, count]) => count > 0))).toEqual(states);
  const holders = locks.reduce((sum, lock) => sum + lock.holders.length + (lock.moreHolders ?? 0), 0);
  expect(sum(metric('holders'))).toBe(holders);
  expect(sum(metric('lock_holders'))).toBe(holders);
  expect(sum(metric('waiters'))).toBe(locks.reduce((total, lock) => total + lock.waiters.length, 0));
  expect(metric('source_status')[`${source?.id} ${source?.status}`]).toBe(1);
  expect(metric('source_level')[`${source?.id} ${source?.level}`]).toBe(1);
  expect(metric('source_drift_total')).toEqual({ redis: source?.drift });
  expect(metric('source_guard_tripped')).toEqual({ redis: 0 });
  const acquired = events.filter(({ type }) => type === 'lock.acquired');
  expect(sum(metric('lock_acquisitions_total'))).toBe(acquired.length);
  const waited = acquired.filter((event) => 'waitedMs' in event);
  expect(waited.length).toBeGreaterThan(0);
  const whole = waited.filter((event) => !('waitedAtLeast' in event));
  expect(sum(metric('wait_duration_seconds_count'))).toBe(whole.length);
  const spans = (await lockscope.spans()).filter(
    ({ kind, to, openStart }) => kind === 'hold' && to !== null && !openStart,
  );
  expect(sum(metric('hold_duration_seconds_count'))).toBe(spans.length);
  expect(sum(metric('wakeup_latency_seconds_count'))).toBeGreaterThan(0);
  return samples;
}

/** Expects that no counter and no part of a histogram is lower in the later metrics, and that events were counted. */
export function expectOnlyRises(earlier: readonly MetricSample[], later: readonly MetricSample[]): void {
  for (const { name, labels, value } of earlier.filter(({ name }) => /_(?:total|count|sum|bucket)$/.test(name))) {
    const same = later.find((each) => each.name === name && JSON.stringify(each.labels) === JSON.stringify(labels));
    expect([name, labels, (same?.value ?? -1) >= value]).toEqual([name, labels, true]);
  }
  const total = (samples: readonly MetricSample[]) => sum(valuesOf(samples, 'lockscope_events_total'));
  expect(total(later)).toBeGreaterThan(total(earlier));
}
