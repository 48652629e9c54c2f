import { describe, expect, test } from 'vitest';
import { readWriteStory } from '../../testing/stories/read-write-story.ts';
import { eventsFromScripts, script } from '../../testing/stories/script-story.ts';
import { holderOf, reported, seconds } from '../../testing/stories/story.ts';
import { goldens } from '../../testing/traces/read-trace.ts';
import { eventsFromTrace, signalsFromTrace, stepsFromSignals } from '../../testing/traces/trace-file.ts';
import type { LockEvent } from './event.ts';
import { Interpreter } from './interpreter.ts';

const [A, B] = [holderOf('A'), holderOf('B')];
const ofType = (events: readonly LockEvent[], type: LockEvent['type']) => events.filter((each) => each.type === type);

test('[R1] several readers hold the lock, each with a hold count and one timeout key per count', () => {
  const events = readWriteStory(`
    0.000  A reads
    1.000  B reads
    2.000  A reads
    3.000  A unlocks read
    4.000  A unlocks read
    5.000  B unlocks read
  `);
  expect(reported(events)).toEqual([
    'lock.acquired A ×1',
    'lock.acquired B ×1',
    'lock.reentered A ×2',
    'lock.partially-released A ×1',
    'lock.released A ×0',
    'lock.released B ×0',
    'wakeup.published',
  ]);
  expect(events[2]).toMatchObject({ readTimeouts: [{ holder: A, ends: [seconds(6), seconds(8)] }] });
  expect(events[3]).toMatchObject({ readTimeouts: [{ holder: A, ends: [seconds(6)] }], expiresAt: seconds(7) });
  expect(events[4]).toMatchObject({ mode: 'read', expiresAt: seconds(7) });
  expect(events[6]).toMatchObject({ message: '0', because: [events[5]?.seq] });
});

test('[R2] readers block a writer, even if it is the reading thread, and a writer blocks a reader', () => {
  const events = readWriteStory(`
    0.000  A reads
    0.100  A writes
    0.200  B writes
    1.000  A unlocks read
    2.000  B writes
    2.100  A reads
  `);
  expect(ofType(events, 'lock.refused')).toMatchObject([
    { holder: A, mode: 'write', heldFor: 'read', ttlMs: 5900 },
    { holder: holderOf('B'), mode: 'write', heldFor: 'read' },
    { holder: A, mode: 'read', heldFor: 'write', ttlMs: 5900 },
  ]);
});

test('[L8] a renewal of several read holds to an earlier end than before shortens all of them', () => {
  const renewal = (ms: number) => {
    const moves = [A, B].flatMap((holder) => [`hget a ${holder}`, `pexpire {a}:${holder}:rwlock_timeout:1 ${ms}`]);
    return script('a', 'a a', `${ms} 2 ${A} ${B}`, ...moves, `pexpire a ${ms}`);
  };
  const events = eventsFromScripts([renewal(30_000), renewal(1000), renewal(2000)]);
  const [renewed, shortened] = ['lease.renewed', 'lease.shortened'];
  expect(events.map(({ type }) => type)).toEqual([renewed, renewed, shortened, shortened, renewed, renewed]);
});

test('[R3] the leases of a re-entering writer add up', () => {
  const events = readWriteStory(`
    0.000  A writes
    1.000  A writes
    2.000  A unlocks write
    3.000  A renews write
    4.000  A unlocks write
  `);
  expect(reported(events)).toEqual([
    'lock.acquired A ×1',
    'lock.reentered A ×2',
    'lock.partially-released A ×1',
    'lease.renewed A',
    'lock.released A ×0',
    'wakeup.published',
  ]);
  expect(events[1]).toMatchObject({ mode: 'write', leaseMs: 11_000, expiresAt: seconds(12) });
  expect(events[2]).toMatchObject({ leaseMs: 6000, expiresAt: seconds(8) });
  expect(events[3]).toMatchObject({ kind: 'read-write-lock', mode: 'write' });
  expect(events[5]).toMatchObject({ message: '1' });
});

test('[R4] a downgrade publishes no message, and is the cause of an acquisition by a waiter’s own timer', () => {
  const events = readWriteStory(`
    0.000  A writes
    0.500  B reads
    0.501  B subscribes
    0.502  B reads
    1.000  A reads
    2.000  A unlocks write
    6.503  B reads
  `);
  const release = ofType(events, 'lock.released')[0];
  expect(release).toMatchObject({ mode: 'write', isDowngrade: true, expiresAt: seconds(7) });
  expect(ofType(events, 'wakeup.published')).toEqual([]);
  expect(events.at(-1)).toMatchObject({
    type: 'lock.acquired',
    mode: 'read',
    wokenBy: 'own-timer',
    because: [release?.seq],
  });
});

test('[R5] the message of a writer wakes both sleepers of a client', () => {
  const events = readWriteStory(`
    0.000  A writes
    0.100  B reads
    0.101  B subscribes
    0.102  B reads
    0.103  B2 reads
    0.104  B2 reads
    1.000  A unlocks write
    1.001  B reads
    1.002  B2 reads
  `);
  expect(events.slice(-2)).toMatchObject([
    { type: 'lock.acquired', holder: holderOf('B'), wokenBy: 'message' },
    { type: 'lock.acquired', holder: holderOf('B2'), wokenBy: 'message' },
  ]);
});

test('[R6] the release of the last reader with a timeout key also ends the holds of readers without a timeout key', () => {
  const events = readWriteStory(`
    0.000  A reads
    1.000  B reads
    4.000  B renews read
    7.000  B unlocks read
    7.500  A unlocks read
  `);
  expect(reported(events)).toEqual([
    'lock.acquired A ×1',
    'lock.acquired B ×1',
    'lease.renewed B',
    'lease.expired A (inferred)',
    'lock.released B ×0',
    'wakeup.published',
    'unlock.refused A expired',
    'wakeup.published',
  ]);
  expect(ofType(events, 'lease.expired')).toMatchObject([{ holder: A, mode: 'read', at: seconds(6) }]);
});

test('[R7] a thread that writes and reads has two holds, each with its own count', () => {
  const events = readWriteStory(`
    0.000  A writes
    1.000  A reads
    2.000  A reads
    3.000  A unlocks read
    4.000  A unlocks read
    5.000  A unlocks write
  `);
  expect(events.map((event) => ('mode' in event ? `${event.type} ${event.mode}` : event.type))).toEqual([
    'lock.acquired write',
    'lock.acquired read',
    'lock.reentered read',
    'lock.partially-released read',
    'lock.released read',
    'lock.released write',
    'wakeup.published',
  ]);
});

test('[H6] the DEL of a key names each of its holders once', () => {
  const events = readWriteStory(`
    0.000  A writes
    0.500  A reads
    1.000  - command DEL catalog
  `);
  expect(events.at(-1)).toMatchObject({ type: 'lock.deleted', holder: A, holders: [A] });
});

describe('[R8] a renewal by a reader', () => {
  const renewalsOf = (folder: string, name: string) => {
    const golden = goldens().find((each) => each.folder === folder && each.name === name);
    return golden ? ofType(eventsFromTrace(golden.trace(), golden.isPushFirst), 'lease.renewed') : [];
  };

  test.each([
    ['redisson-3.16.8', 2],
    ['redisson-3.27.2', 2],
    ['redisson-4.7.0', 1],
  ])('[R8] with %s, the number of readers whose timeout keys a renewal by one reader moves is %i', (folder, whose) => {
    const [first] = renewalsOf(folder, 'read-write');
    expect(first).toMatchObject({ mode: 'read' });
    const moved = first?.type === 'lease.renewed' ? (first.readTimeouts ?? []) : [];
    expect(moved).toHaveLength(whose);
    for (const { ends } of moved) for (const end of ends) expect(end).toBeGreaterThan(first?.at ?? 0);
  });

  test('[R8] up to Redisson 3.8.0, a renewal by a reader moves no timeout key', () => {
    const [first] = renewalsOf('redisson-3.5.7', 'read-write');
    expect(first).toMatchObject({ mode: 'read' });
    expect(first).not.toHaveProperty('readTimeouts');
  });
});

describe('[S1] [V2] a read-write lock found in Redis', () => {
  const read = (fields: Record<string, string>) => {
    const interpreter = new Interpreter({ source: 'story' });
    const bare = { db: 0, name: 'catalog', type: 'hash', pttl: 5000, hasChanged: false, subscribers: null };
    return interpreter.interpret({ kind: 'bookmark', at: seconds(0), reads: [{ ...bare, fields }] });
  };

  test('[S1] [V2] a read-write lock that a read found is reported with its kind, its readers and its writer', () => {
    const events = read({ mode: 'write', [`${A}:write`]: '2', [A]: '1' });
    expect(events).toMatchObject([
      {
        type: 'lock.found',
        kind: 'read-write-lock',
        holders: [
          { holder: A, holdCount: 2, mode: 'write' },
          { holder: A, holdCount: 1, mode: 'read' },
        ],
      },
    ]);
  });

  test.each([
    ['an unknown mode', { mode: 'dark', [A]: '1' }],
    ['a writer without a mode', { [`${A}:write`]: '1' }],
    ['a mode without a holder', { mode: 'read' }],
  ])('[S1] [V2] a hash with %s is not a read-write lock', (_what, fields: Record<string, string>) => {
    expect(read(fields)).toEqual([]);
  });
});

test('[K1] without commands, a new reader does not count as a renewal of the other readers', () => {
  const interpreter = new Interpreter({ source: 'story', hasCommands: false });
  const bare = { db: 0, name: 'catalog', type: 'hash', hasChanged: true, subscribers: null };
  const read = (at: number, pttl: number, holds: Record<string, string>) =>
    interpreter.interpret({
      kind: 'bookmark',
      at: seconds(at),
      reads: [{ ...bare, pttl, fields: { mode: 'read', ...holds } }],
    });
  expect(reported(read(0, 6000, { [A]: '1' }))).toEqual(['lock.acquired A ×1 (inferred)']);
  expect(reported(read(1, 6000, { [A]: '1', [B]: '1' }))).toEqual(['lock.acquired B ×1 (inferred)']);
  expect(reported(read(3, 6000, { [A]: '1', [B]: '1' }))).toEqual(['lease.renewed (inferred)']);
  expect(reported(read(4, 5000, { [B]: '1' }))).toEqual(['lock.released A ×0 (inferred)']);
  expect(reported(read(5, 6000, { [B]: '1' }))).toEqual(['lease.renewed B (inferred)']);
});

test('[S2] a read that agrees with the known state of a read-write lock reports no events', () => {
  const golden = goldens().find(({ folder, name }) => folder === 'redisson-4.7.0' && name === 'read-write');
  const steps = golden ? stepsFromSignals(signalsFromTrace(golden.trace()), true) : [];
  const interpreter = new Interpreter({ source: 'story' });
  const until = steps.findIndex((step) => step.kind === 'command' && step.head.words[0] === 'SUBSCRIBE');
  const events = steps.slice(0, until + 1).flatMap((step) => interpreter.interpret(step));
  const [one, two] = ofType(events, 'lock.acquired').map((event) => ('holder' in event ? (event.holder ?? '') : ''));
  const key = interpreter.keys.find(0, 'catalog');
  const read = {
    ...{ db: 0, name: 'catalog', type: 'hash', hasChanged: false, subscribers: 1 },
    fields: { mode: 'read', [one ?? '']: '2', [two ?? '']: '1' },
    channel: 'redisson_rwlock:{catalog}',
    pttl: ((key?.expiresAt ?? 0) - (events.at(-1)?.at ?? 0)) / 1000,
  };
  expect(interpreter.interpret({ kind: 'bookmark', at: events.at(-1)?.at ?? seconds(0), reads: [read] })).toEqual([]);
});

test.each([
  ['looks successful to its caller without an unlock latch (3.23 and before)', '', true],
  ['is refused with an unlock latch (3.24 and later)', ' redisson_unlock_latch:{a}:0', undefined],
])('[L6] the unlock of a missing lock by an unknown script %s', (_, latch, callerSawSuccess) => {
  const channel = 'redisson_rwlock:{a}';
  const unlock = script('a', `a ${channel}${latch}`, `1 30000 ${A}:write`, 'hget a mode', `publish ${channel} 1`);
  const [refused, published] = eventsFromScripts([unlock]);
  expect(refused).toMatchObject({ type: 'unlock.refused', holder: A, reason: 'no-lock' });
  expect(refused && 'callerSawSuccess' in refused ? refused.callerSawSuccess : undefined).toBe(callerSawSuccess);
  expect(published?.type).toBe('wakeup.published');
});

test('[R1] a reader of 3.3.1 and before, without its own timeout keys, re-enters too', () => {
  const attempt = (...ran: string[]) => script('a', 'a', `30000 ${A} ${A}:write`, 'hget a mode', ...ran);
  const events = eventsFromScripts([
    attempt('hset a mode read', `hset a ${A} 1`, 'pexpire a 30000'),
    attempt(`hincrby a ${A} 1`, 'pexpire a 30000'),
  ]);
  expect(reported(events)).toEqual(['lock.acquired A ×1', 'lock.reentered A ×2']);
});
