import { expect, test } from 'vitest';
import type { Pulse, PulsePerson } from '../../../shared/wire/fleet/pulse.ts';
import { AT, heldBy, NOW, pulse, pulseRow, waitOf } from '../testing/pulses.ts';
import type { Heard } from './pulses.ts';
import { SpanningFinder } from './spanning.ts';

/** An instant this many seconds before the pulses, by the clock of the watched Redis. */
const ago = (seconds: number) => AT - seconds * 1_000_000;
const uuid = (n: number) => `0123abcd-0000-4000-8000-00000000000${n}`;

/* Two processes with a client for each server: thread 7 of `billing`, and thread 9 of `stock-svc`. */
const BILLING = { thread: '7', name: 'billing', host: '10.0.0.7' };
const STOCK = { thread: '9', name: 'stock-svc', host: '10.0.0.8' };
const [billingA, billingB] = [
  { client: uuid(1), ...BILLING },
  { client: uuid(2), ...BILLING },
];
const [stockA, stockB] = [
  { client: uuid(3), ...STOCK },
  { client: uuid(4), ...STOCK },
];

/**
 * Lock A of server 1 is held by `billing` and wanted by `stock-svc`; lock B of server 2 is held and wanted the other
 * way round.
 */
const lockA = pulseRow('A', { holders: [heldBy(billingA, ago(40))], sleepers: [waitOf(stockA, ago(30))] });
const lockB = pulseRow('B', { holders: [heldBy(stockB, ago(40))], sleepers: [waitOf(billingB, ago(20))] });
const pulseOne = pulse('one', { rows: [lockA] });
const pulseTwo = pulse('two', { rows: [lockB] });

/** Pulse number `n` of the same source, a second after the one before. */
function later({ rows, ...rest }: Pulse, n: number, more: Partial<Pulse> = {}): Pulse {
  return { ...rest, rows, number: n, after: n - 1, at: AT + (n - 1) * 1_000_000, ...more };
}

/** Gives the finder these pulses, and waits until it has concluded. */
function take(finder: SpanningFinder, heard: readonly Heard[], areNewest = true): void {
  const work = finder.take(new Map(heard.map((each) => [each.pulse.name, each])), NOW, areNewest);
  while (!work.next().done) {
    // its work is in slices
  }
}

/** What is concluded after each of these readings of the bus. */
function readings(...rounds: readonly (readonly Pulse[])[]) {
  const finder = new SpanningFinder();
  return rounds.map((pulses) => {
    take(
      finder,
      pulses.map((each) => ({ pulse: each, heardMs: NOW })),
    );
    return finder.latest;
  });
}

/** What is concluded about sources that show the same for four seconds. */
function lasting(...pulses: readonly Pulse[]) {
  const rounds = readings(...[1, 2, 3, 4].map((n) => pulses.map((each) => later(each, n))));
  return rounds.at(-1) as (typeof rounds)[number]; // there are four rounds
}

test('two threads that wait for each other over two sources are a deadlock, with both sources, locks and threads', () => {
  const { circles, cannotTell } = lasting(pulseOne, pulseTwo);
  expect(circles).toHaveLength(1);
  expect(circles[0]).toMatchObject({ incident: 'abba-deadlock', confidence: 'likely', sameBy: 'name', forMs: 23_000 });
  expect(circles[0]?.steps.map(({ name, lock, waiter, holder }) => [name, lock, waiter.client, holder.client])).toEqual(
    [
      ['two', 'B', uuid(2), uuid(4)],
      ['one', 'A', uuid(3), uuid(1)],
    ],
  );
  expect(cannotTell).toEqual([]);
});

test('clients with the same id on two sources are one process', () => {
  const same = (row: Pulse['rows'][number], holder: string, waiter: string) => ({
    ...row,
    holders: row.holders.map((each) => ({ ...each, client: holder, name: null })),
    sleepers: row.sleepers.map((each) => ({ ...each, client: waiter, name: null })),
  });
  const pulses = [
    pulse('one', { rows: [same(lockA, uuid(1), uuid(3))] }),
    pulse('two', { rows: [same(lockB, uuid(3), uuid(1))] }),
  ];
  expect(lasting(...pulses).circles).toMatchObject([{ sameBy: 'id' }]);
});

test('a deadlock is reported only once every source has sent a pulse that began after the first reading', () => {
  const at = (n: number, m: number) => [later(pulseOne, n), later(pulseTwo, m)];
  const circles = readings(at(1, 1), at(2, 2), at(3, 2), at(4, 2), at(4, 3)).map((each) => each.circles.length);
  expect(circles).toEqual([0, 0, 0, 0, 1]);
});

test('a hold that ended before the wait of the other source began is not part of a deadlock', () => {
  // the newest pulse of `one` is from before its hold ended; that of `two` has a wait that began after that
  const withoutWait = { ...pulseTwo, rows: [{ ...lockB, sleepers: [] }] };
  const free = { ...pulseOne, rows: [pulseRow('A', { sleepers: lockA.sleepers })] };
  const rounds = readings(
    [later(pulseOne, 1), later(withoutWait, 1)],
    [later(pulseOne, 1), later(pulseTwo, 2)], // both edges are shown, but were never true at one time
    [later(pulseOne, 1), later(pulseTwo, 3)],
    [later(pulseOne, 1), later(pulseTwo, 4)],
    [later(free, 2), later(pulseTwo, 5)],
    [later(free, 3), later(pulseTwo, 6)],
  );
  expect(rounds.map((each) => each.circles.length)).toEqual([0, 0, 0, 0, 0, 0]);
});

test('a thread that released its lock and acquired it again has not held it all the time', () => {
  const again = { ...pulseOne, rows: [{ ...lockA, holders: [heldBy(billingA, ago(25))] }] };
  const rounds = readings([later(pulseOne, 1), later(pulseTwo, 1)], [later(again, 3), later(pulseTwo, 3)]);
  expect(rounds.at(-1)?.circles).toEqual([]);
});

test('a thread that stopped waiting and waits again has not waited all the time', () => {
  const again = { ...pulseTwo, rows: [{ ...lockB, sleepers: [waitOf(billingB, ago(12))] }] };
  const rounds = readings([later(pulseOne, 1), later(pulseTwo, 1)], [later(pulseOne, 3), later(again, 3)]);
  expect(rounds.at(-1)?.circles).toEqual([]);
});

test('a pulse that is behind its server proves nothing about the time after the first reading', () => {
  const slow = pulseTwo.sources.map((source) => ({ ...source, lagMs: 5000 }));
  const lagging = (n: number) => [later(pulseOne, n), later(pulseTwo, n, { sources: slow })];
  const rounds = readings(...[1, 2, 3, 4, 7, 8].map(lagging));
  expect(rounds.map((each) => each.circles.length)).toEqual([0, 0, 0, 0, 0, 1]);
});

test('a deadlock that was not yet confirmed by a second reading is not reported while the bus does not answer', () => {
  const finder = new SpanningFinder();
  const read = (n: number, areNewest: boolean) => {
    take(
      finder,
      [later(pulseOne, n), later(pulseTwo, n)].map((each) => ({ pulse: each, heardMs: NOW })),
      areNewest,
    );
    return finder.latest.circles.length;
  };
  expect([read(1, false), read(4, true), read(4, true), read(6, true)]).toEqual([0, 0, 0, 1]);
});

test('after a restart of an observer, a deadlock is reported only at the third reading', () => {
  const restarted = { ...pulseTwo, run: 2 };
  const rounds = readings(
    [later(pulseOne, 1), later(pulseTwo, 1)],
    [later(pulseOne, 3), later(restarted, 3)],
    [later(pulseOne, 4), later(restarted, 4)],
    [later(pulseOne, 5), later(restarted, 5)],
  );
  expect(rounds.map((each) => each.circles.length)).toEqual([0, 0, 0, 1]);
});

test('a circle that began seconds ago is not reported: it may consist of multi locks, which end by themselves', () => {
  const young = { ...pulseTwo, rows: [{ ...lockB, sleepers: [waitOf(billingB, ago(5))] }] };
  expect(lasting(pulseOne, young).circles).toEqual([]);
});

test('a wait that began before a blind spot may have ended during it', () => {
  const blind = pulseTwo.sources.map((source) => ({ ...source, watchedSince: ago(10) }));
  expect(lasting(pulseOne, { ...pulseTwo, sources: blind, unseenWaits: ['blind-spot'] })).toMatchObject({
    circles: [],
    cannotTell: [{ name: 'two', reasons: ['blind-spot'] }],
  });
});

test('clients are one process only if no other client has the same name and host', () => {
  const seenAs = (more: Partial<PulsePerson>) => {
    const sleepers = lockB.sleepers.map((each) => ({ ...each, ...more }));
    const { circles, cannotTell } = lasting(pulseOne, pulse('two', { rows: [{ ...lockB, sleepers }] }));
    return { circles: circles.length, reasons: cannotTell.find(({ name }) => name === 'two')?.reasons };
  };
  expect(seenAs({})).toEqual({ circles: 1, reasons: undefined });
  expect(seenAs({ host: '10.0.0.9' })).toEqual({ circles: 0, reasons: undefined });
  expect(seenAs({ hasTwin: true })).toEqual({ circles: 0, reasons: ['processes'] });
  expect(seenAs({ name: null })).toEqual({ circles: 0, reasons: ['processes'] });
});

test('other threads of the same processes are not part of a deadlock', () => {
  const other = { ...lockB, sleepers: lockB.sleepers.map((each) => ({ ...each, thread: '8' })) };
  expect(lasting(pulseOne, pulse('two', { rows: [other] })).circles).toEqual([]);
});

test('a circle within one source is reported by its observer only', () => {
  const both = pulse('one', {
    rows: [lockA, { ...lockB, holders: [heldBy(stockA, ago(40))], sleepers: [waitOf(billingA, ago(20))] }],
  });
  expect(lasting(both, pulse('two')).circles).toEqual([]);
});

test('a circle that is excluded only by the clocks of the sources is not reported, and its sources are listed as unknown', () => {
  // by its own clock, `one` saw the hold begin after the wait of `two`
  const ahead = { ...pulseOne, rows: [{ ...lockA, holders: [heldBy(billingA, ago(19))] }] };
  expect(lasting(ahead, pulseTwo)).toMatchObject({
    circles: [],
    cannotTell: [
      { name: 'one', reasons: ['clocks'] },
      { name: 'two', reasons: ['clocks'] },
    ],
  });
});

test('what could not be seen at a source is reported', () => {
  const finder = new SpanningFinder();
  const lost = pulseTwo.sources.map((source) => ({ ...source, status: 'reconnecting' as const }));
  const heard = [
    { pulse: pulse('silent'), heardMs: NOW - 60_000 },
    { pulse: pulse('lost', { sources: lost }), heardMs: NOW },
    { pulse: pulse('cut', { moreWaits: 1 }), heardMs: NOW },
    { pulse: pulse('events', { unseenWaits: ['level'] }), heardMs: NOW },
    { pulse: pulse('whole'), heardMs: NOW },
  ];
  take(finder, heard);
  expect(finder.latest.cannotTell).toEqual([
    { name: 'silent', reasons: ['silent'] },
    { name: 'lost', reasons: ['unwatched'] },
    { name: 'cut', reasons: ['beyond-pulse'] },
    { name: 'events', reasons: ['level'] },
  ]);
});

const TOKEN = { client: 'a1b2c3d4e5f6a7b8c9d0', thread: null };
const tokenRow = (client: string, since: number) =>
  pulseRow('red', { kind: 'token-lock', library: 'redlock', holders: [heldBy({ ...TOKEN, client }, since)] });

test('one lock with one token on several sources is a RedLock', () => {
  const on = (name: string, since: number) => pulse(name, { rows: [tokenRow(TOKEN.client, since)] });
  const { redLocks, circles } = lasting(on('one', ago(20)), on('two', ago(19.99)), pulse('three'));
  expect(circles).toEqual([]);
  expect(redLocks).toMatchObject([
    { lock: 'red', on: [{ name: 'one' }, { name: 'two' }], notOn: [], isMajority: true },
  ]);
});

test('a RedLock whose servers have one observer is reported by that observer only', () => {
  const row = tokenRow(TOKEN.client, ago(20));
  const both = pulse('one', { rows: [row, { ...row, id: 'other/0/red', source: 'other' }] });
  expect(
    lasting(both, pulse('two', { rows: [pulseRow('red', { holders: [heldBy(billingA, ago(9))] })] })).redLocks,
  ).toEqual([]);
});

test('whether a RedLock has the majority is reported only if the sources show it', () => {
  const on = (name: string, token: string) => pulse(name, { rows: [tokenRow(token, ago(20))] });
  const majority = (...pulses: Pulse[]) => lasting(...pulses).redLocks.map(({ isMajority }) => isMajority);
  const other = 'ffffffffffffffffffff';
  const [a, b] = [on('a', TOKEN.client), on('b', TOKEN.client)];
  expect(majority(a, b, pulse('c'), pulse('d'))).toEqual([null]);
  expect(majority(a, b, on('c', other), on('d', other))).toEqual([false, false]);
});

test('holds with the same thread number are a RedLock of Redisson only if they began at about the same time', () => {
  const on = (name: string, client: string, since: number) =>
    pulse(name, { rows: [pulseRow('red', { holders: [heldBy({ client, thread: '7' }, since)] })] });
  const found = (since: number) => lasting(on('one', uuid(1), ago(20)), on('two', uuid(2), since)).redLocks.length;
  expect(found(ago(19.95))).toBe(1);
  expect(found(ago(15))).toBe(0); // two threads that have nothing to do with each other
});

test('a client that holds and waits on several sources is listed with its client id on each', () => {
  const { clients } = lasting(pulseOne, pulseTwo);
  expect(clients).toEqual([
    {
      ...{ sameBy: 'name', connection: 'billing', host: '10.0.0.7' },
      on: [
        { name: 'one', source: 'main', client: uuid(1), locks: 1 },
        { name: 'two', source: 'main', client: uuid(2), locks: 1 },
      ],
    },
    {
      ...{ sameBy: 'name', connection: 'stock-svc', host: '10.0.0.8' },
      on: [
        { name: 'one', source: 'main', client: uuid(3), locks: 1 },
        { name: 'two', source: 'main', client: uuid(4), locks: 1 },
      ],
    },
  ]);
});

test('a lock that a client both holds and waits for is counted once', () => {
  const upgrade = { ...lockA, sleepers: [waitOf(billingA, ago(30))] };
  expect(lasting(pulse('one', { rows: [upgrade] }), pulseTwo).clients[0]?.on[0]).toMatchObject({
    name: 'one',
    locks: 1,
  });
});
