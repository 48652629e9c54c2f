import { expect, test } from 'vitest';
import { configFrom } from './running-server.ts';

test('arguments of a redis-server become lines of its configuration', () => {
  const args = [
    '--port',
    '6379',
    '--save',
    '',
    '--maxmemory 50mb',
    '--notify-keyspace-events',
    'Exe',
    '--dir',
    '/a b"c',
  ];
  expect(configFrom(args)).toBe(
    ['port "6379"', 'save ""', 'maxmemory 50mb', 'notify-keyspace-events "Exe"', 'dir "/a b\\"c"', ''].join('\n'),
  );
});
