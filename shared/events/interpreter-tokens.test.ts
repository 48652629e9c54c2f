import { expect, test } from 'vitest';
import { command, eventsFromScripts, script } from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import type { KeyRead, LineSignal, PushSignal } from '../signals/signal.ts';
import { Interpreter } from './interpreter.ts';

const [T1, T2] = ['8b6ead8ee54611f18a0402fc00000001', '8f92d9c6e54611f18ae702fc00000001'];

function make(isNamed?: (name: string) => boolean) {
  const interpreter = new Interpreter({ source: 'redis', ...(isNamed ? { isNamed } : {}) });
  const doubts: string[] = [];
  interpreter.onDoubt = (key) => doubts.push(key.name);
  const line = (at: number, client: string | null, words: string[]): LineSignal => {
    return { kind: 'line', at: seconds(at), db: 0, client, words };
  };
  return {
    doubts,
    run: (at: number, client: string, words: string[], pushes: PushSignal[] = []) =>
      interpreter.interpret({ kind: 'command', head: line(at, client, words), inner: [], pushes }),
    script: (
      at: number,
      client: string,
      keys: string[],
      args: string[],
      inner: string[][],
      sha = '0'.repeat(40),
      pushes: PushSignal[] = [],
    ) => {
      const head = line(at, client, ['EVALSHA', sha, String(keys.length), ...keys, ...args]);
      const lines = inner.map((words) => line(at, null, words));
      return interpreter.interpret({ kind: 'command', head, inner: lines, pushes });
    },
    read: (at: number, name: string, token: string | undefined, pttl = 5000) => {
      const read: KeyRead = {
        ...{ db: 0, name, type: token === undefined ? 'none' : 'string', fields: {}, hasChanged: false },
        ...{ pttl: token === undefined ? -2 : pttl, subscribers: null },
        companions: { token: token === undefined ? [] : [token] },
      };
      return interpreter.interpret({ kind: 'bookmark', at: seconds(at), reads: [read] });
    },
  };
}

const reported = (events: readonly { type: string; certainty: string }[]) =>
  events.map((e) => `${e.type} ${e.certainty}`);

test('[T1] an ordinary SET NX is not a lock', () => {
  const { run, doubts } = make();
  expect(run(0, 'a', ['SET', 'seen:17', '1', 'NX', 'EX', '60'])).toEqual([]);
  expect(run(0, 'a', ['SET', 'seen:18', '{"id":1}', 'NX', 'EX', '60'])).toEqual([]);
  expect(doubts).toEqual([]);
});

test('[T1] a SET NX on a name the user asked for is a lock', () => {
  const { run, read } = make((name) => name.startsWith('lock:'));
  expect(run(0, 'a', ['SET', 'lock:1', 'worker-1', 'NX', 'PX', '5000'])).toEqual([]);
  const events = read(0.01, 'lock:1', 'worker-1');
  expect(events).toMatchObject([{ type: 'lock.acquired', holder: 'worker-1', kind: 'token-lock', leaseMs: 5000 }]);
  expect(events[0]).not.toHaveProperty('kindKnown');
});

test('[T1] a compare-and-delete shows a lock, whatever its token', () => {
  const { script, run } = make();
  const events = script(
    0,
    'a',
    ['mine'],
    ['worker-1'],
    [
      ['get', 'mine'],
      ['del', 'mine'],
    ],
  );
  expect(events).toMatchObject([{ type: 'lock.released', holder: 'worker-1', kind: 'token-lock' }]);
  expect(reported(run(1, 'b', ['SET', 'mine', 'worker-2', 'NX', 'PX', '5000']))).toEqual(['lock.acquired inferred']);
});

test('[T1] a script with GET and SET may be a cache', () => {
  const { script } = make();
  const cached = [
    ['get', 'page:7'],
    ['set', 'page:7', T1 ?? '', 'PX', '5000'],
  ];
  expect(script(0, 'a', ['page:7'], [T1 ?? '', '5000'], cached)).toEqual([]);
});

test('[T2] a first attempt is reported only after a read', () => {
  const { run, read, doubts } = make();
  expect(run(0, 'a', ['SET', 'orders:42', T1 ?? '', 'NX', 'PX', '5000'])).toEqual([]);
  expect(run(0.001, 'b', ['SET', 'orders:42', T2 ?? '', 'NX', 'PX', '5000'])).toEqual([]);
  expect(doubts).toEqual(['orders:42', 'orders:42']);
  expect(read(0.01, 'orders:42', T1)).toMatchObject([
    { type: 'lock.acquired', holder: T1, certainty: 'inferred', kindKnown: false, at: seconds(0) },
    { type: 'lock.refused', holder: T2, certainty: 'inferred' },
  ]);
  expect(reported(run(1, 'b', ['SET', 'orders:42', T2 ?? '', 'NX', 'PX', '5000']))).toEqual(['lock.refused inferred']);
});

test('[T2] a renewal or release shows that its token acquired, without a read', () => {
  const { run, script } = make();
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

test('[T2] the first attempt is not forgotten after 59 others before the read', () => {
  const { run, read } = make();
  run(0, 'a', ['SET', 'orders:42', T1 ?? '', 'NX', 'PX', '60000']);
  for (let n = 1; n < 60; n++) run(n / 10, 'b', ['SET', 'orders:42', T2 ?? '', 'NX', 'PX', '60000']);
  const events = read(6, 'orders:42', T1, 54_000);
  expect(events[0]).toMatchObject({ type: 'lock.acquired', holder: T1 });
  expect(new Set(events.slice(1).map(({ type }) => type))).toEqual(new Set(['lock.refused']));
});

test('[T2] without key events, a read decides an attempt close to the end of the lease', () => {
  const words = (token = '') => ['SET', 'orders:42', token, 'NX', 'PX', '5000'];
  const refused = make();
  refused.run(0, 'a', words(T1));
  refused.read(0.01, 'orders:42', T1, 4990);
  expect(refused.run(4.99, 'b', words(T2))).toEqual([]);
  expect(reported(refused.read(4.995, 'orders:42', T1, 5))).toEqual(['lock.refused inferred']);
  const taken = make();
  taken.run(0, 'a', words(T1));
  taken.read(0.01, 'orders:42', T1, 4990);
  expect(taken.run(5.005, 'b', words(T2))).toEqual([]);
  const story = taken.read(5.01, 'orders:42', T2, 4995);
  expect(reported(story)).toEqual(['lease.expired inferred', 'lock.acquired inferred']);
});

test('[T2] a read decides a renewal by IFEQ, since MONITOR also shows it on servers without IFEQ', () => {
  const { run, read } = make();
  run(0, 'a', ['SET', 'orders:42', T1 ?? '', 'NX', 'PX', '5000']);
  read(0.01, 'orders:42', T1, 4990);
  const renewal = ['SET', 'orders:42', T1 ?? '', 'PX', '5000', 'IFEQ', T1 ?? ''];
  expect(run(1, 'a', renewal)).toEqual([]);
  expect(reported(read(1.01, 'orders:42', T1, 3990))).toEqual([]);
  expect(run(2, 'a', renewal)).toEqual([]);
  expect(reported(read(2.01, 'orders:42', T1, 4990))).toEqual(['lease.renewed inferred']);
});

test('[T2] a release by comparison proves the renewal by IFEQ before it, and later ones need no read', () => {
  const { run, read } = make();
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
  const { run, read } = make();
  const renewal = ['SET', 'orders:42', T1 ?? '', 'PX', '5000', 'IFEQ', T1 ?? ''];
  run(0, 'a', ['SET', 'orders:42', T1 ?? '', 'NX', 'PX', '5000']);
  read(0.01, 'orders:42', T1, 4990);
  run(1, 'a', renewal);
  read(1.01, 'orders:42', T1, 4990);
  expect(reported(run(2, 'a', renewal))).toEqual(['lease.renewed inferred']);
  expect(reported(run(2.5, 'b', renewal.with(2, T2 ?? '').with(6, T2 ?? '')))).toEqual(['renewal.refused inferred']);
});

test('[T1] the first of those who set the same word has the lock, and its own DEL releases it', () => {
  const { run, read } = make();
  const attempt = (at: number, client: string) => run(at, client, ['SET', 'lock:orders:42', '1', 'NX', 'EX', '30']);
  attempt(0, 'a');
  for (const at of [0.2, 0.7, 1.2]) attempt(at, 'b');
  const found = read(1.3, 'lock:orders:42', '1', 28_700);
  expect(found).toMatchObject([{ type: 'lock.acquired', holder: '1', by: 'a', at: seconds(0), leaseMs: 30_000 }]);
  expect(reported(run(2, 'a', ['DEL', 'lock:orders:42']))).toEqual(['lock.released inferred']);
});

test('[T1] without a lease, too, the first of those who set the same word has the lock', () => {
  const { run, read } = make();
  for (const client of ['a', 'b', 'c']) run(0, client, ['SETNX', 'lock:orders:42', 'locked']);
  expect(read(0.01, 'lock:orders:42', 'locked', -1)).toMatchObject([
    { type: 'lock.acquired', holder: 'locked', by: 'a' },
  ]);
});

test('[T5] a GETDEL on the connection of the holder is its release', () => {
  const { run, read } = make();
  run(0, 'a', ['SET', 'lock:orders:42', T1 ?? '', 'NX', 'PX', '5000']);
  read(0.01, 'lock:orders:42', T1, 4990);
  expect(reported(run(1, 'a', ['GETDEL', 'lock:orders:42']))).toEqual(['lock.released inferred']);
});

test('[T2] an EXPIRE after SETNX is its lease, also before a read has shown who has the lock', () => {
  const { run, read } = make();
  run(0, 'a', ['SETNX', 'lock:orders:42', T1 ?? '']);
  run(0.001, 'a', ['EXPIRE', 'lock:orders:42', '30']);
  const found = read(0.01, 'lock:orders:42', T1, 29_991);
  expect(found).toMatchObject([{ type: 'lock.acquired', holder: T1, leaseMs: 30_000 }]);
});

test('[T2] a DEL on the connection of an undecided attempt is its release', () => {
  const { run } = make();
  const value = 'ADDED:2026-11-21T01:14:54.552Z@vm:b7a212db-12ce-422e-b486-c1e8fe72a47a';
  run(0, 'a', ['SET', 'job-lock:default:nightly', value, 'PX', '5000', 'NX']);
  const events = run(0.001, 'a', ['DEL', 'job-lock:default:nightly']);
  expect(reported(events)).toEqual(['lock.acquired inferred', 'lock.released inferred']);
  run(1, 'a', ['SET', 'job-lock:default:nightly', value, 'PX', '5000', 'NX']);
  expect(reported(run(1.001, 'ops:9', ['DEL', 'job-lock:default:nightly']))).not.toContain('lock.released inferred');
});

test('[K6] a DEL by another client of a lock of an hour that was never released is reported as a deletion', () => {
  const { run, read } = make();
  run(0, 'a', ['SET', 'lock:orders:42', T1 ?? '', 'PX', '3600000', 'NX']);
  read(0.01, 'lock:orders:42', T1, 3_599_990);
  const events = run(60, 'ops:9', ['DEL', 'lock:orders:42']);
  expect(events).toMatchObject([{ type: 'lock.released', how: 'unknown', command: 'DEL', certainty: 'inferred' }]);
});

test('[T2] a key event decides an attempt', () => {
  const { run } = make();
  const push: PushSignal = { kind: 'push', at: seconds(0), channel: '__keyspace@0__:orders:42', message: 'set' };
  expect(reported(run(0, 'a', ['SET', 'orders:42', T1 ?? '', 'NX', 'PX', '5000'], [push]))).toEqual([
    'lock.acquired observed',
  ]);
  expect(reported(run(1, 'b', ['SET', 'orders:42', T2 ?? '', 'NX', 'PX', '5000']))).toEqual(['lock.refused observed']);
});

test('[T3] cleaning up after a partial refusal is not a release', () => {
  const { script } = make();
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

test('[T3] node-redlock 4 cleans up after each refused renewal; only its real unlock is reported', () => {
  const { script } = make();
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

test('RedLock.net looks like Pottery until its script runs; its renewal sets the key again if it is gone', () => {
  const { run, script } = make();
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

test('a value that is not a token never appears in an event', () => {
  const { run, read } = make();
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

/** The lock foo, which T1 acquired at second 0 for 5 s. */
function heldFor5s() {
  const watched = make();
  watched.run(0, 'a', ['SET', 'foo', T1, 'NX', 'PX', '5000']);
  watched.read(0.1, 'foo', T1, 4900);
  watched.doubts.length = 0;
  return watched;
}

test.each([
  ['SET', 'foo', T1, 'PX', '9000'],
  ['SET', 'foo', T1, 'EX', '9', 'GET'],
  ['SETEX', 'foo', '9', T1],
  ['PSETEX', 'foo', '9000', T1],
  ['MSET', 'foo', T1],
  ['GETSET', 'foo', T1],
])('[T8] %s of the own token only sets the end of the lease', (...words) => {
  const end = words.includes('9') || words.includes('9000') ? 10 : null;
  const { run, read, doubts } = heldFor5s();
  expect(run(1, 'a', words)).toMatchObject([
    { type: 'lease.renewed', certainty: 'observed', cause: 'command', expiresAt: end && seconds(end) },
  ]);
  expect(doubts).toEqual([]);
  expect(read(1.1, 'foo', T1, end === null ? -1 : 8900)).toEqual([]);
  expect(reported(run(2, 'a', ['SET', 'foo', T2]))).toEqual(['lock.deleted observed']);
});

test('[T8] a SET of the own token that keeps the end changes nothing', () => {
  const { run, doubts } = heldFor5s();
  expect(run(1, 'a', ['SET', 'foo', T1, 'KEEPTTL'])).toEqual([]);
  expect(doubts).toEqual([]);
});

test.each([
  ['SET', 'foo', T1, 'PX', '0'],
  ['SETEX', 'foo', '0', T1],
])('[T8] %s of the own token that Redis rejects: a read shows that the end stayed', (...words) => {
  const { run, read, doubts } = heldFor5s();
  expect(run(2, 'a', words)).toEqual([]);
  expect(doubts).toEqual(['foo']);
  expect(read(2.1, 'foo', T1, 2900)).toMatchObject([{ type: 'lock.found', expiresAt: seconds(5) }]);
});

test('[T8] a token that is set after its lease has ended is found by a read', () => {
  const { run, read } = heldFor5s();
  expect(reported(run(6, 'a', ['SET', 'foo', T1, 'PX', '5000']))).toEqual(['lease.expired inferred']);
  expect(read(6.1, 'foo', T1, 4900)).toMatchObject([{ type: 'lock.found', expiresAt: seconds(11) }]);
});

test.each([
  [
    'compares the token, then SETEX',
    [
      ['get', 'foo'],
      ['setex', 'foo', '9', T1],
    ],
  ],
  ['SET XX', [['set', 'foo', T1, 'XX', 'PX', '9000']]],
])('[T8] a script of an unknown library renews: %s', (_, ran) => {
  const { read, script } = heldFor5s();
  const events = [...script(1, 'a', ['foo'], [T1, '9000'], ran), ...read(1.1, 'foo', T1, 8900)];
  expect(events).toMatchObject([{ type: 'lease.renewed', expiresAt: seconds(10) }]);
});

test('[T8] after a plain SET the key is taken by an unknown client: attempts are refused until it is gone', () => {
  const { run, read } = make();
  run(0, 'b', ['SET', 'foo', T1, 'NX']);
  read(0.1, 'foo', T1, -1);
  expect(reported(run(1, 'ops', ['SET', 'foo', 'bar']))).toEqual(['lock.deleted observed']);
  expect(reported(run(2, 'a', ['SET', 'foo', T2, 'NX']))).toEqual(['lock.refused inferred']);
  expect(read(2.1, 'foo', 'bar', -1)).toEqual([]);
  expect(reported(run(3, 'a', ['SET', 'foo', T2, 'NX']))).toEqual(['lock.refused inferred']);
  expect(run(4, 'ops', ['DEL', 'foo'])).toEqual([]);
  expect(reported(run(5, 'a', ['SET', 'foo', T2, 'NX']))).toEqual(['lock.acquired inferred']);
});

test('[T8] a value that is not a token expires with its lease, and a read of it decides an attempt', () => {
  const { run, read } = make();
  run(0, 'b', ['SET', 'foo', T1, 'NX']);
  read(0.1, 'foo', T1, -1);
  run(1, 'ops', ['SET', 'foo', 'bar', 'PX', '1000']);
  expect(reported(run(3, 'a', ['SET', 'foo', T2, 'NX']))).toEqual(['lock.acquired inferred']);
  const other = make();
  expect(other.run(0, 'a', ['SET', 'foo', T2, 'NX', 'PX', '5000'])).toEqual([]);
  expect(reported(other.read(0.1, 'foo', 'bar', -1))).toEqual(['lock.refused inferred']);
});

test('[T4] redislock: the same token with other metadata is a re-entry of the same holder', () => {
  const { script, read } = make();
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

const END = 1_795_000_011_000;

/** A lock that T1 acquired at second 1 for 10 s, as a read has shown. */
function heldByT1() {
  const watched = make((name) => name === 'orders:42');
  watched.run(1, 'a', ['SET', 'orders:42', T1 ?? '', 'NX', 'PX', '10000']);
  watched.read(1.01, 'orders:42', T1, 9990);
  watched.doubts.length = 0;
  return watched;
}

test.each([
  [['PX', '10000'], { leaseMs: 10_000, expiresAt: seconds(11) }],
  [['ex', '10'], { leaseMs: 10_000, expiresAt: seconds(11) }],
  [['PXAT', String(END)], { leaseMs: 10_000, expiresAt: seconds(11) }],
  [['EXAT', '1795000011'], { leaseMs: 10_000, expiresAt: seconds(11) }],
  [['KEEPTTL'], { expiresAt: null }],
])('[L1] SET NX %j sets the end of the lease', (options, lease) => {
  const { run, read } = make((name) => name === 'orders:42');
  run(1, 'a', ['SET', 'orders:42', T1 ?? '', 'NX', ...options]);
  const events = read(1.01, 'orders:42', T1, lease.expiresAt === null ? -1 : 9990);
  expect(events).toMatchObject([{ type: 'lock.acquired', holder: T1, ...lease }]);
});

test.each([
  [['PX', '12000'], [{ type: 'lease.renewed', expiresAt: seconds(14) }]],
  [['EX', '12'], [{ type: 'lease.renewed', expiresAt: seconds(14) }]],
  [['PXAT', String(END + 3000)], [{ type: 'lease.renewed', expiresAt: seconds(14) }]],
  [['EXAT', '1795000014'], [{ type: 'lease.renewed', expiresAt: seconds(14) }]],
  [['KEEPTTL'], []],
  [['PX', 'abc'], []],
])('[L4] SET XX %j by the holder sets the end of the lease, or keeps it', (options, events) => {
  const { run, read } = heldByT1();
  expect(run(2, 'a', ['SET', 'orders:42', T1 ?? '', 'XX', ...options])).toMatchObject(events);
  if (events.length === 0) expect(read(3, 'orders:42', T1, 8000)).toEqual([]);
});

test.each([
  [['PX', '12000'], [{ type: 'lease.renewed', cause: 'command', expiresAt: seconds(14), by: 'ops' }]],
  [['ex', '5'], [{ type: 'lease.shortened', cause: 'command', expiresAt: seconds(7) }]],
  [['PXAT', String(END + 3000)], [{ type: 'lease.renewed', cause: 'command', expiresAt: seconds(14) }]],
  [['PERSIST'], [{ type: 'lease.renewed', cause: 'command', expiresAt: null }]],
  [['PX', 'abc'], []],
  [['PX', '0'], []],
  [['EX', '9223372036854775807'], []],
  [['EX', '10', 'PERSIST'], []],
  [['EXAT', '1000'], [{ type: 'lock.deleted', command: 'GETEX', by: 'ops' }]],
  [[], []],
])('[L7] GETEX %j sets the end of the lease, or only asks', (options, events) => {
  expect(heldByT1().run(2, 'ops', ['GETEX', 'orders:42', ...options])).toMatchObject(events);
});

test.each([
  [['PX', '5000'], 7],
  [['EX', '5'], 7],
  [['PXAT', String(END - 4000)], 7],
  [['EXAT', '1795000007'], 7],
  [['KEEPTTL'], 11],
])('[T8] attempts are refused until the lease of a plain SET %j ends', (options, end) => {
  const { run } = heldByT1();
  run(2, 'ops', ['SET', 'orders:42', 'x', ...options]);
  const attempt = (at: number) => run(at, 'b', ['SET', 'orders:42', T2 ?? '', 'NX', 'PX', '3000']);
  expect(reported(attempt(end - 0.1))).toEqual(['lock.refused inferred']);
  expect(reported(attempt(end + 0.1))).not.toContain('lock.refused inferred');
});

test('[T2] a comparison of a value does not make its key a lock', () => {
  const { run, doubts } = make();
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
  const { run, read, doubts } = make((name) => name === 'orders:42');
  expect(run(0, 'a', words)).toEqual([]);
  expect(doubts).toEqual(['orders:42']);
  expect(reported(read(0.01, 'orders:42', T1, 60_000))).toEqual(['lock.found observed']);
});

test.each([
  [['SET', 'orders:42', T2 ?? '', 'IFEQ', T1 ?? '', 'PX', '5000']],
  [['SET', 'orders:42', T2 ?? '', 'IFNE', T1 ?? '']],
  [['SET', 'orders:42', T1 ?? '', 'IFDEQ', '0123456789abcdef', 'PX', '9000']],
  [['DELEX', 'orders:42', 'IFDEQ', '0123456789abcdef']],
])('[T2] %j on a held lock is decided by a read', (words) => {
  const { run, doubts } = heldByT1();
  expect(run(2, 'b', words)).toEqual([]);
  expect(doubts).toEqual(['orders:42']);
});

const SET_NX_ON_EXTEND = 'b6b55c439e02c6f52ffb8be7ec8c0d0ac816ea79';
const [R1, R2] = ['AAAAAAAAAAAAAAAAAAAA1A==', 'BBBBBBBBBBBBBBBBBBBB2A=='];
const lateExtension = [
  ['GET', 'job'],
  ['SET', 'job', R1, 'PX', '1500', 'NX'],
];

test('[T2] redsync extends a lost lock: it is refused while another client holds the lock', () => {
  const { run, script, read } = make();
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

test('[T2] redsync extends a lost lock: it acquires a free one', () => {
  const { run, script, read, doubts } = make();
  run(0, 'a', ['set', 'job', R1, 'px', '1500', 'nx']);
  read(0.01, 'job', R1, 1490);
  doubts.length = 0;
  const events = script(3, 'a', ['job'], [R1, '1500'], lateExtension, SET_NX_ON_EXTEND);
  expect(reported(events)).toEqual(['lease.expired inferred', 'lock.acquired inferred']);
  expect(doubts).toEqual(['job']);
  expect(read(3.01, 'job', R1, 1490)).toEqual([]);
});

test('[T2] a key event decides an extension of redsync', () => {
  const { run, script, doubts } = make();
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

test('[T2] redsync extends a lock with an unknown state: the read decides', () => {
  const refused = make();
  expect(refused.script(0, 'a', ['job'], [R1, '1500'], lateExtension, SET_NX_ON_EXTEND)).toEqual([]);
  expect(refused.doubts).toEqual(['job']);
  expect(refused.read(0.01, 'job', R2, 7000).map(({ type }) => type)).not.toContain('lock.acquired');
  const taken = make();
  taken.script(0, 'a', ['job'], [R1, '1500'], lateExtension, SET_NX_ON_EXTEND);
  expect(reported(taken.read(0.01, 'job', R1, 1490))).toEqual(['lock.acquired inferred']);
});

test('[T6] a waiter of an unknown library may wait for a message: silence of some seconds is not giving up', () => {
  const { run, read } = make((name) => name.startsWith('lock:'));
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
  const { run, read } = make();
  const words = (token = '') => ['SET', 'orders:42', token, 'NX', 'PX', '60000'];
  run(0, 'a', words(T1));
  read(0.01, 'orders:42', T1, 59_990);
  const tries = [1, 3.5, 7, 9].flatMap((at) => run(at, 'b', words(T2)));
  expect(tries).toMatchObject([1, 2, 3, 4].map((attempt) => ({ type: 'lock.refused', attempt })));
  expect(run(18, 'ops', ['PING'])).toEqual([]);
  expect(reported(run(20, 'ops', ['PING']))).toEqual(['waiter.dequeued inferred']);
});

test('[T5] a token in the form of redis-py may be of an own lock, which a DEL on another connection of its pool releases', () => {
  for (const [by, expected] of [
    ['app:2', 'lock.released inferred'],
    ['ops:1', 'lock.deleted observed'],
  ] as const) {
    const { run, read } = make();
    const token = `${'c'.repeat(12)}1abc8${'d'.repeat(15)}`;
    run(0, 'app:1', ['SET', 'lock:mail', token, 'NX', 'EX', '30']);
    read(0.01, 'lock:mail', token, 29_990);
    expect(reported(run(2, by, ['DEL', 'lock:mail']))).toEqual([expected]);
  }
});

const REDLOCK_RB = 'ceb2b2062e40c51a2b3963fd078bc71f11bdc65c';
const words = (...lines: string[]) => lines.map((line) => line.split(' '));

test.each([REDLOCK_RB, '0'.repeat(40)])('[T3] redlock-rb extends with the script that acquires (%s)', (sha) => {
  const { script, run } = make();
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

test('[T2] a client that asks again with the token of the holder just before the lease ends does not acquire it', () => {
  const { run, read } = make();
  run(0, 'a', ['SET', 'lock:1', T1, 'NX', 'PX', '5000']);
  read(0.01, 'lock:1', T1, 4990);
  expect(run(4.99, 'b', ['SET', 'lock:1', T1, 'NX', 'PX', '5000'])).toEqual([]);
  expect(reported(read(4.992, 'lock:1', T1, 8))).toEqual(['lock.refused inferred']);
});
