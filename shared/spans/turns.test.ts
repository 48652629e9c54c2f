import { expect, test } from 'vitest';
import { seconds, story } from '../../testing/stories/story.ts';
import { HoldReader } from './holds-from-events.ts';
import { type TurnSpan, turnsOf } from './turns.ts';
import { WaitReader } from './waits-from-events.ts';

const S = 1_000_000;
const wait = (holder: string, from: number, to: number | null, ended = to === null ? null : 'message'): TurnSpan => ({
  ...{ kind: 'wait', holder, from: from * S, to: to === null ? null : to * S, ended, openStart: false },
});
const hold = (holder: string, from: number, to: number | null): TurnSpan => ({
  ...{ kind: 'hold', holder, from: from * S, to: to === null ? null : to * S, ended: to === null ? null : 'released' },
  openStart: false,
});
/** Threads that each wait 4 s and hold 0.5 s, two hand-overs a second, from second 0 to 59.5. */
const CONVOY = Array.from({ length: 120 }, (_, n) => n / 2).flatMap((at) => [
  wait(`t${(at * 2) % 8}`, Math.max(0, at - 4), at),
  hold(`t${(at * 2) % 8}`, at, at + 0.5),
]);

test('with two hand-overs a second and eight waiters, the estimate for a new waiter is 4 s', () => {
  const turns = turnsOf(CONVOY, { waiting: 8, now: 60 * S });
  expect(turns).toMatchObject({ rangeMs: 60_000, handovers: 120, perSecond: 2, newcomerMs: 4000 });
});

test('no wait is estimated if hand-overs stopped or are few, if no thread waits, or if a waiter gave up', () => {
  expect(turnsOf(CONVOY, { waiting: 8, now: 62 * S }).newcomerMs).toBeNull();
  expect(turnsOf(CONVOY, { waiting: 0, now: 60 * S }).newcomerMs).toBeNull();
  expect(turnsOf(CONVOY.slice(0, 10), { waiting: 8, now: 2.4 * S }).newcomerMs).toBeNull();
  expect(turnsOf(CONVOY.slice(0, 4), { waiting: 1, now: 1 * S }).perSecond).toBeNull();
  expect(turnsOf([...CONVOY, wait('x', 50, 55, 'gave-up')], { waiting: 8, now: 60 * S }).newcomerMs).toBeNull();
  expect(turnsOf([], { waiting: 0, now: 60 * S })).toMatchObject({
    handovers: 0,
    perSecond: null,
    longest: null,
    newcomerMs: null,
  });
});

test('waits that were given up are not hand-overs', () => {
  const given = Array.from({ length: 20 }, (_, n) => wait('x', n, n + 1, 'gave-up'));
  expect(turnsOf(given, { waiting: 1, now: 30 * S })).toMatchObject({ handovers: 0, longest: null });
});

test('a wait is overtaken by threads that began to wait later, or did not wait, and not by earlier waiters', () => {
  const spans = [
    wait('early', 1, 5),
    hold('early', 5, 6),
    wait('slow', 2, null),
    wait('late', 4, 7),
    hold('late', 7, 8),
    hold('barging', 9, 10),
  ];
  expect(turnsOf(spans, { waiting: 1, now: 12 * S }).longest).toEqual({
    holder: 'slow',
    ms: 10_000,
    isOpen: true,
    overtaken: 2,
    isWhole: true,
  });
});

test('a hold that a read found during a wait may have begun before it, so it is not counted', () => {
  const found = { ...hold('holder', 3, null), openStart: true };
  expect(turnsOf([wait('slow', 2, null), found], { waiting: 1, now: 12 * S }).longest?.overtaken).toBe(0);
});

test('a wait that began before the counted range is not whole: it may have been overtaken more often', () => {
  const spans = [wait('slow', 2, null), hold('late', 65, 66)];
  expect(turnsOf(spans, { waiting: 1, now: 70 * S }).longest).toMatchObject({ overtaken: 1, isWhole: false });
  const around = { waiting: 1, now: 30 * S };
  expect(turnsOf(spans, around).longest?.isWhole).toBe(true);
  expect(turnsOf(spans, { ...around, wholeFrom: 20 * S }).longest?.isWhole).toBe(false);
});

test('the count of hand-overs at an earlier instant ignores later spans', () => {
  expect(turnsOf(CONVOY, { waiting: 8, now: 30 * S })).toMatchObject({ rangeMs: 30_000, handovers: 61 });
});

test('turns are counted on spans made from events: B waits 3 s, and C, which attempted later, acquires first', () => {
  const events = story(`
    orders:42 lease 60s
    0.000 A attempts acquired
    1.000 B attempts refused
    1.010 B subscribes
    1.020 B attempts refused
    2.000 A releases
    2.000 C attempts acquired
    2.100 B attempts refused
    4.000 C releases
    4.010 B attempts acquired
  `);
  const [holds, waits] = [new HoldReader(), new WaitReader()];
  for (const event of events) {
    holds.take(event);
    waits.take(event);
  }
  const spans = [
    ...holds.holds.map((span) => ({ ...span, kind: 'hold' as const, openStart: span.isOpenStart })),
    ...waits.finish().map((span) => ({ ...span, kind: 'wait' as const, openStart: false })),
  ];
  const { longest } = turnsOf(spans, { waiting: 0, now: seconds(5) });
  expect(longest).toMatchObject({ isOpen: false, overtaken: 1 });
  expect(longest?.ms).toBeCloseTo(3010, 0);
});

test('time that was not watched is not counted in the rate of hand-overs', () => {
  expect(turnsOf(CONVOY, { waiting: 8, now: 60 * S, wholeFrom: 50 * S })).toMatchObject({
    ...{ rangeMs: 10_000, handovers: 20, perSecond: 2 },
  });
});
