import { expect, test } from 'vitest';
import { RULER_PX } from '../layout/metrics.ts';
import { ringOf } from './ring.ts';

const BOX = { x: 100, y: 40, width: 200, height: 24 };

test('the ring around a mark inside the plot is not cut off', () => {
  expect(ringOf(BOX, 800, 0)).toEqual({
    transform: `translate(97px, ${37 + RULER_PX}px)`,
    width: '206px',
    height: '30px',
    clipPath: 'inset(-4px -4px -4px -4px)',
  });
});

test('a ring does not cover the names, the ruler, or what is right of the plot', () => {
  expect(ringOf({ ...BOX, x: -60 }, 800, 0).clipPath).toBe('inset(-4px -4px -4px 63px)');
  expect(ringOf({ ...BOX, width: 900 }, 800, 0).clipPath).toBe('inset(-4px 203px -4px -4px)');
  expect(ringOf(BOX, 800, 47).clipPath).toBe('inset(10px -4px -4px -4px)');
});
