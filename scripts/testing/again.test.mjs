import { expect, test } from 'vitest';
import { meaningOf } from './again.mjs';

test.each([
  [5, 0, 'failed 5 of 5 times alone, 0 of 5 on main. This change broke it.'],
  [1, 0, 'failed 1 of 5 times alone, 0 of 5 on main. This change broke it.'],
  [2, 1, 'failed 2 of 5 times alone, 1 of 5 on main. It failed before this change, too.'],
  [0, 0, 'failed 0 of 5 times alone, 0 of 5 on main. It fails by chance, or beside other tests: find the cause.'],
  [0, 3, 'failed 0 of 5 times alone, 3 of 5 on main. It fails by chance, or beside other tests: find the cause.'],
  [5, undefined, 'failed 5 of 5 times alone. It could not run on main.'],
])('a file that fails %i of 5 times alone, and %s of 5 times on main, is reported as: %s', (here, there, meaning) => {
  expect(meaningOf(here, there, 'main')).toBe(meaning);
});
