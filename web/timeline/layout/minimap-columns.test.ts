import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { makeEvent } from '../../testing/make.ts';
import { MinimapTimes } from './minimap-columns.ts';

const EXTENT = { from: redisTime(0), to: redisTime(10_000_000) };
const at = (seconds: number) => redisTime(seconds * 1_000_000);
/** Ten columns, one second each. */
const columnsOf = (times: MinimapTimes) => times.columns(EXTENT, 20);

test('events except renewals are counted by column, and an expired lease is marked', () => {
  const times = new MinimapTimes();
  times.take(
    [
      makeEvent(1, { type: 'lock.acquired', at: at(0.5) }),
      makeEvent(2, { at: at(1.5) }),
      makeEvent(3, { type: 'lease.expired', at: at(3.5) }),
    ],
    1,
  );
  const { counts, lost, most } = columnsOf(times);
  expect([...counts]).toEqual([1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  expect([...lost].indexOf(1)).toBe(3);
  expect(most).toBe(1);
});

test('new events are added to the old counts, unless the window was built again', () => {
  const first = makeEvent(1, { type: 'lock.acquired', at: at(0.5) });
  const second = makeEvent(2, { type: 'lock.released', at: at(1.5) });
  const times = new MinimapTimes();
  times.take([first], 1);
  times.take([first, second], 1);
  expect([...columnsOf(times).counts].slice(0, 3)).toEqual([1, 1, 0]);
  times.take([second], 2);
  expect([...columnsOf(times).counts].slice(0, 3)).toEqual([0, 1, 0]);
});

test('a dense run of which only the ends are kept fills all columns between them', () => {
  const attempt = (seq: number, seconds: number, n: number) =>
    makeEvent(seq, { type: 'lock.refused', at: at(seconds), attempt: n, asleep: false, holder: 'u:2' });
  const times = new MinimapTimes();
  times.take([attempt(1, 2.5, 3), attempt(4000, 5.5, 4002)], 1);
  expect([...columnsOf(times).counts]).toEqual([0, 0, 1000, 1000, 1000, 1000, 0, 0, 0, 0]);
});

test('a column counts its events, and separately those about waiting', () => {
  const times = new MinimapTimes();
  times.take(
    [
      makeEvent(1, { type: 'lock.acquired', at: at(0.5) }),
      makeEvent(2, { type: 'lock.refused', at: at(0.6), attempt: 1, asleep: false, holder: 'u:2' }),
      makeEvent(3, { type: 'waiter.subscribed', at: at(0.7) }),
      makeEvent(4, { type: 'lock.released', at: at(1.5) }),
    ],
    1,
  );
  const { counts, waits, most } = columnsOf(times);
  expect([...counts].slice(0, 3)).toEqual([3, 1, 0]);
  expect([...waits].slice(0, 3)).toEqual([2, 0, 0]);
  expect(most).toBe(3);
});

test('events that are not loaded are included, spread over the columns of their bin', () => {
  const load = {
    micros: 2_000_000,
    bins: [0, 2, 4, 6, 8].map((second) => ({ at: at(second), events: 40, waits: 20 })),
  };
  const { counts, waits } = new MinimapTimes().columns(EXTENT, 20, {
    load,
    parts: [{ from: at(0), to: at(3.9) }],
  });
  expect([...counts]).toEqual([20, 20, 20, 20, 0, 0, 0, 0, 0, 0]);
  expect([...waits]).toEqual([10, 10, 10, 10, 0, 0, 0, 0, 0, 0]);
});
