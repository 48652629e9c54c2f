import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { ReportedUntil } from './reported-until.ts';

const NOW = redisTime(1000);
const running = { state: 'running' as const, startedAt: 100, at: 900, script: [] };

test('a run is known until the newest response whose events have all arrived', () => {
  const reported = new ReportedUntil();
  reported.take({ ...running, reported: { until: 200, seq: 5 } });
  reported.take({ ...running, reported: { until: 300, seq: 7 } });
  expect(reported.edge(NOW, 4)).toBe(100);
  expect(reported.edge(NOW, 6)).toBe(200);
  expect(reported.edge(NOW, 7)).toBe(300);
});

test('the last known instant does not go back in one run, and starts again with the next run', () => {
  const reported = new ReportedUntil();
  reported.take({ ...running, reported: { until: 300, seq: 5 } });
  expect(reported.edge(NOW, 5)).toBe(300);
  reported.take({ ...running, reported: { until: 250, seq: 5 } });
  expect(reported.edge(NOW, 5)).toBe(300);
  reported.take({ ...running, startedAt: 400, reported: { until: 390, seq: 9 } });
  expect(reported.edge(NOW, 9)).toBe(400);
});

test('after the last step of a scenario, the stage waits for the events of its steps, and then follows Redis', () => {
  const reported = new ReportedUntil();
  const done = { ...running, state: 'done' as const, script: [{ n: 1, title: 'A acquires', at: 500 }] };
  reported.take({ ...done, reported: { until: 450, seq: 5 } });
  expect(reported.edge(NOW, 5)).toBe(450);
  reported.take({ ...done, reported: { until: 600, seq: 6 } });
  expect(reported.edge(NOW, 5)).toBe(450);
  expect(reported.edge(NOW, 6)).toBe(NOW);
});

test('if no event was reported, a run is complete until the instant of the response', () => {
  const reported = new ReportedUntil();
  expect(reported.edge(NOW, 0)).toBe(NOW);
  reported.take(running);
  expect(reported.edge(NOW, 0)).toBe(900);
});
