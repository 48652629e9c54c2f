import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import { createMetrics } from './metrics.ts';

const otlp = () => ({ sent: [], dropped: [] });
const metrics = createMetrics({ observatory: makeMemoryObservatory(), version: '1', locks: ['*'], otlp });
metrics.stop();
const METRICS = metrics.described();
const NAMES = METRICS.map(({ name }) => name);

/** The names of metrics in a text, without the suffix of a series of a histogram. */
function namesIn(text: string): string[] {
  const histograms = METRICS.flatMap(({ name, type }) => (type === 'histogram' ? [name] : []));
  const found = [...text.matchAll(/\blockscope_[a-z_]+/g)].map(([name]) => {
    const base = name.replace(/_(?:bucket|sum|count)$/, '');
    return histograms.includes(base) ? base : name;
  });
  return [...new Set(found)];
}

test.each([
  'deploy/grafana/lockscope.json',
  'deploy/prometheus/lockscope-alerts.yml',
  'deploy/prometheus/lockscope-alerts.test.yml',
  'docs/prometheus.md',
])('every metric in %s exists', (file) => {
  const found = namesIn(readFileSync(file, 'utf8'));
  expect(found.length).toBeGreaterThan(7);
  expect(found.filter((name) => !NAMES.includes(name))).toEqual([]);
});

test('docs/prometheus.md has each metric with its type, and each alert with its severity', () => {
  const docs = readFileSync('docs/prometheus.md', 'utf8');
  const rows = [...docs.matchAll(/^\| `(lockscope_\w+)` \| (\w+) \|/gm)].map(([, name, type]) => `${name} ${type}`);
  expect(rows.sort()).toEqual(METRICS.map(({ name, type }) => `${name} ${type}`).sort());
  const rules = readFileSync('deploy/prometheus/lockscope-alerts.yml', 'utf8');
  const alerts = [...rules.matchAll(/- alert: (\w+)[\s\S]*?severity: (\w+)\n {8}annotations/g)];
  const reported = [...docs.matchAll(/^\| `(Lockscope\w+)` \| (\w+) \|/gm)];
  const pairs = (found: typeof reported) => found.map(([, name, severity]) => `${name} ${severity}`).sort();
  expect(alerts.length).toBe(rules.match(/- alert:/g)?.length);
  expect(pairs(reported)).toEqual(pairs(alerts));
});

test('the dashboard shows every metric, except a few that only alerts and readers of the text need', () => {
  const dashboard = namesIn(readFileSync('deploy/grafana/lockscope.json', 'utf8'));
  const unused = ['lockscope_memory_locks_capped', 'lockscope_insights_unlisted', 'lockscope_detectors_failed'];
  unused.push('lockscope_source_clock_offset_seconds', 'lockscope_otlp_sent_total', 'lockscope_otlp_dropped_total');
  expect(NAMES.filter((name) => !dashboard.includes(name)).sort()).toEqual(unused.sort());
});

test('names follow the conventions of Prometheus', () => {
  for (const { name, type, help } of METRICS) {
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    expect(name).not.toMatch(/_(?:ms|millis|micros|mb|kb|percent|count|sum|bucket)(?:_|$)/);
    expect(help).toMatch(/[.)]$/);
  }
});
