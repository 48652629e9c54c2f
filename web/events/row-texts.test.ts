import { expect, test } from 'vitest';
import type { RedisTime } from '../../shared/base/time.ts';
import { makeEvent } from '../testing/make.ts';
import { EN } from '../words/en.ts';
import { rowsFromEvents } from './event-rows.ts';
import { type RowContext, textsFromRow } from './row-texts.ts';

const CLIENT = '8c9f0b52-52c1-4e5a-9c1d-0242ac120002';
const CONTEXT: RowContext = {
  words: EN,
  isOneLock: false,
  hasManySources: false,
  ageOf: null,
  nameOf: (client) => (client === CLIENT ? 'payments' : undefined),
  letterOf: () => null,
};

function textsOf(fields: Partial<Parameters<typeof makeEvent>[1]>, context: Partial<RowContext> = {}) {
  const [row] = rowsFromEvents([makeEvent(1, fields)], new Set(), null);
  if (!row) throw new Error('no row');
  return textsFromRow(row, null, { ...CONTEXT, ...context });
}

test('the rows of an acquisition and a renewal have the same shape, so they differ only in their texts', () => {
  const renewed = textsOf({ lock: 'cart:1', holder: `${CLIENT}:1`, leaseMs: 30_000 });
  const acquired = textsOf({
    type: 'lock.acquired',
    mode: 'exclusive',
    lock: 'cart:2',
    holder: `${CLIENT}:22`,
    leaseMs: 9000,
  });
  expect(acquired.shape).toBe(renewed.shape);
  expect(acquired.slots.map(({ slot }) => slot)).toEqual(renewed.slots.map(({ slot }) => slot));
});

test('a row with other elements has another shape: a split or empty name, symbols, a letter, an inferred event', () => {
  const shapes = [
    textsOf({ lock: 'cart:1' }),
    textsOf({ lock: 'warehouse:order:1:position:7' }),
    textsOf({ lock: '' }),
    textsOf({ lock: 'cart\t1' }),
    textsOf({ lock: 'cart:1' }, { letterOf: () => 'A' }),
    textsOf({ lock: 'cart:1', certainty: 'inferred' }),
    textsOf({ lock: 'cart:1', group: 'g1' }),
  ].map(({ shape }) => shape);
  expect(new Set(shapes).size).toBe(shapes.length);
});

test('a holder is shown by the name of its client and its thread, with its id as the title', () => {
  const { holder } = textsOf({ holder: `${CLIENT}:7` });
  expect(holder).toMatchObject({ title: `${CLIENT}:7`, thread: ':7', name: { head: [{ text: 'payments' }] } });
});

test('an age has the time of day as its title', () => {
  const ageOf = (_: unknown, at: RedisTime) => `${at} µs`;
  const { time, instant } = textsOf({ at: 5 as RedisTime }, { ageOf });
  expect(time).toBe('5 µs');
  expect(instant).toContain(':00:00.000');
});
