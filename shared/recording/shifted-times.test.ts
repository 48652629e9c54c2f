import { expect, test } from 'vitest';
import { shiftedTimes } from './shifted-times.ts';

const NEAR = 1_795_000_000_000_000;
const SHIFT = 86_400_000_000 * 400;

test('shifting a recording moves the times of signals in µs, and the times in ms that clients wrote into keys', () => {
  const step = { at: NEAR + 5, inner: [{ words: ['zadd', 'k', String(NEAR / 1000 + 30_000), 'uuid:1'] }] };
  expect(shiftedTimes(step, NEAR, SHIFT)).toEqual({
    at: NEAR + 5 + SHIFT,
    inner: [{ words: ['zadd', 'k', String((NEAR + SHIFT) / 1000 + 30_000), 'uuid:1'] }],
  });
});

test('shifting a recording does not change counts, leases, texts, and times two days before the recording', () => {
  const other = {
    ...{ n: 1, ttl: 30_000, size: 92_233_720_368_547, isHeld: true, none: null },
    texts: ['6000', '9223372036854775807', `uuid-${NEAR}`, '12:04', ''],
    another: NEAR - 2 * 86_400_000_000,
  };
  expect(shiftedTimes(other, NEAR, SHIFT)).toEqual(other);
});
