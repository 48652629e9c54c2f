import { expect, test } from 'vitest';
import { ENGLISH } from './english.ts';
import { NUMBER_OF_INCIDENTS } from './insight.ts';

test('the number of incidents is that of the incidents with sentences', () => {
  expect(NUMBER_OF_INCIDENTS).toBe(Object.keys(ENGLISH).length);
});
