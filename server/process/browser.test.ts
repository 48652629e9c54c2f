import { expect, test } from 'vitest';
import { pageToOpen } from './browser.ts';

const URL = 'http://127.0.0.1:7379';

test('the demo opens the demo page; observing and opening a recording open the overview', () => {
  expect(pageToOpen(URL, 'demo')).toBe(`${URL}/demo`);
  expect(pageToOpen(URL, 'demo', 'once')).toBe(`${URL}/demo?code=once`);
  expect(pageToOpen(URL, 'observe')).toBe(URL);
  expect(pageToOpen(URL, 'open', 'once')).toBe(`${URL}/?code=once`);
});
