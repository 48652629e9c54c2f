import { expect, test } from 'vitest';
import { lockAt } from '../../../../testing/stories/lock-at.ts';
import { holderOf, seconds } from '../../../../testing/stories/story.ts';
import { plusMillis } from '../../../base/time.ts';
import type { KeyRead } from '../../../signals/signal.ts';
import type { LockEvent } from '../../event.ts';
import { Interpreter } from '../../interpreter.ts';

const HASH = { db: 0, name: 'k', type: 'hash', fields: { [holderOf('A')]: '1' }, subscribers: null, hasChanged: true };

/** The events of these reads at level `events`. Each read has its second and the TTL in ms. */
function eventsFromReads(...reads: readonly (readonly [at: number, pttl: number, other?: Partial<KeyRead>])[]) {
  const interpreter = new Interpreter({ source: 'test', hasCommands: false });
  return reads.flatMap(([at, pttl, other], n) => {
    const read: KeyRead = { ...HASH, pttl, ...(n === 0 ? { hasChanged: false } : undefined), ...other };
    return interpreter.interpret({ kind: 'bookmark', at: seconds(at), reads: [read] });
  });
}

const types = (events: readonly LockEvent[]) => events.map(({ type }) => type);

test('[K3] a lease end that differs by up to 4 ms in each of 50 reads is not a renewal', () => {
  const reads = Array.from({ length: 50 }, (_, n) => [n / 10, 600_000 - n * 100 + (n % 5) - 2] as const);
  expect(types(eventsFromReads(...reads))).toEqual(['lock.found']);
});

test('[K3] an end that is 30 ms later at each read is reported as a renewal once it is more than 100 ms later', () => {
  const reads = Array.from({ length: 10 }, (_, n) => [n / 10, 5000 - n * 100 + n * 30] as const);
  expect(types(eventsFromReads(...reads))).toEqual(['lock.found', 'lease.renewed', 'lease.renewed']);
});

test('[K3] a read that finds a later end of the lease reports a renewal', () => {
  const events = eventsFromReads([0, 30_000], [10, 30_000]);
  expect(events.slice(1)).toMatchObject([
    { type: 'lease.renewed', cause: 'watchdog', holder: holderOf('A'), expiresAt: plusMillis(seconds(10), 30_000) },
  ]);
});

test.each([
  [
    'sets another lease',
    [
      [0, 30_000],
      [10, 60_000],
    ],
  ],
  [
    'comes long before a third of the lease',
    [
      [0, 30_000],
      [2, 30_000],
    ],
  ],
  [
    'comes at the end of the lease',
    [
      [0, 30_000],
      [25, 30_000],
    ],
  ],
  [
    'sets another lease of a watchdog',
    [
      [0, 30_000],
      [10, 30_000],
      [20, 40_000],
    ],
  ],
] as const)('[K7] the cause of a renewal that only reads show is unknown if the renewal %s', (_, reads) => {
  const events = eventsFromReads(...reads);
  expect(events.at(-1)).toMatchObject({ type: 'lease.renewed', certainty: 'inferred' });
  expect(events.at(-1)).not.toHaveProperty('cause');
  expect(events.at(-1)).not.toHaveProperty('holder');
  const { holders } = lockAt(events, seconds(26));
  expect(holders).toMatchObject([{ renewals: reads.length - 2 }]);
});

test.each([
  [
    'a third of it',
    [
      [0, 6000],
      [2, 5990],
      [4.1, 5995],
    ],
  ],
  [
    'half of it',
    [
      [0, 6000],
      [3, 6000],
    ],
  ],
] as const)('[K7] a lease that reads show as renewed after %s is renewed by a watchdog', (_, reads) => {
  const [, ...renewed] = eventsFromReads(...reads);
  expect(renewed).toHaveLength(reads.length - 1);
  for (const event of renewed) expect(event).toMatchObject({ cause: 'watchdog', holder: holderOf('A') });
});

test('[K3] a read that finds an earlier end of the lease reports a shortened lease, not a renewal', () => {
  const events = eventsFromReads([0, 30_000], [1, 5000]);
  expect(types(events)).toEqual(['lock.found', 'lease.shortened']);
  const lock = lockAt(events, seconds(2));
  expect(lock.expiresAt).toBe(plusMillis(seconds(1), 5000));
  expect(lock.holders).toMatchObject([{ id: holderOf('A'), renewals: 0 }]);
});

test('[L7] a lease that PERSIST made endless is reported as renewed without an end, and its next end as shortened', () => {
  const events = eventsFromReads([0, 30_000], [1, -1], [60, -1], [70, 5000]);
  expect(events.slice(1)).toMatchObject([
    { type: 'lease.renewed', cause: 'command', expiresAt: null },
    { type: 'lease.shortened', hadNoEnd: true, expiresAt: plusMillis(seconds(70), 5000) },
  ]);
  expect(lockAt(events, seconds(60)).expiresAt).toBeNull();
});

test('[K4] after key events of an acquisition, the first read reports an acquisition only if one holder has hold count 1', () => {
  const first = (fields: KeyRead['fields'], hasChanged = true) =>
    types(eventsFromReads([0, 30_000, { fields, hasChanged }]));
  expect(first({ [holderOf('A')]: '1' })).toEqual(['lock.acquired']);
  expect(first({ [holderOf('A')]: '2' })).toEqual(['lock.found']);
  expect(first({ mode: 'read', [holderOf('A')]: '1', [holderOf('B')]: '1' })).toEqual(['lock.found']);
  expect(first({ [holderOf('A')]: '1' }, false)).toEqual(['lock.found']);
});

test('[K4] [K6] if reads find a lock held, then free, then held, it was released in an unknown way, then acquired', () => {
  const events = eventsFromReads(
    [0, 30_000],
    [1, -2, { type: 'none', fields: {} }],
    [2, 30_000, { hasChanged: false }],
  );
  expect(types(events)).toEqual(['lock.found', 'lock.released', 'lock.acquired']);
  expect(events[1]).toMatchObject({ how: 'unknown', certainty: 'inferred' });
});

test('[K1] without commands, a reader that leaves is released, and the lease is that of the readers that stay', () => {
  const [A, B] = [holderOf('A'), holderOf('B')];
  const events = eventsFromReads(
    [0, 30_000, { fields: { mode: 'read', [A]: '1', [B]: '1' } }],
    [10, 10_000, { fields: { mode: 'read', [B]: '1' } }],
  );
  expect(types(events)).toEqual(['lock.found', 'lock.released']);
  expect(lockAt(events, seconds(11)).expiresAt).toBe(plusMillis(seconds(10), 10_000));
});

test('[H6] a lock that a read finds in another database is reported as deleted in the first database, not as released', () => {
  const interpreter = new Interpreter({ source: 'test', hasCommands: false });
  const doubts: string[] = [];
  interpreter.onDoubt = ({ db, name }) => doubts.push(`${db}/${name}`);
  const read = (at: number, db: number, other?: Partial<KeyRead>) =>
    interpreter.interpret({
      ...{ kind: 'bookmark', at: seconds(at) },
      reads: [{ ...HASH, db, pttl: 30_000, hasChanged: false, ...other }],
    });
  const gone = { type: 'none', fields: {}, pttl: -2 } as const;
  expect(types([...read(0, 5), ...read(1, 6)])).toEqual(['lock.found', 'lock.found']);
  expect(doubts).toEqual(['5/k']);
  expect(read(1.1, 5, gone)).toMatchObject([
    { type: 'lock.deleted', db: 5, holder: holderOf('A'), certainty: 'inferred' },
  ]);
  expect(read(2, 6, gone)).toMatchObject([{ type: 'lock.released', db: 6 }]);
});

test('[H6] a lock that SWAPDB brings back to a database where it was free was not acquired there', () => {
  const free = { type: 'none', fields: {} } as const;
  const events = eventsFromReads(
    ...([
      [0, 30_000],
      [1, 29_000, { db: 9, hasChanged: false }],
      [1.1, -2, free],
    ] as const),
    ...([
      [5, 25_000, { hasChanged: false }],
      [5.1, -2, { ...free, db: 9 }],
    ] as const),
  );
  const found = (db: number) => ({ type: 'lock.found', db, holders: [{ holder: holderOf('A') }] });
  const deleted = (db: number) => ({ type: 'lock.deleted', db, holder: holderOf('A') });
  expect(events).toMatchObject([found(0), found(9), deleted(0), found(0), deleted(9)]);
});
