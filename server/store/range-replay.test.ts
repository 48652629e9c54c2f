import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import { timeOfStep } from '../../shared/recording/steps-from-recording.ts';
import type { Step } from '../../shared/signals/step.ts';
import { signalsFromTrace, stepsFromSignals } from '../../testing/traces/trace-file.ts';
import type { Answers } from '../watch/answers/answers.ts';
import { sharesOf } from '../watch/terms/memory-shares.ts';
import { STREAM } from './kept-run.ts';
import { RangeReplay } from './range-replay.ts';
import type { Store } from './store.ts';
import { StoredWatch, storeIn } from './testing/stored-trace.ts';

const TRACES = ['deadlock', 'herd', 'fair', 'read-write', 'semaphore', 'expirable-semaphore', 'latch', 'crash'];
const INSTANTS = 12;

function stepsOf(trace: string): Step[] {
  const file = new URL(`../../shared/traces/redisson-4.7.0/${trace}.trace`, import.meta.url);
  return stepsFromSignals(signalsFromTrace(readFileSync(file, 'latin1')), true);
}

async function answersOf(store: Store, from: number, to: number) {
  const range = await store.link.ask({ ask: 'read', query: { source: STREAM, from, to, most: 1_000_000 } });
  if (!range) throw new Error('nothing is stored of that');
  const replay = new RangeReplay(range, sharesOf());
  for (const _ of replay.work()) {
    // a short piece of work each
  }
  const before = replay.wantedBefore();
  if (before)
    replay.takeBefore(await store.link.ask({ ask: 'read-back', query: { ...before, source: STREAM, most: 1e6 } }));
  return replay.answers();
}

/** The locks, the clients, the wait graph and the verdicts at an instant. */
async function shownAt(answers: Answers, at: number) {
  const instant = redisTime(at);
  const page = { at: instant, from: 0, limit: 1000 };
  return {
    locks: await answers.lockPage({ ...page, isWanted: () => true }),
    clients: await answers.clientPage(page),
    graph: await answers.graph({ at: instant }),
    insights: await answers.insights({ at: instant }),
  };
}

test.each(TRACES)('the state at instants of the trace %s is that of a replay from its beginning', async (trace) => {
  const steps = stepsOf(trace);
  const times = steps.map(timeOfStep);
  const store = await storeIn(undefined, 100);
  const watch = new StoredWatch(store, redisTime((times[0] ?? 0) - 1));
  for (let n = 0; n < steps.length; n += 50) {
    watch.take(steps.slice(n, n + 50));
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve)); // checkpoints are written
  }
  await watch.end();
  const again = await storeIn(store.task.path);
  for (let n = 0; n < INSTANTS; n++) {
    const at = times[Math.floor(((n + 0.5) / INSTANTS) * times.length)] ?? 0;
    const found = await answersOf(again, at, at + 1);
    expect(await shownAt(found.answers, at), `at ${at}`).toEqual(await shownAt(watch.live.answers, at));
  }
  await again.close();
});

test('a replay that goes on reports a deadlock of the past, because it knows since when its sources were watched', async () => {
  const steps = stepsOf('deadlock');
  const times = steps.map(timeOfStep);
  // both threads wait for 2.5 s, then one gives up
  const ends = times.findIndex((at, n) => n > 0 && at - (times[n - 1] ?? 0) > 2_000_000);
  const store = await storeIn();
  const waiting = steps.slice(0, ends);
  const watch = new StoredWatch(store, redisTime((times[0] ?? 0) - 1));
  watch.take(waiting);
  await watch.stored();
  const range = await store.link.ask({ ask: 'read', query: { source: STREAM, from: 0, to: 1e16, most: 1_000_000 } });
  const now = redisTime((times[ends] ?? 0) - 1);
  const replay = new RangeReplay({ parts: [], from: 0, to: 0 }, sharesOf(), () => now);
  for (const [n, part] of (range?.parts ?? []).entries()) for (const _ of replay.take(part, n === 0));
  const { insights } = await replay.answers().answers.insights({});
  expect(insights.map(({ incident }) => incident)).toEqual(['abba-deadlock']);
  await watch.end();
});
