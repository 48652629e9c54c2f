import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { samplesIn, valuesOf } from '../../../testing/stories/parse-metrics.ts';
import type { Lockscope } from '../../support/lockscope/lockscope.ts';
import { launchLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { expectAgreement, expectOnlyRises, metricsAtOnce, metricsText, sum } from '../../support/metrics-agree.ts';
import { hasProgram, type RunningPrometheus, startPrometheus } from '../../support/servers/prometheus.ts';
import { waitFor } from '../../support/wait-for.ts';

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

/** Plays a scenario to its end. */
async function play(scenario: string): Promise<void> {
  const { status } = await lockscope.post(`/api/demo/scenarios/${scenario}/start`, {});
  expect(status).toBe(200);
  await waitFor(`the end of ${scenario}`, async () => {
    const demo = (await lockscope.get('/api/demo')).body as { state: string; scenario: string }; // other tests check the form of this answer
    return demo.scenario === scenario && demo.state === 'done';
  });
}

test('in a scenario of the demo, the metrics agree with the API, and counters only rise', async () => {
  await play('fair-queue');
  const samples = await expectAgreement(lockscope);
  await play('two-threads');
  expectOnlyRises(samples, samplesIn(await metricsText(lockscope)));
});

describe('promtool accepts', () => {
  test.skipIf(TOOL_MISSING)(`the metrics${TOOL_MISSING}`, async () => {
    const input = await metricsText(lockscope);
    expect(execFileSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })).toBe('');
  });

  test.skipIf(TOOL_MISSING)(`the alerts, and they pass their tests${TOOL_MISSING}`, () => {
    expect(execFileSync('promtool', ['check', 'rules', ALERTS], { encoding: 'utf8' })).toContain('SUCCESS: 12 rules');
    const tests = ALERTS.replace('.yml', '.test.yml');
    expect(execFileSync('promtool', ['test', 'rules', tests], { encoding: 'utf8' })).toContain('SUCCESS');
  });
});

describe.skipIf(SERVER_MISSING)(`a Prometheus that scrapes Lockscope${SERVER_MISSING}`, () => {
  let prometheus: RunningPrometheus;
  beforeAll(async () => {
    prometheus = await startPrometheus(new URL(lockscope.url).host, ALERTS);
    await waitFor('the first scrape', async () => (await prometheus.query('up == 1')).length === 1);
  });
  afterAll(() => prometheus?.stop());

  test('has the counted events, and the instants of holds as exemplars', async () => {
    await play('two-threads');
    const { samples } = await metricsAtOnce(lockscope);
    const expected = sum(valuesOf(samples, 'lockscope_events_total'));
    await waitFor('the events', async (missing) => {
      const [found] = await prometheus.query('sum(lockscope_events_total)');
      return Number(found?.value[1]) >= expected || missing(JSON.stringify(found));
    });
    const now = Date.now() / 1000;
    const range = `&start=${now - 600}&end=${now + 60}`;
    const exemplars = await waitFor('an exemplar', async () => {
      const data = await prometheus.api(`query_exemplars?query=lockscope_hold_duration_seconds_bucket${range}`);
      const found = (data as { exemplars: { labels: Record<string, string> }[] }[]).flatMap((each) => each.exemplars); // Prometheus documents this form
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
    const { groups } = (await prometheus.api('rules')) as { groups: { rules: { name: string; health: string }[] }[] }; // Prometheus documents this form
    const rules = groups.flatMap((group) => group.rules);
    await waitFor('every rule', async () => rules.length === 12);
    expect(rules.filter(({ health }) => health === 'err')).toEqual([]);
    const dashboard = JSON.parse(readFileSync('deploy/grafana/lockscope.json', 'utf8')) as { panels: Panel[] }; // a file of this repository
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
    // Panels that may be empty: nothing is wrong now, no guard has tripped, and INFO may not have been read yet.
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

test.skipIf(SERVER_MISSING)(`Prometheus sends the token of Lockscope as a bearer${SERVER_MISSING}`, async () => {
  const own = await launchLockscopeProcess('demo', [], { LOCKSCOPE_TOKEN: TOKEN });
  try {
    const target = new URL(own.url).host;
    const prometheus = await startPrometheus(target, ALERTS, TOKEN);
    await waitFor('a scrape', async () => (await prometheus.query('up == 1')).length === 1).finally(prometheus.stop);
    const withoutToken = await startPrometheus(target, ALERTS);
    await waitFor('a refused scrape', async () => (await withoutToken.query('up == 0')).length === 1).finally(
      withoutToken.stop,
    );
  } finally {
    await own.stop();
  }
});
