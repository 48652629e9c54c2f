import { describe, expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import { Interpreter } from '../events/interpreter.ts';
import type { KeyRead } from '../signals/signal.ts';
import { EffectGroups } from './effect-groups.ts';
import { EffectsToSignals } from './effect-signals.ts';

const NOW_MS = 1_795_000_000_000;
const HOLDER = '0a000000-0000-4000-8000-000000000000:1';
const OTHER = '0b000000-0000-4000-8000-000000000000:7';
const PROBE = { channel: 'lockscope:probe:x', db: 0 };
const CHANNEL = 'redisson_lock__channel:{k}';

/** A source at level `replication`. `isScanned`: every key has been looked at, so an unknown key does not exist. */
function watch({ isScanned = true, mayEvict = false, clockErrorMs = 0 } = {}) {
  const interpreter = new Interpreter({ source: 'redis', hasCommands: false });
  const translator = new EffectsToSignals({
    ...{ keys: interpreter.keys, isNamed: false },
    ...{ isWanted: () => true, isAbsent: () => isScanned, mayEvict: () => mayEvict, clockErrorMs: () => clockErrorMs },
  });
  const ended: string[] = [];
  const groups = new EffectGroups(PROBE, (why) => ended.push(why));
  let offset = 0;
  const add = (ms: number, line: string) => {
    const words = line.split(' ');
    offset += 10;
    return groups.add(words[0] ?? '', words, offset, redisTime((NOW_MS + ms) * 1000));
  };
  add(0, 'SELECT 0');
  /** Takes the effects of a script, one per line. Returns the events, and the keys that must be read. */
  const took = (ms: number, ...lines: string[]) => {
    const all = lines.length > 1 ? ['MULTI', ...lines, 'EXEC'] : lines;
    const found = all.flatMap((line) => add(ms, line) ?? []).map((group) => translator.take(group));
    const events = found.flatMap(({ signals }) => signals).flatMap((signal) => interpreter.interpret(signal));
    return {
      unread: found.flatMap(({ unknown }) => unknown.map(({ name }) => name)),
      events,
      reported: events.map((event) => [event.type, 'holdCount' in event ? event.holdCount : ''].join(' ').trim()),
    };
  };
  const read = (ms: number, part: Partial<KeyRead>) => {
    const key = { db: 0, name: 'k', type: 'none', fields: {}, pttl: -2, hasChanged: false, subscribers: null };
    const bookmark = { kind: 'bookmark', at: redisTime((NOW_MS + ms) * 1000), reads: [{ ...key, ...part }] } as const;
    return { different: translator.read(bookmark), events: interpreter.interpret(bookmark) };
  };
  return { took, read, ended };
}

const acquire = (ms: number, count = '1') => [`HINCRBY k ${HOLDER} ${count}`, `PEXPIREAT k ${NOW_MS + ms + 30_000}`];
const unlock = [`HINCRBY k ${HOLDER} -1`, 'DEL k', `PUBLISH ${CHANNEL} 0`];

test('acquisition, re-entry, partial release, renewal and release of a plain lock are events, and leases have exact ends', () => {
  const { took } = watch();
  expect(took(0, ...acquire(0)).events).toMatchObject([
    { type: 'lock.acquired', holder: HOLDER, holdCount: 1, expiresAt: (NOW_MS + 30_000) * 1000, certainty: 'inferred' },
  ]);
  expect(took(5, ...acquire(5)).reported).toEqual(['lock.reentered 2']);
  expect(took(9, ...acquire(9, '-1')).reported).toEqual(['lock.partially-released 1']);
  expect(took(10_000, `PEXPIREAT k ${NOW_MS + 40_000}`).events).toMatchObject([
    { type: 'lease.renewed', holder: HOLDER, cause: 'watchdog', expiresAt: (NOW_MS + 40_000) * 1000 },
  ]);
  expect(took(10_010, ...unlock).reported).toEqual(['lock.released 0', 'wakeup.published']);
});

test('with Redis 6, which sends the length of a lease, the lease ends that long after the command arrived', () => {
  const { took } = watch();
  const { events } = took(0, `HINCRBY k ${HOLDER} 1`, 'PEXPIRE k 30000');
  expect(events).toMatchObject([{ type: 'lock.acquired', expiresAt: (NOW_MS + 30_000) * 1000 }]);
});

describe('a key that is gone', () => {
  test.each([
    [29_000, 'DEL k', 'lock.deleted'],
    [29_990, 'DEL k', 'lease.expired'],
    [30_050, 'DEL k', 'lease.expired'],
    [30_050, 'UNLINK k', 'lease.expired'],
    [31_000, `HINCRBY k ${HOLDER} -1|DEL k`, 'lock.released 0'],
    [10, `DEL k|PUBLISH ${CHANNEL} 0`, 'lock.force-released|wakeup.published'],
    [10, 'FLUSHDB', 'db.flushed'],
    [10, 'FLUSHALL', 'db.flushed'],
  ])('a key that is gone after %i ms by %s is reported as %s', (ms, lines, reported) => {
    const { took } = watch();
    took(0, ...acquire(0));
    expect(took(ms, ...lines.split('|')).reported).toEqual(reported.split('|'));
  });

  test.each([
    [29_990, 'inferred'],
    [30_010, 'inferred'],
    [30_050, 'observed'],
  ] as const)('close to the end of the lease, its expiry may be inferred: after %i ms it is %s', (ms, certainty) => {
    const { took } = watch();
    took(0, ...acquire(0));
    expect(took(ms, 'DEL k').events).toMatchObject([{ type: 'lease.expired', certainty }]);
  });

  test.each([30_005, 30_500])(
    'if a script deletes the key and acquires the lock after %i ms, the lease of 30 s had expired before',
    (ms) => {
      const { took } = watch();
      took(0, ...acquire(0));
      took(1, ...acquire(1));
      expect(took(ms, 'DEL k', ...acquire(ms)).reported).toEqual(['lease.expired', 'lock.acquired 1']);
    },
  );

  test('with Redis 6, a deletion 0.5 s before the end of the lease may be an expiry, so how the hold ended is unknown', () => {
    const { took } = watch();
    took(0, `HINCRBY k ${HOLDER} 1`, 'PEXPIRE k 30000');
    expect(took(29_500, 'DEL k').events).toMatchObject([{ type: 'lock.released', how: 'unknown' }]);
  });

  test('an inexact clock makes it uncertain for longer whether the key was deleted or expired', () => {
    const { took } = watch({ clockErrorMs: 100 });
    took(0, ...acquire(0));
    expect(took(29_885, 'DEL k').events).toMatchObject([{ type: 'lock.released', how: 'unknown' }]);
    took(40_000, ...acquire(40_000));
    expect(took(70_050, 'DEL k').events).toMatchObject([{ type: 'lease.expired', certainty: 'inferred' }]);
  });

  test('if Redis may evict keys, a single DEL in the stream does not show how the lock ended', () => {
    const { took } = watch({ mayEvict: true });
    took(0, ...acquire(0));
    expect(took(10, 'DEL k').events).toMatchObject([{ type: 'lock.released', how: 'unknown' }]);
  });
});

describe('before every key was looked at', () => {
  test('a changed lock that may already have been held is read, and read again after its next change', () => {
    const { took, read } = watch({ isScanned: false });
    expect(took(0, ...acquire(0))).toMatchObject({ reported: [], unread: ['k', 'k'] });
    expect(read(1, { type: 'hash', fields: { [HOLDER]: '2' }, pttl: 30_000 }).events).toMatchObject([
      { type: 'lock.found', holders: [{ holder: HOLDER, holdCount: 2 }] },
    ]);
    expect(took(2, ...acquire(2, '-1')).unread).toEqual(['k']); // its companions may show that the lock has another kind
    expect(took(3, `PEXPIREAT orders:1 ${NOW_MS}`)).toMatchObject({ reported: [], unread: [] });
  });

  test('after an unlock that leaves a hold count, the key is read', () => {
    const { took } = watch({ isScanned: false });
    expect(took(0, ...acquire(0, '-1')).unread).toEqual(['k']);
  });
});

test('a read that differs from Lockscope’s copy of the key is reported, unless the lease in the copy had ended', () => {
  const { took, read } = watch();
  took(0, ...acquire(0));
  expect(read(1, { type: 'hash', fields: { [HOLDER]: '1' }, pttl: 29_999 }).different).toEqual([]);
  expect(read(2, { type: 'hash', fields: { [HOLDER]: '1', [OTHER]: '1' }, pttl: 29_998 }).different).toEqual(['k']);
  expect(read(30_010, {}).different).toEqual([]);
});

test('a semaphore that its channel has shown is read at its next change, and later changes are events', () => {
  const { took, read } = watch();
  took(0, 'SET gate 3');
  expect(took(1, 'PUBLISH redisson_sc:{gate} 3').reported).toEqual(['wakeup.published']);
  expect(took(2, 'DECRBY gate 1')).toMatchObject({ reported: [], unread: ['gate'] });
  const found = {
    name: 'gate',
    type: 'string',
    pttl: -1,
    channel: 'redisson_sc:{gate}',
    companions: { permits: ['2'] },
  };
  read(3, found);
  expect(took(4, 'INCRBY gate 1', 'PUBLISH redisson_sc:{gate} 1').reported).toEqual([
    'permits.released',
    'wakeup.published',
  ]);
  expect(read(5, { ...found, companions: { permits: ['3'] } }).different).toEqual([]);
});

test('after a command that is not understood, its key is read', () => {
  const { took } = watch();
  took(0, ...acquire(0));
  expect(took(1, `HINCRBYFLOAT k ${HOLDER} 1.5`).unread).toEqual(['k']);
  expect(took(2, ...acquire(2))).toMatchObject({ reported: [] });
  expect(took(3, 'RESTORE k 0 x REPLACE').reported).toEqual([]);
});

test.each(['COPY k l DB 1', 'COPY k l db 1 REPLACE', 'MOVE l 1'])(
  'after `%s`, the key in the other database is read',
  (command) => {
    const { took } = watch();
    took(0, ...acquire(0));
    took(1, command);
    took(2, 'SELECT 1');
    const next = [`HINCRBY l ${HOLDER} 1`, `PEXPIREAT l ${NOW_MS + 30_003}`];
    const { unread, reported } = took(3, ...next);
    expect(unread).toContain('l');
    expect(reported, 'it may have been held before').toEqual([]);
    took(4, 'SELECT 0');
    expect(took(5, `HINCRBY k ${HOLDER} 1`).reported).toEqual(['lock.reentered 2']);
  },
);

test('after SORT has stored its result in the key of a lock, this key is read', () => {
  const { took } = watch();
  took(0, ...acquire(0));
  expect(took(1, 'SORT list BY store GET k DESC').unread).toEqual([]);
  expect(took(2, `HINCRBY k ${HOLDER} 1`).reported).toEqual(['lock.reentered 2']);
  expect(took(3, 'SORT list LIMIT 0 5 ALPHA STORE k').unread).toEqual(['k']);
});

test.each([
  'MSET other 1 k 2',
  'MSETNX other 1 k 2',
  'BITOP AND k other',
  'GEORADIUS places 13 38 500 km STORE k',
  'GEORADIUSBYMEMBER places store 500 km STOREDIST k',
  'RPOPLPUSH list k',
  'LMOVE list k LEFT LEFT',
  'SMOVE set k member',
])('after `%s`, the key of a lock that it writes is read', (command) => {
  const { took } = watch();
  took(0, ...acquire(0));
  expect(took(1, command).unread).toEqual(['k']);
});

test.each(['MSET other k', 'BITOP AND other k', 'GEORADIUS k 13 38 500 km', 'GEORADIUSBYMEMBER k STORE 500 km'])(
  'after `%s`, which does not write the key of the lock, its changes are still known',
  (command) => {
    const { took } = watch();
    took(0, ...acquire(0));
    expect(took(1, command).unread).toEqual([]);
    expect(took(2, `HINCRBY k ${HOLDER} 1`).reported).toEqual(['lock.reentered 2']);
  },
);

test('a renamed lock is reported as found', () => {
  const { took } = watch();
  took(0, ...acquire(0));
  expect(took(1, 'RENAME k l').reported).toContain('lock.found');
});

test('changes belong to the selected database, which at first only a message from Lockscope to itself shows', () => {
  const { took } = watch();
  expect(took(0, 'SELECT 3').events).toEqual([]);
  expect(took(1, ...acquire(1)).events).toMatchObject([{ type: 'lock.acquired', db: 3 }]);
  const groups = new EffectGroups(PROBE, () => {});
  const at = redisTime(NOW_MS * 1000);
  expect(groups.add('DEL', ['DEL', 'k'], 1, at)).toBeUndefined();
  groups.add('PUBLISH', ['PUBLISH', PROBE.channel, ''], 2, at);
  expect(groups.add('DEL', ['DEL', 'k'], 3, at)).toMatchObject({ offset: 3, effects: [{ db: 0 }] });
});

test.each([
  ['REPLCONF GETACK *', 'waits'],
  ['EVALSHA abc 0', 'scripts'],
  ['PUBLISH __sentinel__:hello 127.0.0.1', 'sentinel'],
])('the effect %s ends the replication level because of "%s"', (line, why) => {
  const { took, ended } = watch();
  took(0, line);
  expect(ended).toEqual([why]);
});
