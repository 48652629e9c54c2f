import { expect, test } from 'vitest';
import { isSafeName, nameOfUrl } from './bus-keys.ts';

test.each([
  ['redis://user:secret@redis-1:6380', 'redis-1-6380'],
  ['redis://redis-1:6379/3', 'redis-1-6379-3'],
  ['redis://127.0.0.1:6379', 'machine-6379'],
  ['redis://localhost', 'machine-6379'],
  ['unix:///run/redis.sock', 'machine-run-redis.sock'],
  ['redis+sentinel://s1,s2/orders', 'orders-0'],
  ['redis+cluster://node-1:7000,node-2', 'node-1-7000'],
  ['redis://[fe80::1]:6379', 'fe80-1-6379'],
])('the key for %s is named %s', (url, name) => {
  expect(nameOfUrl(url, 'machine')).toBe(name);
  expect(isSafeName(name)).toBe(true);
});

test.each(['', '-a', 'a b', 'a{b}', 'a/b', 'ü', 'a'.repeat(101), '..'])('%j is refused as a name', (name) => {
  expect(isSafeName(name)).toBe(false);
});
