import { beforeEach, describe, expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { makeEvent } from '../testing/make.ts';
import { quantileOf, TREND_BIN_MICROS, TREND_MICROS, TrendRecorder } from './trend-recorder.ts';

const SEES_ALL = { waits: true, renewals: true };
/** A whole bin's beginning. */
const START = 1_000 * TREND_BIN_MICROS;

let seq = 0;
beforeEach(() => {
  seq = 0;
});
function at(seconds: number, part: Record<string, unknown>): LockEvent {
  return makeEvent(++seq, { at: redisTime(START + seconds * 1_000_000), ...part });
}
const refused = (seconds: number, holder: string, attempt: number) =>
  at(seconds, { type: 'lock.refused', holder, attempt, ttlMs: 1, asleep: attempt > 1, mode: 'exclusive' });
const acquired = (seconds: number, holder: string, waitedMs?: number) =>
  at(seconds, { type: 'lock.acquired', holder, mode: 'exclusive', ...(waitedMs === undefined ? {} : { waitedMs }) });

function recorded(events: readonly LockEvent[], waiting: { lockId: string; holder: string }[] = []): TrendRecorder {
  const recorder = new TrendRecorder();
  recorder.begin(START, waiting);
  recorder.take(events, events[0]?.seq ?? 0);
  return recorder;
}

/** The bins that are known, one value each. */
function known<T>(
  recorder: TrendRecorder,
  seconds: number,
  pick: (bin: ReturnType<TrendRecorder['bins']>[number]) => T,
) {
  return recorder
    .bins(START + seconds * 1_000_000, SEES_ALL)
    .filter((bin) => bin.at >= START)
    .map(pick);
}

test('who stands in a queue waits, also those of a long one that nobody names', () => {
  const queued = (seconds: number, holder: string, part = {}) =>
    at(seconds, { type: 'waiter.queued', holder, position: 1, deadline: null, ...part });
  const recorder = recorded([queued(1, 'A'), queued(2, 'B', { queueLength: 5000 }), queued(7, 'C')]);
  expect(known(recorder, 11, ({ waiters }) => waiters)).toEqual([5000, 5001]);
});

describe('the trend recorder', () => {
  test('counts renewals per second, and leaves out the bin that is not over', () => {
    const recorder = recorded([at(0, {}), at(1, {}), at(6, {}), at(11, {})]);
    expect(known(recorder, 12, (bin) => bin.renewalsPerSecond)).toEqual([0.4, 0.2]);
    expect(known(recorder, 15, (bin) => bin.renewalsPerSecond)).toEqual([0.4, 0.2, 0.2]);
  });

  test('somebody waits from the second attempt on until they get it, through bins without events', () => {
    const recorder = recorded([
      refused(1, 'u:1', 1),
      refused(1.1, 'u:1', 2),
      refused(2, 'u:2', 1),
      acquired(16, 'u:1', 15_000),
    ]);
    expect(known(recorder, 25, (bin) => bin.waiters)).toEqual([1, 1, 1, 1, 0]);
  });

  test('who waited already at the beginning counts', () => {
    const recorder = recorded([acquired(6, 'u:1', 9_000)], [{ lockId: 's/0/orders:42', holder: 'u:1' }]);
    expect(known(recorder, 15, (bin) => bin.waiters)).toEqual([1, 1, 0]);
  });

  test('the 95th percentile of the waits that ended, and no number where none did', () => {
    const recorder = recorded([acquired(1, 'u:1', 100), acquired(2, 'u:2', 300), acquired(3, 'u:3')]);
    expect(known(recorder, 10, (bin) => bin.waitP95Ms)).toEqual([300, null]);
  });

  test('a blind spot is unseen, never zero', () => {
    const recorder = recorded([
      refused(1, 'u:1', 2),
      at(6, { type: 'blind-spot.began', lock: '', reason: 'cut', holder: undefined }),
      at(17, { type: 'blind-spot.ended', lock: '', reason: 'back', from: START + 6_000_000, holder: undefined }),
    ]);
    expect(known(recorder, 25, (bin) => (bin.isUnseen ? 'unseen' : bin.waiters))).toEqual([
      1,
      'unseen',
      'unseen',
      'unseen',
      0,
    ]);
  });

  test('missing numbers leave their stretch unseen', () => {
    const first = at(1, {});
    const later = makeEvent(40, { at: redisTime(START + 12_000_000) });
    const recorder = recorded([first]);
    recorder.take([first, later], later.seq);
    expect(known(recorder, 20, (bin) => bin.isUnseen)).toEqual([true, true, true, false]);
  });

  test('what is before its beginning is unseen, and it looks back five minutes', () => {
    const bins = recorded([]).bins(START + 10_000_000, SEES_ALL);
    expect(bins).toHaveLength(TREND_MICROS / TREND_BIN_MICROS);
    expect(bins.filter((bin) => !bin.isUnseen).map((bin) => bin.at)).toEqual([START, START + TREND_BIN_MICROS]);
  });

  test('waits are not counted where they cannot be seen', () => {
    const recorder = recorded([at(1, {})]);
    const [bin] = recorder.bins(START + 5_000_000, { waits: false, renewals: true }).slice(-1);
    expect(bin).toMatchObject({ waiters: null, waitP95Ms: null, renewalsPerSecond: 0.2, isUnseen: false });
  });

  test('waits of the time at another level stay unseen when they can be seen again', () => {
    const recorder = recorded([at(1, {}), at(6, {}), at(11, {})]);
    recorder.bins(START + 6_000_000, { waits: false, renewals: true });
    expect(known(recorder, 10, (bin) => bin.areWaitsUnseen)).toEqual([true, true]);
    expect(known(recorder, 20, (bin) => bin.waiters)).toEqual([null, null, 0, 0]);
  });

  test('takes each event once', () => {
    const events = [at(0, {}), at(1, {})];
    const recorder = recorded(events);
    recorder.take(events, events[0]?.seq ?? 0);
    expect(known(recorder, 5, (bin) => bin.renewalsPerSecond)).toEqual([0.4]);
  });

  test('hours later it still keeps five minutes only', () => {
    const recorder = recorded([at(0, {})]);
    recorder.take([makeEvent(seq + 1, { at: redisTime(START + 7_200_000_000) })], seq + 1);
    expect(recorder.bins(START + 7_205_000_000, SEES_ALL).at(-1)).toMatchObject({ renewalsPerSecond: 0.2 });
  });
});

test.each([
  [[], 0.95, null],
  [[5], 0.95, 5],
  [[3, 1, 2], 0.5, 2],
  [Array.from({ length: 100 }, (_, n) => n + 1), 0.95, 95],
])('the quantile of %j at %d is %d', (values, q, expected) => {
  expect(quantileOf(values, q)).toBe(expected);
});
