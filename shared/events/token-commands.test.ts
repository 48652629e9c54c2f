import { expect, test } from 'vitest';
import { seconds } from '../../testing/stories/story.ts';
import { makeTokenStory, reported, T1, T2 } from '../../testing/stories/token-story.ts';
import { reduceLock } from '../state/reduce.ts';
import type { LockEvent } from './event.ts';

/** The lock foo, which T1 acquired at second 0 for 5 s. */
function heldFor5s() {
  const watched = makeTokenStory();
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
])('[T8] %s of the token that is already in the key only sets the end of the lease', (...words) => {
  const end = words.includes('9') || words.includes('9000') ? 10 : null;
  const { run, read, doubts } = heldFor5s();
  expect(run(1, 'a', words)).toMatchObject([
    { type: 'lease.renewed', certainty: 'observed', cause: 'command', expiresAt: end && seconds(end) },
  ]);
  expect(doubts).toEqual([]);
  expect(read(1.1, 'foo', T1, end === null ? -1 : 8900)).toEqual([]);
  expect(reported(run(2, 'a', ['SET', 'foo', T2]))).toEqual(['lock.deleted observed']);
});

test('[T8] a SET of the token that is already in the key, with KEEPTTL, changes nothing', () => {
  const { run, doubts } = heldFor5s();
  expect(run(1, 'a', ['SET', 'foo', T1, 'KEEPTTL'])).toEqual([]);
  expect(doubts).toEqual([]);
});

test.each([
  ['SET', 'foo', T1, 'PX', '0'],
  ['SETEX', 'foo', '0', T1],
])('[T8] after %s of the same token that Redis rejects, a read shows that the end is unchanged', (...words) => {
  const { run, read, doubts } = heldFor5s();
  expect(run(2, 'a', words)).toEqual([]);
  expect(doubts).toEqual(['foo']);
  expect(read(2.1, 'foo', T1, 2900)).toMatchObject([{ type: 'lock.found', expiresAt: seconds(5) }]);
});

test('[T8] a hold whose token is set after its lease has ended is found by a read', () => {
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

test('[T8] after a plain SET an unknown client holds the key, and attempts are refused until it is gone', () => {
  const { run, read } = makeTokenStory();
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
  const { run, read } = makeTokenStory();
  run(0, 'b', ['SET', 'foo', T1, 'NX']);
  read(0.1, 'foo', T1, -1);
  run(1, 'ops', ['SET', 'foo', 'bar', 'PX', '1000']);
  expect(reported(run(3, 'a', ['SET', 'foo', T2, 'NX']))).toEqual(['lock.acquired inferred']);
  const other = makeTokenStory();
  expect(other.run(0, 'a', ['SET', 'foo', T2, 'NX', 'PX', '5000'])).toEqual([]);
  expect(reported(other.read(0.1, 'foo', 'bar', -1))).toEqual(['lock.refused inferred']);
});

const END = 1_795_000_011_000;

/** A lock that T1 acquired at second 1 for 10 s, as a read has shown. */
function heldByT1() {
  const watched = makeTokenStory((name) => name === 'orders:42');
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
  const { run, read } = makeTokenStory((name) => name === 'orders:42');
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
])('[L7] GETEX %j sets the end of the lease, or only reads it', (options, events) => {
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
  expect(reported(attempt(end + 0.1))).toEqual(['lock.acquired inferred']);
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

test.each([
  ['SET', 'foo', T2, 'GET', 'EX', '9'],
  ['SETEX', 'foo', '9', T2],
  ['GETSET', 'foo', T2],
  ['SET', 'foo', T2, 'XX', 'EX', '9'],
])(
  '[T8] %s of another token by another client replaces the value, and the owner of the new token is only inferred to be the holder',
  (...words) => {
    const { run, script, read, doubts } = heldFor5s();
    expect(run(1, 'b', words)).toMatchObject([{ type: 'lock.deleted', certainty: 'observed', by: 'b', holder: T1 }]);
    expect(new Set(doubts)).toEqual(new Set(['foo']));
    expect(read(1.1, 'foo', T2, 8900)).toMatchObject([
      { type: 'lock.found', certainty: 'inferred', holders: [{ holder: T2 }] },
    ]);
    expect(read(1.2, 'foo', T2, 8800)).toEqual([]);
    expect(script(2, 'a', ['foo'], [T1], [['get', 'foo']])).toMatchObject([NOT_OWNER]);
  },
);

test.each([
  ['APPEND', 'foo', ':x'],
  ['SETRANGE', 'foo', '0', 'ffff'],
  ['SETBIT', 'foo', '3', '1'],
  ['BITFIELD', 'foo', 'SET', 'u8', '0', '70'],
])('[T8] %s takes the lock from its holder, if a read finds another value', (...words) => {
  const { run, script, read, doubts } = heldFor5s();
  expect(run(1, 'b', words)).toEqual([]);
  expect(doubts).toEqual(['foo']);
  expect(read(1.1, 'foo', T2, 3900)).toMatchObject([
    { type: 'lock.deleted', certainty: 'inferred', command: words[0], by: 'b', holder: T1 },
    { type: 'lock.found', certainty: 'inferred', holders: [{ holder: T2 }], expiresAt: seconds(5) },
  ]);
  expect(script(2, 'a', ['foo'], [T1], [['get', 'foo']])).toMatchObject([NOT_OWNER]);
  const same = heldFor5s();
  same.run(1, 'b', words);
  expect(same.read(1.1, 'foo', T1, 3900)).toEqual([]);
});

test('[T8] after the value that replaced a token was deleted, a read reports what it finds as observed', () => {
  const { run, read } = heldFor5s();
  run(1, 'b', ['SET', 'foo', T2]);
  read(1.1, 'foo', T2, -1);
  run(2, 'b', ['DEL', 'foo']);
  read(2.5, 'foo', undefined);
  expect(read(3, 'foo', T1, 4000)).toMatchObject([
    { type: 'drift.healed', certainty: 'observed', expected: null, found: { holders: [{ holder: T1 }] } },
  ]);
});

const NOT_OWNER = { type: 'unlock.refused', reason: 'not-owner' };

test('[T8] while another value is in the key, a refused unlock does not report that the lock was free', () => {
  const { run, script } = heldFor5s();
  run(1, 'b', ['SET', 'foo', T2, 'EX', '9']);
  expect(script(2, 'a', ['foo'], [T1], [['get', 'foo']])).toMatchObject([NOT_OWNER]);
});

test('[T9] SET XX of a word ends the hold if the holder sends it; if another client sends it, no client acquires', () => {
  const uuid = '8b6ead8e-e546-4f18-a040-2fc000000001';
  const by = (client: string) => {
    const { run, read } = makeTokenStory();
    run(0, 'a', ['SET', 'lock:foo', uuid, 'NX', 'PX', '5000']);
    read(0.1, 'lock:foo', uuid, 4900);
    return reported(run(1, client, ['SET', 'lock:foo', 'done', 'XX', 'EX', '60']));
  };
  expect(by('a')).toEqual(['lock.released inferred']);
  expect(by('b')).toEqual(['lock.deleted observed']);
});

test('[T8] while attempts are refused by the value of another client, the lock is not known to be free', () => {
  const { run, read } = heldFor5s();
  const replaced = run(1, 'b', ['SET', 'foo', 'done', 'XX']);
  const refused = run(2, 'c', ['SET', 'foo', T2, 'NX', 'PX', '5000']);
  const after = (events: readonly LockEvent[]) =>
    events.reduce<ReturnType<typeof reduceLock> | undefined>(reduceLock, undefined);
  expect(after(replaced)?.holderUnseen).toBeUndefined();
  expect(after([...replaced, ...refused])?.holderUnseen).toMatchObject({ at: seconds(2) });

  const deleted = [
    ...run(3, 'b', ['DEL', 'foo']),
    ...run(4, 'c', ['SET', 'foo', T2, 'NX', 'PX', '5000']),
    ...read(4.1, 'foo', T2, 4900),
  ];
  expect(after([...replaced, ...refused, ...deleted])?.holderUnseen).toBeUndefined();
});

test.each([
  ['EXPIRE', 'foo', '0'],
  ['PEXPIREAT', 'foo', '1000'],
  ['EXPIREAT', 'foo', '1'],
  ['GETEX', 'foo', 'PXAT', '1000'],
])('[T5] %s with an end in the past on the connection of the holder is a release', (...words) => {
  expect(reported(heldFor5s().run(1, 'a', words))).toEqual(['lock.released inferred']);
});

test('[T2] SET with IFEQ is not a hand-over if a later attempt with the same token set the key', () => {
  const { run, read } = heldFor5s();
  run(1, 'a', ['SET', 'foo', T2, 'IFEQ', T1, 'PX', '5000']); // not supported by this server
  run(4.99, 'b', ['SET', 'foo', T2, 'NX', 'PX', '5000']);
  run(5.005, 'b', ['SET', 'foo', T2, 'NX', 'PX', '5000']);
  expect(read(5.01, 'foo', T2, 4995).filter(({ type }) => type !== 'lock.refused')).toMatchObject([
    { type: 'lease.expired', holder: T1 },
    { type: 'lock.acquired', holder: T2, at: seconds(5.005) },
  ]);
});
