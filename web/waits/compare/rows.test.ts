import { expect, test } from 'vitest';
import type { ShownWaits } from '../../data/queries/waits.ts';
import { absenceInEither, figureRows } from './figure-rows.ts';
import { lengthRows } from './length-rows.ts';
import { rankingRows } from './ranking-rows.ts';

const MINUTE = 60_000_000;

function spread(count: number, medianMs: number) {
  const lengths = [{ fromMs: 10, toMs: 20, count }];
  return { count, medianMs, p95Ms: medianMs * 2, longestMs: medianMs * 3, lengths };
}

function shown(more: Partial<ShownWaits> = {}, statistics: Partial<ShownWaits['statistics']> = {}): ShownWaits {
  return {
    ...{ from: 0, to: MINUTE, askedFrom: 0, askedTo: MINUTE, isCut: false, unseen: [] },
    total: { waits: 0, waitedMs: 0, parts: [] },
    ...{ locks: [], clients: [], threads: [], holds: [], longest: [] },
    more: { locks: 0, clients: 0, threads: 0, holds: 0, longest: 0 },
    ...more,
    statistics: {
      ...{ from: 0, holds: null, leaseUsed: null, expired: 0, waits: null, refusals: 0, gaveUp: 0, wakeUps: null },
      ...statistics,
    },
  };
}

function lock(name: string, waitedMs: number, waits = 30): ShownWaits['locks'][number] {
  return { source: 's', db: 0, lock: name, waits, waitedMs, causedMs: 0, parts: [] };
}

function row(group: Parameters<typeof figureRows>[0], name: string, one?: ShownWaits, other?: ShownWaits) {
  return figureRows(group, one, other).find((each) => each.name === name);
}

test('a median has a ratio from 20 samples, a 95th percentile from 100, and the longest length has none', () => {
  const [one, other] = [shown({}, { waits: spread(20, 30) }), shown({}, { waits: spread(25, 10) })];
  expect(row('waits', 'median', one, other)).toMatchObject({
    one: { text: '30 ms' },
    other: { text: '10 ms' },
    change: { ratio: 3, samples: [20, 25] },
  });
  expect(row('waits', 'p95', one, other)?.change).toEqual({ no: 'few', samples: [20, 25], needed: 100 });
  expect(row('waits', 'longest', one, other)?.change).toBeNull();
});

test('refused attempts per wait are the number of refused attempts divided by the number of waits', () => {
  const one = shown({}, { waits: spread(20, 30), refusals: 60 });
  const other = shown({}, { waits: spread(40, 30), refusals: 40 });
  expect(row('waits', 'refusals', one, other)).toMatchObject({ one: { text: '3' }, change: { ratio: 3 } });
});

test('the unused share of a lease is 100 % minus the used share, and never negative', () => {
  const one = shown({}, { leaseUsed: { count: 20, median: 0.25, p95: 0.5, greatest: 0.9 } });
  const other = shown({}, { leaseUsed: { count: 20, median: 0.5, p95: 0.5, greatest: 1.2 } });
  expect(row('lease', 'leftMedian', one, other)).toMatchObject({ one: { text: '75 %' }, change: { ratio: 1.5 } });
  expect(row('lease', 'leftLeast', one, other)).toMatchObject({ one: { text: '10 %' }, other: { text: '0 %' } });
});

test('"nothing", "none seen", "not seen" and "not loaded" are different texts', () => {
  const unwatched = (ms: number) => shown({ unseen: [{ source: 's', reason: 'unwatched', ms }] });
  expect(row('waits', 'median', shown(), unwatched(100))).toMatchObject({ one: 'nothing', other: 'none' });
  expect(row('waits', 'count', shown(), unwatched(60_000))).toMatchObject({ one: { text: '0' }, other: 'unseen' });
  expect(row('waits', 'count', shown(), undefined)).toMatchObject({
    other: 'not-loaded',
    change: { no: 'not-loaded' },
  });
});

test('an empty part means "nothing" only if both ranges were watched completely', () => {
  const unwatched = (ms: number) => shown({ unseen: [{ source: 's', reason: 'unwatched', ms }] });
  expect(absenceInEither(shown({}), shown({}))).toBeNull();
  expect(absenceInEither(shown({}), undefined)).toBe('not-loaded');
  expect(absenceInEither(shown({}), unwatched(10_000_000))).toBe('unseen');
  expect(absenceInEither(unwatched(1), shown({}))).toBe('none');
});

test('the ranking has the locks of both ranges, with their rank in each, the costliest first', () => {
  const one = shown({ locks: [lock('a', 5000), lock('b', 1000)] });
  const other = shown({ locks: [lock('b', 9000), lock('c', 50)] });
  const rows = rankingRows('locks', one, other);
  expect(rows.map((each) => each.lock?.lock)).toEqual(['b', 'a', 'c']);
  expect(rows[0]).toMatchObject({ one: { rank: 2 }, other: { rank: 1 }, change: { ratio: 1 / 9 } });
  expect(rows[1]).toMatchObject({ one: { rank: 1 }, other: 'nothing', change: { no: 'few', samples: [30, 0] } });
});

test('a sum that is a lower limit has the sign ≥, and no ratio', () => {
  const total = { waits: 30, waitedMs: 5000, parts: [] };
  const older = shown({ total: { ...total, isAtLeast: true }, locks: [{ ...lock('a', 5000), isAtLeast: true }] });
  const exact = shown({ total, locks: [lock('a', 5000)] });
  expect(row('allWaits', 'together', older, exact)).toMatchObject({
    ...{ one: { text: '≥ 5 s' }, other: { text: '5 s' }, change: { no: 'partly' } },
  });
  expect(rankingRows('locks', exact, older)[0]).toMatchObject({
    ...{ one: { rank: 1 }, other: { rank: 1, isAtLeast: true }, change: { no: 'partly' } },
  });
  expect(rankingRows('locks', exact, exact)[0]?.change).toMatchObject({ ratio: 1 });
});

test('a lock that is not in the top list of a range may still have waits in it', () => {
  const one = shown({ locks: [lock('a', 5000)] });
  const cut = shown({ more: { locks: 3, clients: 0, threads: 0, holds: 0, longest: 0 } });
  expect(rankingRows('locks', one, cut)[0]).toMatchObject({
    other: 'further-down',
    change: { no: 'not-loaded' },
  });
  expect(rankingRows('locks', one, undefined)[0]).toMatchObject({ other: 'not-loaded' });
});

test('two distributions have the same bins, and each share is of its own range', () => {
  const one = shown({}, { holds: { ...spread(4, 10), lengths: [{ fromMs: 10, toMs: 20, count: 4 }] } });
  const lengths = [
    { fromMs: 10, toMs: 20, count: 1 },
    { fromMs: 50, toMs: 100, count: 1 },
  ];
  const rows = lengthRows('holds', one, shown({}, { holds: { ...spread(2, 10), lengths } }));
  expect(rows.map(({ fromMs, toMs, one: a, other: b }) => [fromMs, toMs, a.share, b.share])).toEqual([
    [10, 20, 1, 0.5],
    [20, 50, 0, 0],
    [50, 100, 0, 0.5],
  ]);
  expect(lengthRows('holds', shown(), undefined)).toEqual([]);
});
