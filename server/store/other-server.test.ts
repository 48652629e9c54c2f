import { expect, test } from 'vitest';
import { otherServerIn } from './other-server.ts';

const refused = (known: readonly string[], now: readonly string[]) => {
  const sources = known.map((text) => ({ id: text.split(' ')[0] ?? '', url: text.split(' ')[1] ?? '' }));
  return otherServerIn('a.store', sources, now);
};

test('if a file has another server under the same source, it is refused, and the refusal has no login', () => {
  expect(refused(['redis redis://one:6379'], ['redis://user:secret@two:6380/3'])).toBe(
    '--store a.store: that file has the locks of redis://one:6379 as source redis, which would now be redis://two:6380/3. ' +
      'Name another file for redis://two:6380/3, or watch redis://one:6379 again.',
  );
});

test('the same server is not refused if its login has changed', () => {
  expect(refused(['redis redis://one:6379'], ['redis://user:other@one'])).toBeUndefined();
  expect(refused([], ['redis://two'])).toBeUndefined();
});

test('with several servers, each is compared with the server that had its source id before', () => {
  const known = ['redis-1 redis://one:6379', 'redis-2 redis://two:6379'];
  expect(refused(known, ['redis://one', 'redis://two', 'redis://three'])).toBeUndefined();
  expect(refused(known, ['redis://two', 'redis://one'])).toContain(
    'source redis-1, which would now be redis://two:6379',
  );
  expect(refused(known, ['redis://one'])).toBeUndefined();
});

test('a cluster is compared by its URL, and its sources are numbered after those of single servers', () => {
  const known = ['redis-1 redis://one:6379', 'redis-2 redis+cluster://a:7000', 'redis-3 redis+cluster://a:7000'];
  expect(refused(known, ['redis+cluster://a:7000', 'redis://one'])).toBeUndefined();
  expect(refused(known, ['redis+cluster://b:7000', 'redis://one'])).toContain('source redis-2');
});
