import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

const REDIS = 'redis://127.0.0.1:6379';

test('the default values are those of the command, and only warnings go to the console', () => {
  const { redisUrls, level, match, memory, basePath, log } = readOptions({ redis: REDIS });
  expect({ redisUrls, level, match, basePath }).toEqual({
    ...{ redisUrls: [REDIS], level: 'events', match: [], basePath: undefined },
  });
  expect(memory).toBeGreaterThan(0);
  expect(log.info).toBeUndefined();
});

test('several servers and patterns may be given, and a server that is given twice is one source', () => {
  const other = 'redis://127.0.0.1:6380';
  const { redisUrls, match } = readOptions({ redis: [REDIS, other, REDIS], match: 'orders:*' });
  expect([redisUrls, match]).toEqual([[REDIS, other], ['orders:*']]);
});

test.each([
  [{ redis: 'http://127.0.0.1' }, /^createLockscope: redis: /],
  [{ redis: [] }, /redis takes a Redis URL such as/],
  [{ redis: 7 }, /redis takes a Redis URL such as/],
  [{ redis: REDIS, basePath: '/ops/locks/' }, /basePath takes a path such as \/ops\/locks, without a slash/],
  [{ redis: REDIS, basePath: 'ops' }, /basePath takes a path/],
  [{ redis: REDIS, observe: 'all' }, /observe takes snapshot, events, replication or monitor/],
  [{ redis: REDIS, memory: '7' }, /createLockscope: memory takes a size from 256mb/],
  [{ redis: REDIS, token: 'a b' }, /token/],
  [{ redis: REDIS, hosts: 'https://ops.example.com' }, /hosts takes host names without a port/],
  [{ redis: REDIS, hosts: ['ops.example.com:3000'] }, /hosts takes host names without a port/],
  [{ redis: REDIS, hosts: '*' }, /hosts takes host names/],
  [{ redis: REDIS, authorize: true }, /authorize takes a function/],
  [{ redis: REDIS, secret: 'short' }, /secret takes a text of 16 to 1000 characters/],
  [{ redis: REDIS, match: '[' }, /createLockscope: match/],
  [{ redis: REDIS, metricsLock: '' }, /createLockscope: metricsLock takes a pattern/],
  [{ redis: REDIS, otlp: 'collector:4317' }, /createLockscope: otlp takes an http/],
  [{ redis: REDIS, allowRelease: 'yes' }, /allowRelease takes true or false/],
  [{ redis: REDIS, log: {} }, /log takes an object with the functions warn and error/],
  [{ redis: REDIS, port: 80 }, /there is no option port/],
])('%j is refused with a sentence that names the option', (options, sentence) => {
  expect(() => readOptions(options as Parameters<typeof readOptions>[0])).toThrow(sentence);
});

test('the sentence does not contain a password', () => {
  expect(() => readOptions({ redis: 'redis://user:s3cret@/xxx' })).toThrow(/^(?!.*s3cret)/s);
});
