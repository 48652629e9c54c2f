import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { below, removedPrefix } from './base-path.ts';

test.each([
  ['/ops/locks', '/ops/locks/events?lock=a', '/events?lock=a'],
  ['/ops/locks', '/ops/locks', '/'],
  ['/ops/locks', '/ops/locks?token=t', '/?token=t'],
  ['', '/events', '/events'],
  ['/ops/locks', '/ops/locksmith', undefined],
  ['/ops/locks', '/events', undefined],
])('with the base path %j, %j becomes %j', (base, url, rest) => {
  expect(below(base, url)).toBe(rest);
});

test.each([
  ['/tools', '/tools'],
  ['/tools/', '/tools'],
  ['/a/b-c.d~e', '/a/b-c.d~e'],
  ['tools', ''],
  ['//evil.example', ''],
  ['/"><script>', ''],
  ['/../..', ''],
  [`/${'x'.repeat(600)}`, ''],
  [undefined, ''],
])('if a proxy reports the prefix %j, it has removed %j', (header, prefix) => {
  const headers = { 'x-forwarded-prefix': header };
  expect(removedPrefix({ headers } as unknown as IncomingMessage)).toBe(prefix);
});
