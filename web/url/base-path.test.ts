import { expect, test } from 'vitest';
import { withoutBase } from './base-path.ts';

test.each([
  ['/', '', '/'],
  ['/events', '', '/events'],
  ['/ops/locks', '/ops/locks', '/'],
  ['/ops/locks/', '/ops/locks', '/'],
  ['/ops/locks/events', '/ops/locks', '/events'],
  ['/ops/locksmith', '/ops/locks', '/ops/locksmith'],
])('the path %s of a page mounted at "%s" is %s', (path, base, within) => {
  expect(withoutBase(path, base)).toBe(within);
});
