import { expect, test } from 'vitest';
import { secondsAfter } from './seconds-after.mjs';

const BEFORE = { 'a.test.ts': 9, 'deep.test.ts': 40, 'fast.test.ts': 2, 'gone.test.ts': 5 };

test('a run replaces the seconds of its own files only, and files that are gone or now fast are left out', () => {
  const ran = { 'new.test.ts': 3.4, 'a.test.ts': 7.6, 'fast.test.ts': 0.9 };
  const seconds = secondsAfter(BEFORE, ran, (file) => file !== 'gone.test.ts');
  expect(Object.entries(seconds)).toEqual([
    ['a.test.ts', 8],
    ['deep.test.ts', 40],
    ['new.test.ts', 3],
  ]);
});
