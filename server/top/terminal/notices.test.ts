import { expect, test } from 'vitest';
import { Notices } from './notices.ts';

test('the newest line of the log is shown after 4 s, but not after 10 s; the newest 100 lines are printed at the end', () => {
  const notices = new Notices();
  expect(notices.shownAt(0)).toBeUndefined();
  for (let n = 1; n <= 102; n++) notices.take(`line ${n}\n    at x\n`, 1000);
  expect(notices.shownAt(5000)).toBe('line 102');
  expect(notices.shownAt(11_000)).toBeUndefined();
  expect(notices.takeAll()).toMatch(/^2 earlier lines of the log are not listed\.\nline 3\n/);
  expect(notices.takeAll()).toBe('');
});
