import { describe, expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import { type SourceSight, TrendCounter, type WaitsNow } from './trend-counter.ts';

const SECOND = 1_000_000;
const AT = 1_795_000_000 * SECOND;
const MONITOR: SourceSight = { isWatched: true, waits: true, renewals: true };
const EVENTS: SourceSight = { isWatched: true, waits: false, renewals: true };
const SNAPSHOT: SourceSight = { isWatched: true, waits: false, renewals: false };
const AWAY: SourceSight = { ...MONITOR, isWatched: false };

const OLDEST = { oldestWaitMs: null, oldestIsAtLeast: false };
const UNKNOWN = {
  waiters: null,
  waitP95Ms: null,
  ...OLDEST,
  handovers: null,
  refusals: null,
  renewals: null,
  events: null,
};

function base(second: number, source = 'redis') {
  const at = redisTime(Math.round(AT + second * SECOND));
  return { seq: 1, at, source, db: 0, lock: 'a', kind: 'lock', certainty: 'observed', holder: 'u:1' } as const;
}
const refused = (second: number): LockEvent => ({
  ...base(second),
  ...{ type: 'lock.refused', mode: 'exclusive', ttlMs: 1, attempt: 1, asleep: false },
});
const handedOver = (second: number, waitedMs: number): LockEvent => ({
  ...base(second),
  ...{ type: 'lock.acquired', mode: 'exclusive', waitedMs },
});
const renewed = (second: number): LockEvent => ({ ...base(second), type: 'lease.renewed', cause: 'watchdog' });
const began = (second: number): LockEvent => ({
  ...base(second),
  lock: '',
  type: 'blind-spot.began',
  reason: 'connection-lost',
});
const ended = (second: number, from: number): LockEvent => ({
  ...base(second),
  ...{ lock: '', type: 'blind-spot.ended', reason: 'connection-lost', from: redisTime(AT + from * SECOND) },
});

/** Waits after an event: their number, and the second at which the oldest one of each source began. */
function waits(waiting: number, since: Record<string, number> = {}, isAtLeast = false): WaitsNow {
  const oldest = Object.entries(since).map(([source, second]) => [source, AT + second * SECOND] as const);
  return { waiting, oldestWaits: new Map(oldest.map(([source, at]) => [source, { at, isAtLeast }])) };
}

/** A counter that began a second before `AT`. */
function counterOf(sights: Record<string, SourceSight>): TrendCounter {
  const counter = new TrendCounter();
  counter.see(new Map(Object.entries(sights)), AT - SECOND);
  return counter;
}

function binsOf(counter: TrendCounter, from: number, to: number, count: number) {
  return counter.bins(AT + from * SECOND, AT + to * SECOND, count, AT + to * SECOND).bins;
}

describe('figures', () => {
  test('equal a manual count, in 1 to 280 bins', () => {
    const counter = counterOf({ redis: MONITOR });
    const events: LockEvent[] = [];
    const waiting: number[] = [];
    for (let n = 0; n < 3000; n++) {
      const second = (n * 280) / 3000;
      const event = [refused(second), handedOver(second, (n * 7919) % 1000), renewed(second)][(n * n) % 3] as LockEvent; // the index is 0, 1 or 2
      events.push(event);
      waiting.push((n * 31) % 17);
      counter.take(event, waits((n * 31) % 17));
    }
    for (const count of [1, 7, 28, 60, 280]) {
      const { bins, micros } = counter.bins(AT, AT + 280 * SECOND, count, AT + 280 * SECOND);
      expect(micros).toBe(Math.ceil(280 / count) * SECOND);
      expect(bins[0]?.at).toBeLessThanOrEqual(AT);
      for (const bin of bins) {
        const isIn = ({ at }: LockEvent) => at >= bin.at && at < bin.at + micros;
        const own = events.filter(isIn);
        const waits = own.flatMap((event) => (event.type === 'lock.acquired' ? (event.waitedMs ?? []) : []));
        const index = events.findIndex(isIn);
        const carried = index > 0 ? [waiting[index - 1] ?? 0] : [0];
        expect(bin).toMatchObject({
          waiters: Math.max(...carried, ...events.flatMap((event, n) => (isIn(event) ? (waiting[n] ?? 0) : []))),
          waitP95Ms: waits.sort((a, b) => a - b)[Math.ceil(0.95 * waits.length) - 1] ?? null,
          handovers: waits.length,
          refusals: own.filter(({ type }) => type === 'lock.refused').length,
          renewals: own.filter(({ type }) => type === 'lease.renewed').length,
          events: own.length,
        });
      }
    }
  });

  test('count the waiters after an event in the later bins too', () => {
    const counter = counterOf({ redis: MONITOR });
    counter.take(refused(1), waits(3));
    expect(binsOf(counter, 0, 8, 4).map(({ waiters }) => waiters)).toEqual([3, 3, 3, 3]);
  });

  test('are in bins of multiples of 30 s beyond the last hour, and unknown beyond a day', () => {
    const counter = counterOf({ redis: MONITOR });
    for (let second = 0; second < 90_000; second += 10) counter.take(refused(second), waits(0));
    const hours = counter.bins(AT + 80_000 * SECOND, AT + 90_000 * SECOND, 100, AT + 90_000 * SECOND);
    expect(hours.micros).toBe(120 * SECOND);
    expect(hours.bins.slice(1, -1).every(({ refusals, seen }) => refusals === 12 && seen === 'watched')).toBe(true);
    const old = counter.bins(AT, AT + 3000 * SECOND, 10, AT + 90_000 * SECOND);
    expect(old.bins.every(({ seen, refusals }) => seen === 'forgotten' && refusals === null)).toBe(true);
  });

  test('leave a wait whose beginning was not seen out of the percentile, but count its hand-over', () => {
    const counter = counterOf({ redis: MONITOR });
    const older = { ...handedOver(0.2, 9000), waitedAtLeast: true } as LockEvent; // an acquisition
    for (const event of [handedOver(0.1, 40), older, { ...older, at: base(1.1).at }]) counter.take(event, waits(0));
    expect(binsOf(counter, 0, 2, 2)).toMatchObject([
      { handovers: 2, waitP95Ms: 40 },
      { handovers: 1, waitP95Ms: null },
    ]);
  });

  test('have the 95th percentile of 10,000 waits in one second, within 5 ms', () => {
    const counter = counterOf({ redis: MONITOR });
    for (let n = 0; n < 10_000; n++) counter.take(handedOver(0.00001 * n, n % 100), waits(0));
    expect(binsOf(counter, 0, 1, 1)[0]).toMatchObject({ handovers: 10_000, waitP95Ms: expect.closeTo(95, -1) });
  });
});

describe('the oldest wait', () => {
  const agesOf = (counter: TrendCounter, from: number, to: number, count: number) =>
    binsOf(counter, from, to, count).map(({ oldestWaitMs }) => oldestWaitMs);

  test('grows without further events, is the highest of its bin, and is 0 without a wait', () => {
    const counter = counterOf({ redis: MONITOR });
    counter.take(refused(2), waits(2, { redis: 2 }));
    counter.take(handedOver(5.5, 3500), waits(1, { redis: 5 }));
    counter.take(handedOver(8, 3000), waits(0));
    expect(agesOf(counter, 0, 10, 10)).toEqual([0, 0, 1000, 2000, 3000, 3500, 2000, 3000, 3000, 0]);
    expect(agesOf(counter, 0, 10, 2)).toEqual([3000, 3500]);
  });

  test('has no age in a blind spot, also before the blind spot was noticed', () => {
    const counter = counterOf({ redis: MONITOR });
    counter.take(refused(1), waits(1, { redis: 1 }));
    counter.take(began(7), waits(1, { redis: 1 }));
    counter.take(ended(9.5, 4), waits(1, { redis: 1 }));
    expect(agesOf(counter, 1, 13, 12)).toEqual([
      ...[1000, 2000, 3000, null, null, null, null, null, 9000, 10_000, 11_000, 12_000],
    ]);
  });

  test('leaves out the waits of a source that is not watched', () => {
    const counter = counterOf({ redis: MONITOR, other: MONITOR });
    counter.take(refused(0), waits(2, { redis: 0, other: -60 }));
    counter.take({ ...began(2.5), source: 'other' } as LockEvent, waits(2, { redis: 0, other: -60 }));
    expect(agesOf(counter, 0, 5, 5)).toEqual([61_000, 62_000, 62_500, 4000, 5000]);
  });

  test('is unknown if waits are not visible at the level of a source', () => {
    const counter = counterOf({ redis: MONITOR, other: EVENTS });
    counter.take(refused(0), waits(1, { redis: 0 }));
    expect(agesOf(counter, 0, 3, 3)).toEqual([null, null, null]);
  });

  test('is a lower bound if a wait began before it was found', () => {
    const counter = counterOf({ redis: MONITOR });
    counter.take(refused(1), waits(1, { redis: 1 }, true));
    counter.take(refused(4), waits(1, { redis: 2 }));
    expect(binsOf(counter, 0, 6, 6).map(({ oldestIsAtLeast }) => oldestIsAtLeast)).toEqual([
      ...[false, true, true, true, true, false],
    ]);
  });
});

describe('figures of what was not seen', () => {
  test('figures before the process began are null, not zero', () => {
    expect(binsOf(counterOf({ redis: MONITOR }), -20, 10, 3)).toMatchObject([
      { ...UNKNOWN, seen: 'forgotten', waitsSeen: false },
      { refusals: 0, seen: 'partly', waitsSeen: true },
      { refusals: 0, seen: 'watched', waitsSeen: true },
    ]);
  });

  test('figures in a blind spot are null, even if the blind spot is reported only at its end', () => {
    const counter = counterOf({ redis: MONITOR });
    counter.take(began(10), waits(0));
    counter.take(ended(20, 10), waits(0));
    counter.take(ended(35, 30), waits(0));
    expect(binsOf(counter, 0, 50, 10).map(({ seen }) => seen)).toEqual([
      ...['watched', 'watched', 'partly', 'unwatched', 'partly', 'watched'],
      ...['partly', 'partly', 'watched', 'watched'],
    ]);
  });

  test('figures are partly known while one of two sources is not watched, and null while both are not', () => {
    const counter = counterOf({ redis: MONITOR, other: MONITOR });
    counter.see(new Map(Object.entries({ redis: MONITOR, other: AWAY })), AT + 10 * SECOND);
    counter.see(new Map(Object.entries({ redis: AWAY, other: AWAY })), AT + 20 * SECOND);
    expect(binsOf(counter, 1, 29, 3)).toMatchObject([
      { seen: 'watched' },
      { seen: 'partly', refusals: 0 },
      { ...UNKNOWN, seen: 'partly', refusals: 0, waiters: 0, oldestWaitMs: 0, handovers: 0, renewals: 0, events: 0 },
    ]);
    for (const bin of binsOf(counter, 22, 29, 7)) expect(bin).toMatchObject({ ...UNKNOWN, seen: 'unwatched' });
  });

  test('figures of waits at level events, and of renewals at level snapshot, are null, not zero', () => {
    const counter = counterOf({ redis: EVENTS });
    counter.take(renewed(1), waits(0));
    counter.see(new Map([['redis', SNAPSHOT]]), AT + 5 * SECOND);
    expect(binsOf(counter, 0, 10, 2)).toMatchObject([
      { ...UNKNOWN, renewals: 1, events: 1, seen: 'watched', waitsSeen: false },
      { ...UNKNOWN, events: 0, seen: 'watched', waitsSeen: false },
    ]);
  });
});
