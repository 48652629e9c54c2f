import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plusMillis, type RedisTime, redisTime } from '../../shared/base/time.ts';
import { shiftedTimes } from '../../shared/recording/shifted-times.ts';
import { timeOfStep } from '../../shared/recording/steps-from-recording.ts';
import type { Step } from '../../shared/signals/step.ts';
import { signalsFromTrace, stepsFromSignals } from '../../testing/traces/trace-file.ts';
import type { Answers } from '../watch/answers/answers.ts';
import { DEFAULT_MEMORY } from '../watch/terms/memory-shares.ts';
import { STREAM } from './kept-run.ts';
import { OpenedRanges } from './opened-ranges.ts';
import { StoredAnswers } from './stored-answers.ts';
import { StoredWatch, storeIn } from './testing/stored-trace.ts';

const HOUR_MS = 3_600_000;
const STEPS = stepsOf('herd');
/** What the first process sees: it ends while the lock is held and waited for. */
const FIRST = STEPS.slice(0, Math.floor(STEPS.length * 0.8));
const LAST_AT = Math.max(...FIRST.map(timeOfStep));
/** The second process sees the same clients an hour later. */
const SECOND = STEPS.map((step) => shiftedTimes(step, LAST_AT, HOUR_MS * 1000));
const BEGAN_AT = timeOfStep(SECOND[0]!);

function stepsOf(trace: string): Step[] {
  const file = new URL(`../../shared/traces/redisson-4.7.0/${trace}.trace`, import.meta.url);
  return stepsFromSignals(signalsFromTrace(readFileSync(file, 'latin1')), true);
}

/** The two processes: the answers of the second process, and what the first process had in memory. */
async function twoRuns() {
  const first = new StoredWatch(await storeIn(undefined, 200), plusMillis(timeOfStep(FIRST[0]!), -1));
  first.take(FIRST);
  await first.end();
  const { events } = await first.live.history.search({ limit: 100_000 });
  const unwatchedSince = redisTime(Math.max(LAST_AT, ...events.map(({ at }) => at)) + 1);
  const store = await storeIn(first.file);
  const second = new StoredWatch(store, plusMillis(BEGAN_AT, -1));
  second.take(SECOND);
  await second.stored();
  const { history, answers } = second.live;
  const past = new StoredAnswers(
    { answers, history: Object.assign(history, { signals: async () => undefined }) },
    {
      ranges: new OpenedRanges(store.link, DEFAULT_MEMORY),
      oldest: () => store.reach.from,
      began: () => store.beganAt,
      timeOfEvent: (seq) => store.link.ask({ ask: 'time-of-event', seq, source: STREAM }),
    },
  );
  return { first, second, store, past, unwatchedSince, answers: { ...answers, ...past.answers() } };
}

async function locksAt(answers: Pick<Answers, 'lockPage'>, at: RedisTime) {
  return (await answers.lockPage({ at, from: 0, limit: 100, isWanted: () => true })).locks;
}

test('an instant before the start of this process is shown from the store', async () => {
  const { first, second, past, answers } = await twoRuns();
  const at = timeOfStep(FIRST.at(-50)!);
  const locks = await locksAt(answers, at);
  expect(locks).toEqual(await locksAt(first.live.answers, at));
  expect(locks).toMatchObject([{ name: 'hot', held: true }]);
  expect(past.oldestAt).toBeLessThanOrEqual(at);
  const [lock] = await answers.pastLocksNamed('hot', {}, at);
  expect(lock && (await answers.detail(lock, at))).toMatchObject({ name: 'hot', held: true });
  await second.end();
});

test('an instant that only memory has is answered from memory, although the store has later ones', async () => {
  const { second, store } = await twoRuns();
  const { history, answers } = second.live;
  const [at, later, began] = [200, 150, 100].map((back) => timeOfStep(SECOND.at(-back)!)) as [
    RedisTime,
    RedisTime,
    RedisTime,
  ];
  const past = new StoredAnswers(
    { answers, history: Object.assign(history, { signals: async () => undefined }) },
    {
      ranges: new OpenedRanges(store.link, DEFAULT_MEMORY),
      ...{ oldest: () => later, began: () => began, timeOfEvent: async () => undefined },
    },
  );
  expect(history.oldestAt).toBeLessThan(at);
  const locks = await locksAt(answers, at);
  expect(locks).toMatchObject([{ name: 'hot' }]);
  expect(past.isStored(later)).toBe(true);
  expect(past.isStored(at)).toBe(false);
  expect(await locksAt({ ...answers, ...past.answers() }, at)).toEqual(locks);
  await second.end();
});

test('while Lockscope was not running, a lock is shown as unwatched since then, and not as free', async () => {
  const { second, answers, unwatchedSince } = await twoRuns();
  const locks = await locksAt(answers, plusMillis(unwatchedSince, HOUR_MS / 2));
  expect(locks).toMatchObject([{ name: 'hot', held: true, unwatchedSince }]);
  await second.end();
});

test('the events of both processes are one list with rising numbers, and the gap between them is in it', async () => {
  const { first, second, past, answers, unwatchedSince: at } = await twoRuns();
  const to = timeOfStep(SECOND.at(-1)!);
  const window = await answers.window({ from: timeOfStep(FIRST.at(-100)!), to, limit: 100_000 });
  const types = window.events.map(({ type }) => type);
  const gap = types.indexOf('blind-spot.began');
  expect(window.events[gap]).toMatchObject({ at, reason: 'not-running' });
  expect(window.events[gap + 1]).toMatchObject({ type: 'blind-spot.ended', from: at });
  const seqs = window.events.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_, n) => (seqs[0] ?? 0) + n));
  expect(seqs.at(-1)).toBe(second.live.history.nextSeq() - 1);

  const before = second.live.history.oldestSeq();
  const { events } = await past.history().search({ before, limit: 20 });
  expect(events).toEqual((await first.live.history.search({ limit: 20 })).events);
  await second.end();
});

test('an instant in memory is answered from memory', async () => {
  const { second, store, answers } = await twoRuns();
  const at = timeOfStep(SECOND.at(-1)!);
  const { ask } = store.link;
  store.link.ask = (question) => {
    if (question.ask === 'read') throw new Error('the store was read');
    return ask(question);
  };
  expect(await locksAt(answers, at)).toEqual(await locksAt(second.live.answers, at));
  await second.end();
});

test('at an instant that is older than the store, no lock is shown', async () => {
  const { second, answers } = await twoRuns();
  expect(await locksAt(answers, redisTime(1))).toEqual([]);
  await second.end();
});

test('trends of a stored time are those of the process that watched it, and the gap is shown as unwatched', async () => {
  const { first, second, answers, unwatchedSince } = await twoRuns();
  const range = { from: timeOfStep(FIRST[50]!), to: redisTime(LAST_AT), bins: 20 };
  const [then, stored] = [await first.live.answers.trends(range), await answers.trends(range)];
  expect(then.bins.at(-1)).toMatchObject({ waiters: 8, handovers: 18, seen: 'watched' });
  // in the last second the process ended
  const oldestWaitMs = expect.closeTo(then.bins.at(-1)?.oldestWaitMs ?? 0, 1);
  const last = { ...then.bins.at(-1), oldestWaitMs, seen: 'partly' };
  expect(stored.bins).toEqual([...then.bins.slice(0, -1), last]);
  const [gap] = (await answers.trends({ ...at(plusMillis(unwatchedSince, HOUR_MS / 2)), bins: 1 })).bins;
  expect(gap).toMatchObject({ seen: 'unwatched', waiters: null });
  const [seen] = (await answers.trends({ ...at(timeOfStep(FIRST.at(-50)!)), bins: 1 })).bins;
  expect(seen).toMatchObject({ seen: 'partly', waitsSeen: true });
  await second.end();
});

const at = (instant: RedisTime) => ({ from: instant, to: instant });

test('a range that is cut because it has too many lines is not read again for a second request', async () => {
  const { second, store } = await twoRuns();
  const ranges = new OpenedRanges(store.link, DEFAULT_MEMORY, STREAM, 10);
  const [from, to] = [store.reach.from ?? 0, store.reach.to ?? 0];
  const opened = await ranges.open(from, to);
  expect(opened?.to).toBeLessThan(to);
  expect(await ranges.open(from, to)).toBe(opened);
  expect(await ranges.open(from, (opened?.to ?? 0) - 1)).toBe(opened);
  expect(await ranges.open((opened?.to ?? 0) + 1, to)).not.toBe(opened);
  await second.end();
});
