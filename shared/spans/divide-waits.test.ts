import { describe, expect, test } from 'vitest';
import { holderOf, seconds, story, waitsAt } from '../../testing/stories/story.ts';
import type { LockEvent } from '../events/event.ts';
import type { HoldMode } from '../events/types/hold-event.ts';
import { lockIdOf } from '../state/lock-state.ts';
import type { LockSpans } from './blockers.ts';
import { WaitDivider, type WaitPart } from './divide-waits.ts';
import { EvictedHeadReader } from './evicted-heads.ts';
import { type Hold, holdsFromEvents } from './holds-from-events.ts';
import type { Wait } from './wait.ts';
import { waitsFromEvents } from './waits-from-events.ts';

function spansOf(...texts: string[]): LockSpans[] {
  return texts.map((text) => spansFrom(story(text)));
}

function spansFrom(events: readonly LockEvent[]): LockSpans {
  const [first] = events;
  if (!first) throw new Error('no events');
  const heads = new EvictedHeadReader();
  for (const event of events) heads.take(event);
  const kind = events.at(-1)?.kind ?? first.kind;
  return {
    id: lockIdOf(first),
    kind,
    holds: holdsFromEvents(events),
    waits: waitsFromEvents(events),
    heads: heads.heads,
  };
}

function divided(locks: readonly LockSpans[], lock: LockSpans, wait: Wait, from = 0, to = 60): WaitPart[] {
  const divider = new WaitDivider(locks, seconds(from), seconds(to));
  for (const _ of divider.prepare());
  return divider.divide(lock, wait);
}

/** The parts of the wait of an actor for the first lock, as `cause who ms`. */
function parts(locks: readonly LockSpans[], actor: string, from = 0, to = 60): string[] {
  const [lock] = locks;
  const wait = lock?.waits.find(({ holder }) => holder === holderOf(actor));
  if (!lock || !wait) throw new Error(`${actor} does not wait`);
  const people = new Map([...'ABCDE'].map((letter) => [holderOf(letter), letter]));
  return divided(locks, lock, wait, from, to).map((part) => {
    const who = people.get(part.hold?.holder ?? part.holder ?? '') ?? '-';
    return `${part.cause} ${who} ${part.lock.split('/').at(-1)} ${Math.round(part.micros / 1000)}`;
  });
}

const HAND_OVER = `x lease 30s
    0.000  A attempts acquired
    ${waitsAt('B', 1)}
    ${waitsAt('C', 2)}
    4.000  A releases
    4.200  B attempts acquired
    5.000  B releases
    5.100  C attempts acquired`;

describe('the parts of a wait', () => {
  test('a wait is divided into the holds it waited for, and the time until a message had woken the next thread', () => {
    expect(parts(spansOf(HAND_OVER), 'C')).toEqual(['hold A x 2000', 'hold B x 800', 'waking - x 300']);
  });

  test('a wait is divided only within the range that is asked for', () => {
    expect(parts(spansOf(HAND_OVER), 'C', 3, 4.1)).toEqual(['hold A x 1000', 'waking - x 100']);
  });

  test('the part of a wait before the first known hold is unseen, because the lock may have been held then', () => {
    const unseen = spansOf(`x lease 30s
    ${waitsAt('B', 1)}
    3.000  B attempts acquired`);
    expect(parts(unseen, 'B')).toEqual(['unseen - x 2000']);
  });

  test('a part of a wait is free time if the lease ended and no thread acquired the lock', () => {
    const expired = spansOf(`x lease 3s
    0.000  A attempts acquired
    ${waitsAt('B', 1)}
    5.000  B attempts acquired`);
    expect(parts(expired, 'B')).toEqual(['hold A x 2000', 'free - x 2000']);
  });

  test('a part of a wait belongs to the hold of another lock for which the holder itself waited', () => {
    const chain = spansOf(
      `x lease 30s
    0.000  A attempts acquired
    ${waitsAt('B', 1)}
    9.000  A releases
    9.100  B attempts acquired`,
      `y lease 30s
    0.000  C attempts acquired
    ${waitsAt('A', 3)}
    7.000  C releases
    7.500  A attempts acquired`,
    );
    expect(parts(chain, 'B')).toEqual(['hold C y 4000', 'hold A x 3500', 'waking - y 500', 'waking - x 100']);
  });

  test('a part of a wait belongs to a circle while the threads wait for each other', () => {
    const circle = spansOf(
      `x lease 30s\n    0.000  A attempts acquired\n${waitsAt('B', 1)}`,
      `y lease 30s\n    0.000  B attempts acquired\n${waitsAt('A', 3)}`,
    );
    expect(parts(circle, 'B', 0, 10)).toEqual(['circle - y 7000', 'hold A x 2000']);
  });
});

describe('waits of and for readers', () => {
  const hold = (actor: string, mode: HoldMode, from: number, to: number, fromSeq: number): Hold => ({
    holder: holderOf(actor),
    mode,
    from: seconds(from),
    isOpenStart: false,
    to: seconds(to),
    ended: 'released',
    deepest: 1,
    renewals: [],
    fromSeq,
    toSeq: null,
  });
  const wait = (actor: string, mode: HoldMode, from: number, to: number): Wait => ({
    holder: holderOf(actor),
    mode,
    from: seconds(from),
    isOpenStart: false,
    to: seconds(to),
    ended: 'message',
    attempts: 2,
    fromSeq: 99,
    toSeq: null,
  });
  const lock = {
    id: 'story/0/x',
    kind: 'read-write-lock',
    heads: [],
    holds: [hold('A', 'read', 0, 4, 1), hold('B', 'read', 0, 6, 2), hold('C', 'write', 6, 8, 3)],
  } as const;

  test('readers that a writer waits for share the time of its wait', () => {
    const writer = { ...lock, waits: [wait('C', 'write', 2, 6)] };
    expect(parts([writer], 'C')).toEqual(['hold B x 3000', 'hold A x 1000']);
  });

  test('a reader does not wait for other readers', () => {
    const reader = { ...lock, waits: [wait('D', 'read', 5, 9)] };
    expect(parts([reader], 'D')).toEqual(['hold C x 2000', 'unseen - x 1000', 'free - x 1000']);
  });

  // C writes, then D reads, then A writes
  const inTurns = {
    ...lock,
    holds: [hold('C', 'write', 0, 10, 1), hold('D', 'read', 10.005, 20, 2), hold('A', 'write', 20.1, 30, 3)],
    waits: [wait('D', 'read', 5, 10.005), wait('A', 'write', 12, 20.1)],
  };

  test('readers wake up when the writer releases, whether or not a writer comes later', () => {
    expect(parts([inTurns], 'D')).toEqual(['hold C x 5000', 'waking - x 5']);
    const alone = { ...inTurns, holds: inTurns.holds.slice(0, 2), waits: inTurns.waits.slice(0, 1) };
    expect(parts([alone], 'D')).toEqual(['hold C x 5000', 'waking - x 5']);
  });

  test('a reader that acquires ends a wake-up, because the lock is not free while it reads', () => {
    const wakeUps = (lock: LockSpans) => {
      const divider = new WaitDivider([lock], seconds(0), seconds(60));
      for (const _ of divider.prepare());
      return [...divider.wakeUps(lock)].map((micros) => Math.round(micros / 1000));
    };
    expect(wakeUps(inTurns)).toEqual([5, 100]);
    expect(wakeUps({ ...inTurns, waits: inTurns.waits.slice(0, 1) })).toEqual([5]);
  });
});

test('a wait for a permit is not divided between those that have permits', () => {
  const lock = spansFrom(story(HAND_OVER));
  expect(parts([{ ...lock, kind: 'semaphore' }], 'C')).toEqual(['unclear - x 3100']);
});

test('the wait for a free fair lock, until its queue head is evicted, is counted as time behind that head', () => {
  const lock = spansFrom(story(HAND_OVER));
  const heads = [{ holder: holderOf('E'), from: seconds(4.05), to: seconds(4.15) }];
  expect(parts([{ ...lock, heads }], 'C')).toEqual([
    ...['hold A x 2000', 'hold B x 800', 'waking - x 200', 'evicted-head E x 100'],
  ]);
});

test('a wait behind thousands of holds is divided completely, and the time of the last holds is unclear', () => {
  const text = ['x lease 30s', '0.000 A attempts acquired', waitsAt('B', 1)];
  const [lock] = spansOf(text.join('\n'));
  const [first] = lock?.holds ?? [];
  if (!lock || !first) throw new Error('no hold');
  const holds = Array.from({ length: 6000 }, (_, n): Hold => {
    const [from, to] = [n, n + 1].map((ms) => seconds(2 + ms / 1000));
    if (from === undefined || to === undefined) throw new Error('no time');
    return { ...first, from, to, ended: 'released', fromSeq: 10 + n };
  });
  const wait = { ...lock.waits[0], from: seconds(2), to: seconds(8) } as Wait;
  const hot = { ...lock, holds, waits: [wait] };
  const found = divided([hot], hot, wait);
  expect(found.reduce((sum, { micros }) => sum + micros, 0)).toBe(6_000_000);
  expect(found[0]).toMatchObject({ cause: 'unclear', micros: 1_000_000 });
});
