import { expect, test } from 'vitest';
import { parseRedisUrl } from '../../../shared/base/redis-url.ts';
import { hasIfEqual, refuseSentinel } from './capabilities.ts';

test.each([
  ['redis', '7.0.15', false],
  ['redis', '8.0.2', false],
  ['redis', '8.4.0', true],
  ['redis', '8.6.3', true],
  ['redis', '10.0.0', true],
  ['valkey', '8.0.4', false],
  ['valkey', '8.1.1', true],
  ['valkey', '9.1.2', true],
  ['', '', false],
])('hasIfEqual of %s %s is %s', (server, version, expected) => {
  expect(hasIfEqual({ server, version })).toBe(expected);
});

test('a Sentinel is refused, and a server or a cluster is not', () => {
  const url = parseRedisUrl('redis://h:26379');
  if (!url.ok) throw new Error(url.error);
  const greet = (mode: string) => refuseSentinel(new Map([['mode', mode]]), url.value);
  expect(() => greet('sentinel')).toThrow('redis://h:26379 is a Sentinel');
  for (const mode of ['standalone', 'cluster']) expect(() => greet(mode)).not.toThrow();
});
