import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { demoBody } from '../shared/wire/demo.ts';
import { DemoProblem } from './demo/demo-stage.ts';
import { SCENARIOS } from './demo/scenarios/all.ts';
import { openRecordedDemo } from './recorded-demo.ts';
import type { Show } from './serve.ts';

const BEGIN = Date.UTC(2030, 0, 1);
let show: Show;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: BEGIN });
  show = await openRecordedDemo();
});

afterEach(async () => {
  await show.stage.close();
  vi.useRealTimers();
});

function observatory() {
  if (!show.observatory) throw new Error('a recorded demo has an observatory');
  return show.observatory;
}

function reported() {
  const { history } = observatory();
  return history.after(history.oldestSeq() - 1, 1000) ?? [];
}

function types(): string[] {
  return reported()
    .map(({ type }) => type)
    .filter((type) => type !== 'lease.renewed');
}

const BEGINNING = ['lock.acquired', 'client.connected'];
const TWO_THREADS = [
  ...BEGINNING,
  ...['lock.refused', 'waiter.subscribed', 'lock.refused', 'client.connected'],
  ...['lock.released', 'wakeup.published', 'lock.acquired', 'waiter.unsubscribed', 'lock.released', 'wakeup.published'],
];

test('the recorded demo plays from the start as if it were live, step by step to the end', () => {
  expect(demoBody.parse(show.stage.view())).toMatchObject({ recorded: true, scenario: 'two-threads', steps: 8 });
  const steps = new Set<number>();
  for (let ms = 0; ms < 15_000; ms += 10) {
    vi.advanceTimersByTime(10);
    steps.add(show.stage.view().step);
  }
  expect([...steps].sort((a, b) => a - b)).toEqual([...steps]);
  expect(demoBody.parse(show.stage.view())).toMatchObject({ state: 'done', step: 8 });
  expect(types()).toEqual(TWO_THREADS);
  const events = reported();
  expect(events[0]?.at).toBeGreaterThan(BEGIN * 1000);
  expect(events.at(-1)?.at).toBeLessThan(Date.now() * 1000);
  expect(observatory().sources()).toMatchObject([
    { status: 'observing', recording: { name: 'two-threads.lockscope', playing: true, cutShort: false } },
  ]);
});

test('the recorded demo does not show later steps before they are played', () => {
  vi.advanceTimersByTime(1500);
  expect(types()).toEqual(BEGINNING);
  expect(observatory().locks()).toMatchObject([{ name: 'orders:42', held: true }]);
  expect(observatory().sources()[0]?.recording?.playing).toBe(true);
});

test('if the recorded demo is started again in the middle, open holds end as unseen, and the run begins again', async () => {
  vi.advanceTimersByTime(1500);
  await show.stage.startScenario('two-threads');
  vi.advanceTimersByTime(20_000);
  expect(types()).toEqual([...BEGINNING, 'blind-spot.began', 'blind-spot.ended', ...TWO_THREADS]);
  const { spans } = await observatory().spans({});
  expect(spans.filter(({ kind }) => kind === 'hold').map(({ ended }) => ended)).toEqual([
    'unseen',
    'released',
    'released',
  ]);
  const seqs = reported().map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_, n) => n + 1));
  expect(await observatory().history.signals(seqs.at(-1) ?? 0)).toBeDefined();
});

test('the recorded demo plays a run in which a client dies and its lease expires', async () => {
  await show.stage.startScenario('holder-crash');
  vi.advanceTimersByTime(20_000);
  expect(show.stage.view()).toMatchObject({ scenario: 'holder-crash', state: 'done', step: 8 });
  expect(show.stage.view().clients.find(({ id }) => id === 'A')).toMatchObject({ state: 'dead', pid: null });
  expect(types()).toContain('lease.expired');
});

test('the recorded demo has no held lock after it was stopped', async () => {
  vi.advanceTimersByTime(1500);
  await show.stage.stopScenario();
  expect(observatory().locks()).toEqual([]);
  expect(show.stage.view()).toMatchObject({ state: 'idle', step: 0 });
  vi.advanceTimersByTime(20_000);
  expect(types()).toEqual([...BEGINNING, 'blind-spot.began', 'blind-spot.ended']);
});

test('the recorded demo refuses actions that need live clients', async () => {
  const problems = await Promise.all([
    show.stage.clientAction('A', 'freeze').catch((error: unknown) => error),
    show.stage.startScenario('none').catch((error: unknown) => error),
  ]);
  expect(problems.map((problem) => problem instanceof DemoProblem && problem.status)).toEqual([409, 404]);
  expect(() => show.stage.threadAction('A', 1, 'lock', { lock: 'orders:42' })).toThrow(
    'This is a recording, so its clients cannot be driven.',
  );
  await expect(observatory().observe('redis', { level: 'events', forMs: null, isForced: false })).rejects.toThrow(
    'This is a recording',
  );
  expect(show.stage.scenarios().map(({ id }) => id)).toEqual(SCENARIOS.map(({ id }) => id));
});
