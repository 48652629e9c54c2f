import { expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import { ENGLISH } from './english.ts';
import { NUMBER_OF_INCIDENTS } from './insight.ts';

test('the number of incidents is that of the incidents with sentences', () => {
  expect(NUMBER_OF_INCIDENTS).toBe(Object.keys(ENGLISH).length);
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
