import { expect, test } from 'vitest';
import { lockAt } from '../../testing/stories/lock-at.ts';
import { seconds } from '../../testing/stories/story.ts';
import { makeTokenStory, reported, T1, T2 } from '../../testing/stories/token-story.ts';
import type { PushSignal } from '../signals/signal.ts';

test('[T3] three refused renewals of node-redlock 4, each followed by a clean-up, are reported as one, and the later unlock by itself', () => {
  const { script } = makeTokenStory();
  const [ACQUIRE, EXTEND, RELEASE] = [
    'e5a322e2634ef59a516e8ea150cb085afafee684',
    'ce46f80993d5dac20dd066eb301a4e37994bdbed',
    '0f0f23b9048b36752b5be114f357ba083449f908',
  ];
  const get = [['get', 'orders:42']];
  const take = [
    ['exists', 'orders:42'],
    ['set', 'orders:42', T1 ?? '', 'PX', '5000'],
  ];
  script(0, 'a', ['orders:42'], [T1 ?? '', '5000'], take, ACQUIRE);
  const events = [6, 6.2, 6.4].flatMap((at) => [
    ...script(at, 'a', ['orders:42'], [T1 ?? '', '5000'], get, EXTEND),
    ...script(at, 'a', ['orders:42'], [T1 ?? ''], get, RELEASE),
  ]);
  events.push(...script(6.5, 'a', ['orders:42'], [T1 ?? ''], get, RELEASE));
  expect(events.map(({ type }) => type)).toEqual(['lease.expired', 'renewal.refused', 'unlock.refused']);
});

test('the library of a RedLock.net lock is not known until its script runs, and its renewal sets a missing key again', () => {
  const { run, script } = makeTokenStory();
  const [EXTEND, UNLOCK] = ['3e7c6bf3e080bb97a92e77362149c26252b98212', '18b2a577dbe847b16bebde190d69a1613d68e60e'];
  const name = 'redlock:orders:42';
  const [token, other] = ['1f6b1a62-04c1-4d3a-9d52-6a6c0f6f7c11', '1f6b1a62-04c1-4d3a-9d52-6a6c0f6f7c12'];
  const get = ['get', name];
  const push: PushSignal = { kind: 'push', at: seconds(0), channel: `__keyspace@0__:${name}`, message: 'set' };
  const [acquired] = run(0, 'a', ['SET', name, token, 'NX', 'PX', '5000'], [push]);
  expect(acquired).toMatchObject({ type: 'lock.acquired', certainty: 'observed', holder: token });
  expect(acquired).not.toHaveProperty('library');
  expect(acquired).not.toHaveProperty('kindKnown');
  const library = 'redlock-net';
  const renewed = script(2, 'a', [name], [token, '5000'], [get, ['pexpire', name, '5000']], EXTEND);
  expect(renewed).toMatchObject([{ type: 'lease.renewed', holder: token, leaseMs: 5000, library }]);
  const revived = script(8, 'a', [name], [token, '5000'], [get, ['set', name, token, 'PX', '5000']], EXTEND);
  expect(revived.map(({ type }) => type)).toEqual(['lease.expired', 'lock.acquired']);
  expect(script(9, 'b', [name], [other, '5000'], [get], EXTEND)).toMatchObject([{ type: 'renewal.refused', library }]);
  expect(script(9.1, 'a', [name], [token], [get, ['del', name]], UNLOCK)).toMatchObject([
    { type: 'lock.released', holder: token, library },
  ]);
});

test('[T4] an attempt of redislock with the same token and other metadata is a re-entry of the same holder', () => {
  const { script, read } = makeTokenStory();
  const again = ['msetnx j foobaz', 'getrange j 0 2', 'mset j foobaz', 'pexpire j 5000'];
  const REDISLOCK = 'eb0c00d98f6f33b4262419a509002884540f30be';
  const first = script(
    1,
    'a',
    ['j'],
    ['foobar', '3', '5000'],
    [
      ['msetnx', 'j', 'foobar'],
      ['pexpire', 'j', '5000'],
    ],
    REDISLOCK,
  );
  expect(first).toMatchObject([{ type: 'lock.acquired', holder: 'foobar' }]);
  const inner = again.map((line) => line.split(' '));
  const unseen = makeTokenStory().script(1, 'a', ['j'], ['foobaz', '3', '5000'], inner, REDISLOCK);
  expect(unseen).toMatchObject([{ type: 'lock.reentered', holder: 'foobaz' }]); // the hold began unseen
  expect(lockAt(unseen, seconds(2)).holders).toMatchObject([{ since: null, firstAt: seconds(1) }]);
  expect(script(2, 'a', ['j'], ['foobaz', '3', '5000'], inner, REDISLOCK)).toMatchObject([
    { type: 'lock.reentered', holder: 'foobar' },
  ]);
  expect(read(2.1, 'j', 'foobaz', 4900)).toEqual([]);
  const release = [
    ['mget', 'j'],
    ['del', 'j'],
  ];
  expect(script(3, 'a', ['j'], ['foobaz'], release)).toMatchObject([{ type: 'lock.released', holder: 'foobar' }]);
});

const SET_NX_ON_EXTEND = 'b6b55c439e02c6f52ffb8be7ec8c0d0ac816ea79';
const [R1, R2] = ['AAAAAAAAAAAAAAAAAAAA1A==', 'BBBBBBBBBBBBBBBBBBBB2A=='];
const lateExtension = [
  ['GET', 'job'],
  ['SET', 'job', R1, 'PX', '1500', 'NX'],
];

test('[T2] an extension of a lost lock by redsync is refused while another client holds the lock', () => {
  const { run, script, read } = makeTokenStory();
  run(0, 'a', ['set', 'job', R1, 'px', '1500', 'nx']);
  read(0.01, 'job', R1, 1490);
  expect(reported(run(2, 'b', ['set', 'job', R2, 'ex', '8', 'nx']))).toContain('lock.acquired inferred');
  read(2.01, 'job', R2, 7990);
  const events = script(3, 'a', ['job'], [R1, '1500'], lateExtension, SET_NX_ON_EXTEND);
  expect(events).toMatchObject([{ type: 'renewal.refused', holder: R1, certainty: 'inferred' }]);
  expect(read(3.01, 'job', R2, 6990)).toEqual([]);
  const release = [
    ['GET', 'job'],
    ['DEL', 'job'],
  ];
  expect(reported(script(4, 'b', ['job'], [R2], release))).toEqual(['lock.released observed']);
});

test('[T2] an extension of a lost lock by redsync acquires the lock if it is free', () => {
  const { run, script, read, doubts } = makeTokenStory();
  run(0, 'a', ['set', 'job', R1, 'px', '1500', 'nx']);
  read(0.01, 'job', R1, 1490);
  doubts.length = 0;
  const events = script(3, 'a', ['job'], [R1, '1500'], lateExtension, SET_NX_ON_EXTEND);
  expect(reported(events)).toEqual(['lease.expired inferred', 'lock.acquired inferred']);
  expect(doubts).toEqual(['job']);
  expect(read(3.01, 'job', R1, 1490)).toEqual([]);
});

test('[T2] a key event decides whether an extension by redsync had an effect', () => {
  const { run, script, doubts } = makeTokenStory();
  const push = (at: number): PushSignal => {
    return { kind: 'push', at: seconds(at), channel: '__keyspace@0__:job', message: 'set' };
  };
  run(0, 'a', ['set', 'job', R1, 'px', '1500', 'nx'], [push(0)]);
  const taken = script(3, 'a', ['job'], [R1, '1500'], lateExtension, SET_NX_ON_EXTEND, [push(3)]);
  expect(reported(taken)).toContain('lock.acquired observed');
  run(6, 'b', ['set', 'job', R2, 'px', '5000', 'nx'], [push(6)]);
  const refused = script(7, 'a', ['job'], [R1, '1500'], lateExtension, SET_NX_ON_EXTEND);
  expect(reported(refused)).toEqual(['renewal.refused observed']);
  expect(doubts).toEqual([]);
});

test('[T2] if the state of the lock is unknown, a read decides whether an extension by redsync had an effect', () => {
  const refused = makeTokenStory();
  expect(refused.script(0, 'a', ['job'], [R1, '1500'], lateExtension, SET_NX_ON_EXTEND)).toEqual([]);
  expect(refused.doubts).toEqual(['job']);
  expect(refused.read(0.01, 'job', R2, 7000).map(({ type }) => type)).not.toContain('lock.acquired');
  const taken = makeTokenStory();
  taken.script(0, 'a', ['job'], [R1, '1500'], lateExtension, SET_NX_ON_EXTEND);
  expect(reported(taken.read(0.01, 'job', R1, 1490))).toEqual(['lock.acquired inferred']);
});

const REDLOCK_RB = 'ceb2b2062e40c51a2b3963fd078bc71f11bdc65c';
const words = (...lines: string[]) => lines.map((line) => line.split(' '));

test.each([REDLOCK_RB, '0'.repeat(40)])('[T3] redlock-rb extends a lock with the script that acquires (%s)', (sha) => {
  const { script, run } = makeTokenStory();
  const key = 'lock:billing';
  const set = (token = '') => `set ${key} ${token} PX 10000`;
  const ask = (at: number, client: string, token = '', mode = 'yes', ...inner: string[]) =>
    script(at, client, [key], [token, '10000', mode], words(`exists ${key}`, ...inner), sha);
  expect(reported(ask(0, 'a', T1, 'yes', set(T1)))).toEqual(['lock.acquired observed']);
  const extended = ask(5, 'a', T1, 'yes', `get ${key}`, set(T1));
  expect(extended).toMatchObject([{ type: 'lease.renewed', holder: T1, leaseMs: 10_000, certainty: 'observed' }]);
  expect(extended).toHaveLength(1);
  expect(ask(5.1, 'b', T2, 'yes', `get ${key}`)).toMatchObject([{ type: 'lock.refused', holder: T2, reason: 'held' }]);
  run(6, 'ops', ['DEL', key]);
  expect(ask(7, 'a', T1, 'no', `get ${key}`)).toMatchObject([{ type: 'renewal.refused', holder: T1 }]);
  expect(reported(ask(8, 'b', T2, 'yes', set(T2)))).toEqual(['lock.acquired observed']);
  expect(ask(9, 'a', T1, 'yes', `get ${key}`)).toMatchObject([
    { type: 'renewal.refused', holder: T1, reason: 'not-owner' },
  ]);
});

/** Scripts of two registries of Spring Integration. Each registry has the token of its process. */
function registries() {
  const { run, script } = makeTokenStory();
  const [ACQUIRE, RELEASE] = ['175897a4e379e99e79a54937be09226f76cdcfe5', 'f0f9038aa2b6d6c3436c72d147573ea2a58f0ef2'];
  const [lock, one, other] = ['registry:orders', 'aaaaaaaa-1111-4111-8111-111111111111', REGISTRY];
  const get = ['GET', lock];
  const takes = (at: number, by: string, token: string) =>
    script(at, by, [lock], [token, '60000'], [get, ['SET', lock, token, 'PX', '60000']], ACQUIRE);
  run(0, 'ops', ['ECHO', 'any']);
  takes(100, 'a', one);
  return {
    refused: (at: number) => script(at, 'b', [lock], [other, '60000'], [get], ACQUIRE),
    released: (at: number) => script(at, 'a', [lock], [one], [get, ['UNLINK', lock]], RELEASE),
    acquired: (at: number) => takes(at, 'b', other),
  };
}
const REGISTRY = 'bbbbbbbb-1111-4111-8111-111111111111';

test('[T6] a registry of Spring Integration that is refused once and asks again later has not waited in between', () => {
  const { refused, released, acquired } = registries();
  refused(105);
  expect(refused(120)).toMatchObject([{ type: 'lock.refused', attempt: 1 }]);
  released(122.9);
  const [gained] = acquired(160);
  expect(gained).toMatchObject({ type: 'lock.acquired', holder: REGISTRY });
  expect(gained).not.toHaveProperty('waitedMs');
});

test('[T6] a waiter of Spring Integration attempts twice before it sleeps until a message', () => {
  const { refused, released, acquired } = registries();
  refused(105);
  expect(refused(105.1)).toMatchObject([{ type: 'lock.refused', attempt: 2 }]);
  released(140);
  expect(acquired(140.1)).toMatchObject([{ type: 'lock.acquired', waitedMs: expect.closeTo(35_100, 1) }]);
});

/** Own scripts, each with its SHA, of clients that hold `lock:orders`. Watching begins while T1 has it. */
function ownScripts() {
  const { run, script, doubts } = makeTokenStory();
  const [lock, of] = ['lock:orders', (sha: string) => sha.repeat(40)];
  const get = ['get', lock];
  const set = ['set', lock, T2 ?? '', 'PX', '30000'];
  run(0, 'ops', ['ECHO', 'any']);
  return {
    doubts,
    /** T2 acquires. */
    acquires: (at: number, first: string) =>
      script(at, 'b', [lock], [T2 ?? '', '30000'], [[first, lock], set], of('a')),
    /** A script with a token and a lease that does not find the token. */
    compares: (at: number, sha: string) => script(at, 'a', [lock], [T1 ?? '', '30000'], [get], of(sha)),
  };
}

test('[T3] if clients acquire without comparing the token, a script whose comparison fails may renew an older hold and has no event', () => {
  const { acquires, compares, doubts } = ownScripts();
  expect(acquires(10, 'exists')).toMatchObject([{ type: 'lock.acquired', holder: T2 }]);
  expect(compares(11, 'b')).toEqual([]);
  expect(doubts.at(-1)).toBe('lock:orders');
});

test('[T3] if clients compare the token before they acquire, a script that finds another token is reported as a refused attempt', () => {
  const { acquires, compares } = ownScripts();
  acquires(10, 'get');
  expect(compares(11, 'b')).toMatchObject([{ type: 'lock.refused', holder: T1, certainty: 'inferred' }]);
  expect(compares(12, 'a')).toMatchObject([{ type: 'lock.refused', holder: T1, certainty: 'observed' }]);
});
