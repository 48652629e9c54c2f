import { expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import { DETECTORS_OF_DUMPS, DETECTORS_OF_ONE } from './detectors/all.ts';
import { ENGLISH } from './english.ts';

test('every incident with sentences has a detector in a table', () => {
  const found = [...DETECTORS_OF_ONE, ...DETECTORS_OF_DUMPS].map(({ incident }) => incident);
  expect(found.sort()).toEqual(Object.keys(ENGLISH).sort());
});

test('a lock that another client deleted is not shown as held by the value that both had set', () => {
  const say = { who: (id: string) => id, clock: () => 'noon' };
  const values = { holder: '1', at: redisTime(1), expiredAt: null, takenBy: null, takenAt: null };
  const explained = (late: string) => ENGLISH['foreign-delete'].explanation({ ...values, late }, say);
  expect(explained('1')).toBe(
    'A client deleted this lock at noon, while another one held it. Both had set the same value, 1.',
  );
  expect(explained('2')).toBe('2 deleted this lock at noon, while 1 held it.');
});
