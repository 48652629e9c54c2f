import { expect, test } from 'vitest';
import { foldsFromEvents } from '../../testing/stories/folds-from-events.ts';
import { redisTime } from '../base/time.ts';
import { EVENT_TYPES, type LockEvent } from '../events/event.ts';
import { typesOf } from '../events/topics.ts';
import type { Fold } from './folds.ts';

/** Makes a list from types and fields; `at` is in ms. */
function listOf(...parts: readonly (Record<string, unknown> & { at: number; type: string })[]): LockEvent[] {
  return parts.map((part, n) => {
    const fields = { source: 's', db: 0, lock: 'orders:42', kind: 'lock', certainty: 'observed', holder: 'a:1' };
    return { ...fields, seq: n + 1, mode: 'exclusive', ...part, at: redisTime(part.at * 1000) } as unknown as LockEvent;
  });
}

const uuidOf = (digit: string) => `${digit.repeat(8)}-52c1-4e5a-9c1d-0242ac120002`;
const acquired = (at: number, more = {}) => ({ at, type: 'lock.acquired', ...more });
const released = (at: number, more = {}) => ({ at, type: 'lock.released', holdCount: 0, ...more });

/** 24 events of another lock in the 100 ms before `at`: enough for a busy list. They fold into nothing. */
const busy = (at: number) =>
  Array.from({ length: 24 }, (_, n) => ({ at: at - 100 + n, type: 'lock.reentered', lock: 'other', holder: 'x:9' }));

const textOf = (fold: Fold) => `${fold.what} ${fold.events.map(({ type }) => type).join(' ')}`;
/** The folded turns: the attempts, hold and release of a thread, as one row. */
const turnsIn = (events: readonly LockEvent[]) => foldsFromEvents(events).filter(({ what }) => what === 'turn');

test('in a busy list, the events from the first attempt of a thread to its wake-up message are one fold', () => {
  const events = listOf(
    ...busy(1000),
    { at: 1000, type: 'lock.refused' },
    { at: 1001, type: 'waiter.subscribed' },
    { at: 1004, type: 'lock.refused', asleep: true },
    acquired(1012, { waitedMs: 12 }),
    { at: 1013, type: 'waiter.unsubscribed' },
    released(1017),
    { at: 1017, type: 'wakeup.published', holder: undefined, because: [30] },
  );
  const [turn] = turnsIn(events);
  expect(turn).toMatchObject({ holder: 'a:1', heldMs: 5, waitedMs: 12, waitedAtLeast: false });
  expect(turn?.events.map(({ seq }) => seq)).toEqual([25, 26, 27, 28, 29, 30, 31]);
});

test('a folded hold shows if its wait may have begun unseen, and a hold that may be older is not folded', () => {
  const turnsOf = (more: object) => turnsIn(listOf(...busy(1000), acquired(1000, more), released(1005)));
  expect(turnsOf({ waitedMs: 12, waitedAtLeast: true })).toMatchObject([{ waitedMs: 12, waitedAtLeast: true }]);
  expect(turnsOf({ isOlder: true })).toEqual([]);
});

test('in a quiet list of events nothing is folded', () => {
  expect(foldsFromEvents(listOf(acquired(1000), released(1005)))).toEqual([]);
});

test('a hold longer than a second keeps its rows in the list of events', () => {
  expect(turnsIn(listOf(...busy(2500), acquired(1000), released(2500)))).toEqual([]);
});

test('attempts long before a short hold keep their rows in the list of events', () => {
  const [turn, ...more] = turnsIn(
    listOf({ at: 0, type: 'lock.refused' }, ...busy(4000), acquired(4000, { waitedMs: 4000 }), released(4010)),
  );
  expect(turn && textOf(turn)).toBe('turn lock.acquired lock.released');
  expect(turn).toMatchObject({ waitedMs: 4000 });
  expect(more).toEqual([]);
});

test('the folded hold of a writer that goes on reading ends with its last release', () => {
  const events = listOf(
    ...busy(1000),
    acquired(1000, { mode: 'write' }),
    acquired(1001, { mode: 'read' }),
    released(1002, { mode: 'write' }),
    released(1003, { mode: 'read' }),
  );
  expect(turnsIn(events).map(textOf)).toEqual(['turn lock.acquired lock.acquired lock.released lock.released']);
});

test('a hold after five attempts of its holder is not folded into one row', () => {
  const attempts = [1, 2, 3, 4, 5].map((attempt) => ({ at: 1000 + attempt, type: 'lock.refused', attempt }));
  expect(turnsIn(listOf(...busy(1000), ...attempts, acquired(1010), released(1015)))).toEqual([]);
  expect(turnsIn(listOf(...busy(1000), ...attempts.slice(0, 4), acquired(1010), released(1015)))).toHaveLength(1);
});

test('an end that was not seen as a release is not folded', () => {
  expect(turnsIn(listOf(...busy(1000), acquired(1000), released(1005, { how: 'unknown' })))).toEqual([]);
});

test.each(typesOf('trouble'))('a hold is not folded if the event %s is reported during it', (type) => {
  const lock = type === 'failover' || type === 'client.gone' ? '' : 'orders:42';
  for (const holder of ['a:1', 'b:2']) {
    expect(turnsIn(listOf(...busy(1000), acquired(1000), { at: 1001, type, holder, lock }, released(1005)))).toEqual(
      [],
    );
  }
});

test('a hold in which a blind spot begins is not folded', () => {
  const events = listOf(
    ...busy(1000),
    acquired(1000),
    { at: 1001, type: 'blind-spot.began', lock: '' },
    released(1005),
  );
  expect(turnsIn(events)).toEqual([]);
});

test('holds of different holders or locks are folded separately', () => {
  const events = listOf(
    ...busy(1000),
    acquired(1000),
    acquired(1001, { lock: 'stock' }),
    released(1002, { holder: 'b:2' }),
    released(1003, { lock: 'stock' }),
    released(1004),
  );
  expect(turnsIn(events).map(({ events }) => events.map(({ seq }) => seq))).toEqual([
    [25, 29],
    [26, 28],
  ]);
});

test('the renewals of one client that follow each other closely are one fold', () => {
  const renewed = (n: number, client: string, at: number) =>
    ({ at, type: 'lease.renewed', cause: 'watchdog', lock: `order:${n}`, holder: `${uuidOf(client)}:${n}` }) as const;
  const batch = Array.from({ length: 100 }, (_, n) => renewed(n, 'a', 1000 + n));
  const folds = foldsFromEvents(
    listOf(...batch, ...[1, 2, 3, 4].map((n) => renewed(n, 'b', 1100 + n)), {
      ...renewed(5, 'b', 1105),
      cause: 'command',
    }),
  );
  expect(folds).toMatchObject([{ what: 'renewals', client: uuidOf('a') }]);
  expect(folds[0]?.events).toHaveLength(100);
});

test('renewals every 10 ms are folded second by second', () => {
  const renewals = Array.from({ length: 300 }, (_, n) => ({ at: n * 10, type: 'lease.renewed', cause: 'watchdog' }));
  expect(foldsFromEvents(listOf(...renewals)).map(({ events }) => events.length)).toEqual([101, 101, 98]);
});

test('an event is in at most one fold, folds are in order, and a longer list keeps the turns of a shorter one', () => {
  const types = EVENT_TYPES.filter((type) => !type.startsWith('client') && !type.startsWith('blind'));
  let state = 7;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const usualTypes = ['lock.acquired', 'lock.released', 'lock.refused', 'lease.renewed'];
  const events = listOf(
    ...Array.from({ length: 3000 }, (_, n) => ({
      at: n * 3,
      type: (random(20) === 0 ? types[random(types.length)] : usualTypes[random(4)]) ?? 'lock.acquired',
      ...{ cause: 'watchdog', lock: `l${random(3)}`, holder: `c${random(3)}:1` },
    })),
  );
  const folds = foldsFromEvents(events);
  expect(folds.length).toBeGreaterThan(50);
  const seqs = folds.flatMap(({ events }) => events.map(({ seq }) => seq));
  expect(new Set(seqs).size).toBe(seqs.length);
  const firsts = folds.map(({ events }) => events[0]?.seq ?? 0);
  expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
  const trouble = new Set<string>(typesOf('trouble'));
  expect(folds.flatMap(({ events }) => events).filter(({ type }) => trouble.has(type))).toEqual([]);
  const turns = (list: readonly LockEvent[]) => turnsIn(list).map(({ events }) => events[0]?.seq);
  const shorter = turns(events.slice(0, 2000));
  expect(turns(events)).toEqual(expect.arrayContaining(shorter));
});
