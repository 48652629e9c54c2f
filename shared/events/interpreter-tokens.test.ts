import { expect, test } from 'vitest';
import { command, eventsFromScripts, script } from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import { makeTokenStory, reported, T1, T2 } from '../../testing/stories/token-story.ts';
import type { PushSignal } from '../signals/signal.ts';

test('[T1] a SET NX of a value that is not a token is not a lock', () => {
  const { run, doubts } = makeTokenStory();
  expect(run(0, 'a', ['SET', 'seen:17', '1', 'NX', 'EX', '60'])).toEqual([]);
  expect(run(0, 'a', ['SET', 'seen:18', '{"id":1}', 'NX', 'EX', '60'])).toEqual([]);
  expect(doubts).toEqual([]);
});

test('[T1] a SET NX on a name the user asked for is a lock', () => {
  const { run, read } = makeTokenStory((name) => name.startsWith('lock:'));
  expect(run(0, 'a', ['SET', 'lock:1', 'worker-1', 'NX', 'PX', '5000'])).toEqual([]);
  const events = read(0.01, 'lock:1', 'worker-1');
  expect(events).toMatchObject([{ type: 'lock.acquired', holder: 'worker-1', kind: 'token-lock', leaseMs: 5000 }]);
  expect(events[0]).not.toHaveProperty('kindKnown');
});

const deleted = (key: string) => [
  ['get', key],
  ['del', key],
];

test('[T1] an attempt and a compare-and-delete show a lock, even if its token is a word', () => {
  const { script, run } = makeTokenStory();
  expect(reported(run(0, 'a', ['SET', 'mine', 'worker-1', 'NX', 'PX', '5000']))).toEqual([]);
  expect(script(1, 'a', ['mine'], ['worker-1'], deleted('mine'))).toMatchObject([
    { type: 'lock.acquired', holder: 'worker-1' },
    { type: 'lock.released', holder: 'worker-1', kind: 'token-lock' },
  ]);
  expect(reported(run(2, 'b', ['SET', 'mine', 'worker-2', 'NX', 'PX', '5000']))).toEqual(['lock.acquired inferred']);
});

test.each(['otp:7', 'refresh:7:abc', 'ws:user:7'])(
  '[T1] a compare-and-delete of %s may only consume a one-time value: the key is a lock once SET NX writes it',
  (key) => {
    const { script, run, read, watched } = makeTokenStory();
    const token = T1 ?? '';
    expect(run(0, 'a', ['SETEX', key, '300', token])).toEqual([]);
    expect(script(1, 'b', [key], [token], deleted(key))).toEqual([]);
    expect(watched).toEqual([key]);
    expect(script(2, 'b', [key], [token], [['get', key]])).toEqual([]);
    const tried = run(3, 'a', ['SET', key, 'worker-2', 'NX', 'PX', '5000']);
    expect([...tried, ...read(3.1, key, 'worker-2')]).toMatchObject([{ type: 'lock.acquired', holder: 'worker-2' }]);
  },
);

test('[T1] a key that SETNX wrote is a lock once a script compares and deletes it', () => {
  const { script, run } = makeTokenStory();
  expect(run(0, 'a', ['SETNX', 'orders:42', 'worker-1'])).toEqual([]);
  expect(run(0.1, 'a', ['EXPIRE', 'orders:42', '30'])).toEqual([]);
  expect(script(1, 'a', ['orders:42'], ['worker-1'], deleted('orders:42'))).toMatchObject([{ type: 'lock.released' }]);
  expect(script(2, 'a', ['otp:42'], ['worker-1'], deleted('otp:42'))).toEqual([]);
});

test('[T1] a one-time value does not show a library, even if it has the form of a library’s token', () => {
  const { script, run, read } = makeTokenStory();
  const token = 'q1w2e3r4t5y6u7i8o9p0aQ=='; // 16 bytes, as redsync makes them
  const acquired = (at: number, key: string) => [
    ...run(at, 'a', ['SET', key, token, 'NX', 'PX', '5000']),
    ...read(at + 0.1, key, token),
  ];
  script(0, 'b', ['refresh:7'], [token], deleted('refresh:7'));
  expect(acquired(1, 'refresh:7')).toMatchObject([{ type: 'lock.acquired' }]);
  expect(acquired(2, 'orders:42')).toMatchObject([{ type: 'lock.acquired', kindKnown: false }]);
});

test('[T1] with more locks at once than are remembered, a script that releases locks shows each of them', () => {
  const { script, run } = makeTokenStory();
  const keys = [...Array(1500).keys()].map((n) => `stock:${n}`);
  for (const key of keys) run(0, 'a', ['SET', key, T1 ?? '', 'NX', 'PX', '60000']);
  const released = keys.reverse().flatMap((key) => script(1, 'a', [key], [T1 ?? ''], deleted(key)));
  expect(released.filter(({ type }) => type === 'lock.released')).toHaveLength(1500);
});

test('[T1] if the key has the name of a lock, a compare-and-delete alone shows a lock', () => {
  const { script } = makeTokenStory();
  expect(script(0, 'a', ['lock:7'], ['worker-1'], deleted('lock:7'))).toMatchObject([{ type: 'lock.released' }]);
});

test('[T1] a script with GET and SET is not a lock: it may be a cache', () => {
  const { script } = makeTokenStory();
  const cached = [
    ['get', 'page:7'],
    ['set', 'page:7', T1 ?? '', 'PX', '5000'],
  ];
  expect(script(0, 'a', ['page:7'], [T1 ?? '', '5000'], cached)).toEqual([]);
});

test('[T2] a first attempt is reported only after a read', () => {
  const { run, read, doubts } = makeTokenStory();
  expect(run(0, 'a', ['SET', 'orders:42', T1 ?? '', 'NX', 'PX', '5000'])).toEqual([]);
  expect(run(0.001, 'b', ['SET', 'orders:42', T2 ?? '', 'NX', 'PX', '5000'])).toEqual([]);
  expect(doubts).toEqual(['orders:42', 'orders:42']);
  expect(read(0.01, 'orders:42', T1)).toMatchObject([
    { type: 'lock.acquired', holder: T1, certainty: 'inferred', kindKnown: false, at: seconds(0) },
    { type: 'lock.refused', holder: T2, certainty: 'inferred' },
  ]);
  expect(reported(run(1, 'b', ['SET', 'orders:42', T2 ?? '', 'NX', 'PX', '5000']))).toEqual(['lock.refused inferred']);
});

test('[T2] a renewal or release shows that its token acquired the lock, without a read', () => {
  const { run, script } = makeTokenStory();
  const words = (token = '') => ['SET', 'orders:42', token, 'NX', 'PX', '5000'];
  run(0, 'a', words(T1));
  run(0.001, 'b', words(T2));
  const renewal = [
    ['get', 'orders:42'],
    ['pttl', 'orders:42'],
    ['pexpire', 'orders:42', '9000'],
  ];
  expect(reported(script(0.002, 'a', ['orders:42'], [T1 ?? '', '5000', '0'], renewal))).toEqual([
    'lock.acquired inferred',
    'lock.refused inferred',
    'lease.renewed observed',
  ]);
});

test('[T2] an undecided attempt is remembered over 59 later attempts, until a read shows that it acquired the lock', () => {
  const { run, read } = makeTokenStory();
  run(0, 'a', ['SET', 'orders:42', T1 ?? '', 'NX', 'PX', '60000']);
  for (let n = 1; n < 60; n++) run(n / 10, 'b', ['SET', 'orders:42', T2 ?? '', 'NX', 'PX', '60000']);
  const events = read(6, 'orders:42', T1, 54_000);
  expect(events[0]).toMatchObject({ type: 'lock.acquired', holder: T1 });
  expect(new Set(events.slice(1).map(({ type }) => type))).toEqual(new Set(['lock.refused']));
});

test('[T2] without key events, an attempt close to the end of the lease is decided by a read', () => {
  const words = (token = '') => ['SET', 'orders:42', token, 'NX', 'PX', '5000'];
  const refused = makeTokenStory();
  refused.run(0, 'a', words(T1));
  refused.read(0.01, 'orders:42', T1, 4990);
  expect(refused.run(4.99, 'b', words(T2))).toEqual([]);
  expect(reported(refused.read(4.995, 'orders:42', T1, 5))).toEqual(['lock.refused inferred']);
  const taken = makeTokenStory();
  taken.run(0, 'a', words(T1));
  taken.read(0.01, 'orders:42', T1, 4990);
  expect(taken.run(5.005, 'b', words(T2))).toEqual([]);
  const story = taken.read(5.01, 'orders:42', T2, 4995);
  expect(reported(story)).toEqual(['lease.expired inferred', 'lock.acquired inferred']);
});

test('[T2] a read shows whether SET with IFEQ renewed the lease, because MONITOR also shows it on servers without IFEQ', () => {
  const { run, read } = makeTokenStory();
  run(0, 'a', ['SET', 'orders:42', T1 ?? '', 'NX', 'PX', '5000']);
  read(0.01, 'orders:42', T1, 4990);
  const renewal = ['SET', 'orders:42', T1 ?? '', 'PX', '5000', 'IFEQ', T1 ?? ''];
  expect(run(1, 'a', renewal)).toEqual([]);
  expect(reported(read(1.01, 'orders:42', T1, 3990))).toEqual([]);
  expect(run(2, 'a', renewal)).toEqual([]);
  expect(reported(read(2.01, 'orders:42', T1, 4990))).toEqual(['lease.renewed inferred']);
});

test('[T2] a release by comparison proves the renewal by IFEQ before it, and later renewals need no read', () => {
  const { run, read } = makeTokenStory();
  const renewal = ['SET', 'orders:42', T1 ?? '', 'PX', '9000', 'IFEQ', T1 ?? ''];
  const acquire = (at: number) => {
    run(at, 'a', ['SET', 'orders:42', T1 ?? '', 'NX', 'PX', '5000']);
    read(at + 0.01, 'orders:42', T1, 4990);
  };
  acquire(0);
  expect(run(1, 'a', renewal)).toEqual([]);
  const released = run(1.001, 'a', ['DELIFEQ', 'orders:42', T1 ?? '']);
  expect(reported(released)).toEqual(['lease.renewed inferred', 'lock.released inferred']);
  expect(released[0]?.at).toBe(seconds(1));
  acquire(2);
  expect(reported(run(3, 'a', renewal))).toEqual(['lease.renewed inferred']);
});

test('[T2] after a read has shown a renewal by IFEQ, the next renewal needs no read', () => {
  const { run, read } = makeTokenStory();
  const renewal = ['SET', 'orders:42', T1 ?? '', 'PX', '5000', 'IFEQ', T1 ?? ''];
  run(0, 'a', ['SET', 'orders:42', T1 ?? '', 'NX', 'PX', '5000']);
  read(0.01, 'orders:42', T1, 4990);
  run(1, 'a', renewal);
  read(1.01, 'orders:42', T1, 4990);
  expect(reported(run(2, 'a', renewal))).toEqual(['lease.renewed inferred']);
  expect(reported(run(2.5, 'b', renewal.with(2, T2 ?? '').with(6, T2 ?? '')))).toEqual(['renewal.refused inferred']);
});

test('[T1] if several clients set the same word, the first holds the lock, and its own DEL releases it', () => {
  const { run, read } = makeTokenStory();
  const attempt = (at: number, client: string) => run(at, client, ['SET', 'lock:orders:42', '1', 'NX', 'EX', '30']);
  attempt(0, 'a');
  for (const at of [0.2, 0.7, 1.2]) attempt(at, 'b');
  const found = read(1.3, 'lock:orders:42', '1', 28_700);
  expect(found).toMatchObject([{ type: 'lock.acquired', holder: '1', by: 'a', at: seconds(0), leaseMs: 30_000 }]);
  expect(reported(run(2, 'a', ['DEL', 'lock:orders:42']))).toEqual(['lock.released inferred']);
});

test('[T1] the first of several clients that set the same word holds the lock even without a lease', () => {
  const { run, read } = makeTokenStory();
  for (const client of ['a', 'b', 'c']) run(0, client, ['SETNX', 'lock:orders:42', 'locked']);
  expect(read(0.01, 'lock:orders:42', 'locked', -1)).toMatchObject([
    { type: 'lock.acquired', holder: 'locked', by: 'a' },
  ]);
});

test('[T1] if a word was in the key before all attempts, the lock is found, and a DEL by another client releases it in an unknown way', () => {
  const { run, read } = makeTokenStory();
  for (const at of [0, 0.2, 0.4]) run(at, 'b', ['SETNX', 'lock:orders:42', 'locked']);
  expect(read(0.41, 'lock:orders:42', 'locked', 20_000)).toMatchObject([
    { type: 'lock.found', holders: [{ holder: 'locked' }] },
  ]);
  expect(run(1, 'a', ['DEL', 'lock:orders:42'])).toMatchObject([{ type: 'lock.released', how: 'unknown' }]);
  run(1.1, 'b', ['SETNX', 'lock:orders:42', 'locked']);
  expect(reported(read(1.11, 'lock:orders:42', 'locked', -1))).toEqual([]);
  expect(reported(run(2, 'b', ['DEL', 'lock:orders:42']))).toEqual(['lock.released inferred']);
});

test('[T1] if several clients set the same word within 0.1 s, the first one holds the lock', () => {
  const { run, read } = makeTokenStory();
  const attempt = (at: number, client: string) => run(at, client, ['SET', 'lock:orders:42', '1', 'NX', 'EX', '30']);
  attempt(0, 'a');
  for (const at of [0.02, 0.04, 0.06]) attempt(at, 'b');
  expect(read(0.07, 'lock:orders:42', '1', 29_930)).toMatchObject([{ type: 'lock.acquired', by: 'a', at: seconds(0) }]);
});

test('[T1] if several clients set the same number, for example the time, the first one holds the lock, even if another client sets another number', () => {
  const { run } = makeTokenStory();
  const attempt = (at: number, client: string, value: string) =>
    run(at, client, ['SET', 'lock:orders:42', value, 'NX', 'EX', '30']);
  for (const [client, value] of [
    ['a', '1796013765016'],
    ['b', '1796013765016'],
    ['c', '1796013765017'],
  ] as const)
    attempt(0, client, value);
  expect(run(0.1, 'a', ['DEL', 'lock:orders:42'])).toMatchObject([
    { type: 'lock.acquired', by: 'a' },
    { type: 'lock.refused', holder: '1796013765017' },
    { type: 'lock.released', by: 'a' },
  ]);
});

test('[T5] a deletion by the same pool before any read shows that the first attempt acquired the lock, which is now free', () => {
  const { run, list } = makeTokenStory();
  const attempt = (at: number, client: string, token = '') =>
    run(at, client, ['SET', 'lock:orders:42', token, 'NX', 'EX', '30']);
  list(0);
  attempt(0, '10.0.0.1:1', T1);
  attempt(0.1, '10.0.0.2:1', T2);
  expect(reported(run(0.4, '10.0.0.1:2', ['DEL', 'lock:orders:42']))).toEqual([
    ...['lock.acquired inferred', 'lock.refused inferred', 'lock.released inferred'],
  ]);
  expect(reported(attempt(0.5, '10.0.0.2:1', T2))).toEqual(['lock.acquired inferred']);
});

test('[T1] if the only client that set a shared word attempts again, a DEL by another client is a release in an unknown way', () => {
  const { run, read } = makeTokenStory();
  run(0, 'b', ['SETNX', 'lock:orders:42', 'locked']);
  read(0.01, 'lock:orders:42', 'locked', -1);
  run(0.2, 'b', ['SETNX', 'lock:orders:42', 'locked']);
  expect(run(1, 'a', ['DEL', 'lock:orders:42'])).toMatchObject([{ type: 'lock.released', how: 'unknown' }]);
});

test('[T5] a GETDEL on the connection of the holder is a release', () => {
  const { run, read } = makeTokenStory();
  run(0, 'a', ['SET', 'lock:orders:42', T1 ?? '', 'NX', 'PX', '5000']);
  read(0.01, 'lock:orders:42', T1, 4990);
  expect(reported(run(1, 'a', ['GETDEL', 'lock:orders:42']))).toEqual(['lock.released inferred']);
});

test('[T2] an EXPIRE after SETNX is the lease of the lock, also before a read has shown the holder', () => {
  const { run, read } = makeTokenStory();
  run(0, 'a', ['SETNX', 'lock:orders:42', T1 ?? '']);
  run(0.001, 'a', ['EXPIRE', 'lock:orders:42', '30']);
  const found = read(0.01, 'lock:orders:42', T1, 29_991);
  expect(found).toMatchObject([{ type: 'lock.acquired', holder: T1, leaseMs: 30_000 }]);
});

test('[T2] a DEL on the connection of an undecided attempt is a release by its client, and a DEL on another connection takes the lock away', () => {
  const { run } = makeTokenStory();
  const value = 'ADDED:2026-11-21T01:14:54.552Z@vm:b7a212db-12ce-422e-b486-c1e8fe72a47a';
  run(0, 'a', ['SET', 'job-lock:default:nightly', value, 'PX', '5000', 'NX']);
  const events = run(0.001, 'a', ['DEL', 'job-lock:default:nightly']);
  expect(reported(events)).toEqual(['lock.acquired inferred', 'lock.released inferred']);
  run(1, 'a', ['SET', 'job-lock:default:nightly', value, 'PX', '5000', 'NX']);
  expect(reported(run(1.001, 'ops:9', ['DEL', 'job-lock:default:nightly']))).toEqual(['lock.deleted observed']);
});

test('[K6] if a lock with a lease of an hour was never released, a DEL by another client is a release of which only the end is known', () => {
  const { run, read } = makeTokenStory();
  run(0, 'a', ['SET', 'lock:orders:42', T1 ?? '', 'PX', '3600000', 'NX']);
  read(0.01, 'lock:orders:42', T1, 3_599_990);
  const events = run(60, 'ops:9', ['DEL', 'lock:orders:42']);
  expect(events).toMatchObject([{ type: 'lock.released', how: 'unknown', command: 'DEL', certainty: 'inferred' }]);
});

test('[T2] a key event decides an attempt', () => {
  const { run } = makeTokenStory();
  const push: PushSignal = { kind: 'push', at: seconds(0), channel: '__keyspace@0__:orders:42', message: 'set' };
  expect(reported(run(0, 'a', ['SET', 'orders:42', T1 ?? '', 'NX', 'PX', '5000'], [push]))).toEqual([
    'lock.acquired observed',
  ]);
  expect(reported(run(1, 'b', ['SET', 'orders:42', T2 ?? '', 'NX', 'PX', '5000']))).toEqual(['lock.refused observed']);
});

test('[T3] the cleanup of a client that was refused one of two keys is not a release', () => {
  const { script } = makeTokenStory();
  const [ACQUIRE, RELEASE] = ['96da70f7716f27d278a5218544df37fd8b0a5e4c', 'e4612211c9f8f51c257e26e056b0a654b3187242'];
  const [taken, free] = ['orders:42', 'orders:7'];
  const take = [
    ['exists', taken],
    ['set', taken, T1 ?? '', 'PX', '5000'],
  ];
  script(0, 'a', [taken], [T1 ?? '', '5000'], take, ACQUIRE);
  const asked = [free, taken].map((key) => ['exists', key]);
  const compared = [free, taken].map((key) => ['get', key]);
  expect(script(1, 'b', [free, taken], [T2 ?? '', '5000'], asked, ACQUIRE)).toMatchObject([
    { type: 'lock.refused', lock: taken, holder: T2 },
  ]);
  expect(script(1.01, 'b', [free, taken], [T2 ?? ''], compared, RELEASE)).toEqual([]);
});

test('a value that a SET writes over a token does not appear in the event of the next read', () => {
  const { run, read } = makeTokenStory();
  run(0, 'a', ['SET', 'orders:42', T1 ?? '', 'NX', 'PX', '5000']);
  read(0.01, 'orders:42', T1);
  expect(reported(run(1, 'x', ['SET', 'orders:42', 'a secret']))).toEqual(['lock.deleted observed']);
  expect(JSON.stringify(read(2, 'orders:42', 'a secret'))).not.toContain('secret');
});

test.each([
  ['15 <', 'get counter', 'del counter'],
  ['15', 'get counter', 'del counter'],
])('[T1] a script that compares a number (%s) is not a release of a lock', (args, ...ran) => {
  expect(eventsFromScripts([command('a:1', 'SET counter 10'), script('a:1', 'counter', args, ...ran)])).toEqual([]);
});

test('[T2] a comparison of a value does not make its key a lock', () => {
  const { run, doubts } = makeTokenStory();
  expect(run(0, 'a', ['SET', 'config:flags', 'v2', 'IFEQ', 'v1'])).toEqual([]);
  expect(run(0.1, 'a', ['DELEX', 'draft:17', 'IFEQ', 'abc'])).toEqual([]);
  expect(run(0.2, 'a', ['SET', 'jobs:nightly', T1 ?? '', 'EX', '60', 'IFEQ', T1 ?? ''])).toEqual([]);
  expect(doubts).toEqual([]);
});

test.each([
  [['SET', 'orders:42', T1 ?? '', 'EX', '60', 'IFEQ', T1 ?? '']],
  [['SET', 'orders:42', T1 ?? '', 'EX', '60', 'XX']],
  [['DELEX', 'orders:42', 'IFEQ', T1 ?? '']],
])('[T2] before the first read, %j is not an event but asks for a read', (words) => {
  const { run, read, doubts } = makeTokenStory((name) => name === 'orders:42');
  expect(run(0, 'a', words)).toEqual([]);
  expect(doubts).toEqual(['orders:42']);
  expect(reported(read(0.01, 'orders:42', T1, 60_000))).toEqual(['lock.found observed']);
});

test('[T6] a waiter of an unknown library that is silent for some seconds has not given up: it may wait for a message', () => {
  const { run, read } = makeTokenStory((name) => name.startsWith('lock:'));
  const words = (token: string) => ['SET', 'lock:report', token, 'NX'];
  run(0, 'a', words('worker-1'));
  read(0.01, 'lock:report', 'worker-1', -1);
  run(1, 'b', words('worker-2'));
  run(2.3, 'b', words('worker-2'));
  expect(run(8, 'ops', ['PING'])).toEqual([]);
  run(20, 'a', ['DEL', 'lock:report']);
  expect(run(20.1, 'b', words('worker-2'))).toMatchObject([{ type: 'lock.acquired', waitedMs: 19_100 }]);
});

test('[T6] a waiter with long pauses has given up after three times its longest pause', () => {
  const { run, read } = makeTokenStory();
  const words = (token = '') => ['SET', 'orders:42', token, 'NX', 'PX', '60000'];
  run(0, 'a', words(T1));
  read(0.01, 'orders:42', T1, 59_990);
  const tries = [1, 3.5, 7, 9].flatMap((at) => run(at, 'b', words(T2)));
  expect(tries).toMatchObject([1, 2, 3, 4].map((attempt) => ({ type: 'lock.refused', attempt })));
  expect(run(18, 'ops', ['PING'])).toEqual([]);
  expect(reported(run(20, 'ops', ['PING']))).toEqual(['waiter.dequeued inferred']);
});

test('[T5] a token in the form of redis-py may belong to an own lock, which a DEL on another connection of its pool releases', () => {
  for (const [by, expected] of [
    ['app:2', 'lock.released inferred'],
    ['ops:1', 'lock.deleted observed'],
  ] as const) {
    const { run, read } = makeTokenStory();
    const token = `${'c'.repeat(12)}1abc8${'d'.repeat(15)}`;
    run(0, 'app:1', ['SET', 'lock:mail', token, 'NX', 'EX', '30']);
    read(0.01, 'lock:mail', token, 29_990);
    expect(reported(run(2, by, ['DEL', 'lock:mail']))).toEqual([expected]);
  }
});

test('[T2] a client that attempts again with the token of the holder just before the lease ends does not acquire the lock', () => {
  const { run, read } = makeTokenStory();
  run(0, 'a', ['SET', 'lock:1', T1, 'NX', 'PX', '5000']);
  read(0.01, 'lock:1', T1, 4990);
  expect(run(4.99, 'b', ['SET', 'lock:1', T1, 'NX', 'PX', '5000'])).toEqual([]);
  expect(reported(read(4.992, 'lock:1', T1, 8))).toEqual(['lock.refused inferred']);
});
