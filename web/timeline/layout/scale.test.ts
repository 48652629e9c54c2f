import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { seconds } from '../../../testing/stories/story.ts';
import { scaleOf } from '../../testing/stories.ts';
import { idleSpans } from './idle.ts';
import { IDLE_PX, makeScale } from './scale.ts';
import { ticksOf } from './ticks.ts';
import { centred, fitted, liveView, panned, revealing, SHORTEST_MICROS, withinMemory, zoomedAt } from './viewport.ts';

const view = { from: seconds(0), to: seconds(10) };

test('an instant converts to its pixel and back', () => {
  const scale = scaleOf(0, 10);
  expect(scale.x(seconds(2.5))).toBeCloseTo(250);
  expect(scale.at(250)).toBeCloseTo(seconds(2.5), -1);
});

test('zooming keeps the instant under the pointer where it is', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0.2, max: 5, noNaN: true }),
      (share, factor) => {
        const anchor = view.from + share * (view.to - view.from);
        const next = zoomedAt(view, anchor, factor);
        const x = makeScale(view, 1000).x(anchor);
        expect(Math.abs(makeScale(next, 1000).x(anchor) - x)).toBeLessThan(1);
      },
    ),
  );
});

test('a view has a minimum length', () => {
  const tiny = zoomedAt(view, seconds(5), 1e-12);
  expect(tiny.to - tiny.from).toBe(SHORTEST_MICROS);
});

test('a view can be panned, centred, fitted, set to now, and moved just enough to show an instant', () => {
  expect(panned(view, 1_000_000)).toEqual({ from: seconds(1), to: seconds(11) });
  expect(centred(view, seconds(20))).toEqual({ from: seconds(15), to: seconds(25) });
  expect(fitted(seconds(2), seconds(4), 0.5)).toEqual({ from: seconds(1), to: seconds(5) });
  const live = liveView(seconds(100), 10_000_000);
  expect(live.to - live.from).toBe(10_000_000);
  expect(live.to).toBeGreaterThan(seconds(100));
  expect(revealing(view, seconds(5))).toBe(view);
  expect(revealing(view, seconds(30)).to).toBe(seconds(31));
  expect(revealing(view, seconds(-30)).from).toBe(seconds(-31));
});

test('an idle range has a fixed width, and the rest shares the remaining width', () => {
  const scale = scaleOf(0, 10, [{ from: seconds(2), to: seconds(8) }]);
  expect(scale.x(seconds(8)) - scale.x(seconds(2))).toBeCloseTo(IDLE_PX);
  expect(scale.x(seconds(0))).toBe(0);
  expect(scale.x(seconds(10))).toBeCloseTo(1000);
  for (const at of [0.5, 2, 5, 8, 9.5]) {
    expect(Math.abs(scale.at(scale.x(seconds(at))) - seconds(at))).toBeLessThan(3);
  }
});

test('only long ranges without marks are idle', () => {
  const busy = [
    { from: seconds(0), to: seconds(1) },
    { from: seconds(1.5), to: seconds(2) },
    { from: seconds(9), to: seconds(9) },
  ];
  const idle = idleSpans(view, busy);
  expect(idle).toHaveLength(1);
  expect(idle[0]?.from).toBeGreaterThan(seconds(2));
  expect(idle[0]?.to).toBeLessThan(seconds(9));
});

test('the ruler has round instants, with space between its labels', () => {
  const ticks = ticksOf(makeScale({ from: redisTime(1_234_567), to: redisTime(11_234_567) }, 900), 0);
  expect(ticks.every((tick) => tick.at % 1_000_000 === 0)).toBe(true);
  const labelled = ticks.filter((tick) => tick.label !== '');
  for (const [index, tick] of labelled.entries()) {
    const before = labelled[index - 1];
    if (before) expect(tick.x - before.x).toBeGreaterThan(60);
  }
});

test('a view is limited to what is in memory and a little space around it', () => {
  const memory = { from: redisTime(0), to: redisTime(600_000_000) };
  const wide = withinMemory({ from: redisTime(-4e9), to: redisTime(6e9) }, memory);
  expect(wide.from).toBeGreaterThanOrEqual(-30_000_000);
  expect(wide.to).toBeLessThanOrEqual(630_000_000);
  const away = withinMemory({ from: redisTime(9e9), to: redisTime(9e9 + 10_000_000) }, memory);
  expect(away).toEqual({ from: 620_000_000, to: 630_000_000 });
  const inside = { from: redisTime(100_000_000), to: redisTime(130_000_000) };
  expect(withinMemory(inside, memory)).toBe(inside);
  const young = { from: redisTime(0), to: redisTime(1_000_000) };
  const first = { from: redisTime(-14_000_000), to: redisTime(16_000_000) };
  expect(withinMemory(first, young)).toEqual(first);
});
