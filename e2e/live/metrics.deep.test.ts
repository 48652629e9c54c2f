import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MetricSample, samplesIn, valuesOf } from '../../shared/testing/parse-metrics.ts';
import type { Lockscope } from '../support/clients/lockscope.ts';
import { launchLockscopeProcess } from '../support/clients/lockscope-process.ts';
import { hasProgram, type RunningPrometheus, startPrometheus } from '../support/servers/prometheus.ts';
import { waitFor } from '../support/wait-for.ts';

const TOKEN = 'token-of-the-metrics-test';
const ALERTS = 'deploy/prometheus/lockscope-alerts.yml';
const TOOL_MISSING = hasProgram('promtool') ? '' : ' (skipped: no promtool; Debian has it in the package prometheus)';
const SERVER_MISSING = hasProgram('prometheus')
  ? ''
  : ' (skipped: no prometheus; Debian has it in the package prometheus)';

type Panel = { title: string; targets?: { expr: string }[] };

let lockscope: Lockscope;

beforeAll(async () => {
  lockscope = await launchLockscopeProcess('demo', ['--metrics-lock', '*']);
  await waitFor('the demo', async () =>
    (await lockscope.health()).sources.every(({ status }) => status === 'observing'),
  );
});
afterAll(() => lockscope?.stop());

async function scrape(accept = 'text/plain'): Promise<MetricSample[]> {
  return samplesIn(await textOf(accept));
}

async function textOf(accept: string): Promise<string> {
  const answer = await fetch(`${lockscope.url}/metrics`, { headers: { accept } });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** Plays a scenario to its end. */
async function play(scenario: string): Promise<void> {
  const { status } = await lockscope.post(`/api/demo/scenarios/${scenario}/start`, {});
  expect(status).toBe(200);
  await waitFor(`the end of ${scenario}`, async () => {
    const demo = (await lockscope.get('/api/demo')).body as { state: string; scenario: string }; // checked by other tests
    return demo.scenario === scenario && demo.state === 'done';
  });
}

/** Metrics, health and locks of one state: nothing happened between the first and the last of them. */
async function atOnce() {
  return waitFor('a moment without events', async () => {
    const before = await lockscope.newestSeq();
    const samples = await scrape();
    const [{ sources }, locks, events] = [
      await lockscope.health(),
      await lockscope.locks(),
      await lockscope.eventsAfter(0),
    ];
    return (await lockscope.newestSeq()) === before && { samples, sources, locks, events };
  });
}

function countedBy<T>(all: readonly T[], keyOf: (each: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of all) counts[keyOf(each)] = (counts[keyOf(each)] ?? 0) + 1;
  return counts;
}

test('the metrics agree with the API, and counters only rise', async () => {
  await play('fair-queue');
  const { samples, sources, locks, events } = await atOnce();
  const [source] = sources;
  const of = (name: string) => valuesOf(samples, `lockscope_${name}`);
  expect(of('events_total')).toEqual(countedBy(events, (event) => `${event.source} ${event.type}`));
  const states = countedBy(locks, ({ source, kind, held }) => `${source} ${kind} ${held ? 'held' : 'free'}`);
  expect(Object.fromEntries(Object.entries(of('locks')).filter(([, count]) => count > 0))).toEqual(states);
  const holders = locks.reduce((sum, lock) => sum + lock.holders.length + (lock.moreHolders ?? 0), 0);
  expect(sum(of('holders'))).toBe(holders);
  expect(sum(of('lock_holders'))).toBe(holders);
  expect(sum(of('waiters'))).toBe(locks.reduce((total, lock) => total + lock.waiters.length, 0));
  expect(of('source_status')[`${source?.id} ${source?.status}`]).toBe(1);
  expect(of('source_level')[`${source?.id} ${source?.level}`]).toBe(1);
  expect(of('source_drift_total')).toEqual({ redis: source?.drift });
  expect(of('source_guard_tripped')).toEqual({ redis: 0 });
  const acquired = events.filter(({ type }) => type === 'lock.acquired');
  expect(sum(of('lock_acquisitions_total'))).toBe(acquired.length);
  const waited = acquired.filter((event) => 'waitedMs' in event);
  expect(waited.length).toBeGreaterThan(0);
  expect(sum(of('wait_duration_seconds_count'))).toBe(waited.length);
  const spans = (await lockscope.spans()).filter(
    ({ kind, to, openStart }) => kind === 'hold' && to !== null && !openStart,
  );
  expect(sum(of('hold_duration_seconds_count'))).toBe(spans.length);
  expect(sum(of('wakeup_latency_seconds_count'))).toBeGreaterThan(0);

  await play('two-threads');
  const later = await scrape();
  for (const { name, labels, value } of samples.filter(({ name }) => /_(?:total|count|sum|bucket)$/.test(name))) {
    const same = later.find((each) => each.name === name && JSON.stringify(each.labels) === JSON.stringify(labels));
    expect([name, labels, (same?.value ?? -1) >= value]).toEqual([name, labels, true]);
  }
  const total = (of: readonly MetricSample[]) => sum(valuesOf(of, 'lockscope_events_total'));
  expect(total(later)).toBeGreaterThan(total(samples));
});

function sum(values: Record<string, number>): number {
  return Object.values(values).reduce((total, value) => total + value, 0);
}

describe('promtool accepts', () => {
  test.skipIf(TOOL_MISSING)(`the metrics${TOOL_MISSING}`, async () => {
    const input = await textOf('text/plain');
    expect(execFileSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })).toBe('');
  });

  test.skipIf(TOOL_MISSING)(`the alerts, and they pass their tests${TOOL_MISSING}`, () => {
    expect(execFileSync('promtool', ['check', 'rules', ALERTS], { encoding: 'utf8' })).toContain('SUCCESS: 12 rules');
    const tests = ALERTS.replace('.yml', '.test.yml');
    expect(execFileSync('promtool', ['test', 'rules', tests], { encoding: 'utf8' })).toContain('SUCCESS');
  });
});

describe.skipIf(SERVER_MISSING)(`a Prometheus that scrapes it${SERVER_MISSING}`, () => {
  let prometheus: RunningPrometheus;
  beforeAll(async () => {
    prometheus = await startPrometheus(new URL(lockscope.url).host, ALERTS);
    await waitFor('the first scrape', async () => (await prometheus.query('up == 1')).length === 1);
  });
  afterAll(() => prometheus?.stop());

  test('has the counted events, and the instants of holds as exemplars', async () => {
    await play('two-threads');
    const { samples } = await atOnce();
    const expected = sum(valuesOf(samples, 'lockscope_events_total'));
    await waitFor('the events', async (missing) => {
      const [found] = await prometheus.query('sum(lockscope_events_total)');
      return Number(found?.value[1]) >= expected || missing(JSON.stringify(found));
    });
    const now = Date.now() / 1000;
    const range = `&start=${now - 600}&end=${now + 60}`;
    const exemplars = await waitFor('an exemplar', async () => {
      const data = await prometheus.api(`query_exemplars?query=lockscope_hold_duration_seconds_bucket${range}`);
      const found = (data as { exemplars: { labels: Record<string, string> }[] }[]).flatMap((each) => each.exemplars); // as documented
      return found.length > 0 && found;
    });
    const ends = (await lockscope.eventsAfter(0)).filter(({ type }) => type === 'lock.released');
    for (const { labels } of exemplars) {
      const event = ends.find(({ seq }) => String(seq) === labels.seq);
      expect(labels.at).toBe(`${((event?.at ?? 0) / 1e6).toFixed(6)}s`);
    }
  });

  test('raises an alert once a lease has run out', async () => {
    const isFiring = async () =>
      (await prometheus.query('ALERTS{alertname="LockscopeLeaseExpired",alertstate="firing"}')).length > 0;
    expect(await isFiring()).toBe(false);
    await play('no-watchdog');
    await waitFor('the alert', isFiring);
  });

  test('evaluates every alert and every panel of the dashboard', async () => {
    const { groups } = (await prometheus.api('rules')) as { groups: { rules: { name: string; health: string }[] }[] }; // as documented
    const rules = groups.flatMap((group) => group.rules);
    await waitFor('every rule', async () => rules.length === 12);
    expect(rules.filter(({ health }) => health === 'err')).toEqual([]);
    const dashboard = JSON.parse(readFileSync('deploy/grafana/lockscope.json', 'utf8')) as { panels: Panel[] }; // our own file
    const empty: string[] = [];
    for (const { title, targets = [] } of dashboard.panels) {
      for (const { expr } of targets) {
        const query = expr
          .replaceAll('$instance', '.*')
          .replaceAll('$source', '.*')
          .replaceAll('$__rate_interval', '5m');
        if ((await prometheus.query(query)).length === 0) empty.push(title);
      }
    }
    // Nothing is wrong now, no guard has tripped, and INFO may not have been read yet.
    const mayBeEmpty = [
      'Open verdicts',
      'Opened per minute',
      'Incidents that cannot be known',
      'Level',
      'Cost for Redis',
    ];
    expect(empty.filter((title) => !mayBeEmpty.includes(title))).toEqual([]);
  });
});

test.skipIf(SERVER_MISSING)(`with a token, Prometheus sends it as a bearer${SERVER_MISSING}`, async () => {
  const own = await launchLockscopeProcess('demo', [], { LOCKSCOPE_TOKEN: TOKEN });
  try {
    const target = new URL(own.url).host;
    const prometheus = await startPrometheus(target, ALERTS, TOKEN);
    await waitFor('a scrape', async () => (await prometheus.query('up == 1')).length === 1).finally(prometheus.stop);
    const stranger = await startPrometheus(target, ALERTS);
    await waitFor('a refused scrape', async () => (await stranger.query('up == 0')).length === 1).finally(
      stranger.stop,
    );
  } finally {
    await own.stop();
  }
});
