import { expect, test } from 'vitest';
import { holderOf, seconds, story, waitsAt } from '../../testing/stories/story.ts';
import { lockIdOf } from '../state/lock-state.ts';
import type { LockSpans } from './blockers.ts';
import { WaitDivider } from './divide-waits.ts';
import { holdsFromEvents } from './holds-from-events.ts';
import { WaitRanking } from './rank-waits.ts';
import { waitsFromEvents } from './waits-from-events.ts';

function spansOf(text: string): LockSpans {
  const events = story(text);
  const [first] = events;
  if (!first) throw new Error('no events');
  const { kind } = first;
  return { id: lockIdOf(first), kind, holds: holdsFromEvents(events), waits: waitsFromEvents(events), heads: [] };
}

test('the cost of a hold is the time of all waiters behind it, also of those that waited for a waiter', () => {
  const locks = [
    spansOf(`x lease 30s\n    0.000  A attempts acquired${waitsAt('B', 1)}${waitsAt('D', 2)}`),
    spansOf(`y lease 30s\n    0.000  C attempts acquired${waitsAt('A', 3)}`),
  ];
  const divider = new WaitDivider(locks, seconds(0), seconds(7));
  for (const _ of divider.prepare());
  const ranking = new WaitRanking(seconds(0));
  for (const lock of locks) for (const wait of lock.waits) ranking.add(lock, wait, divider.divide(lock, wait));
  const costs = [...ranking.holds.values()].map(({ hold, micros, waiters }) => [
    ...[hold.holder, Math.round(micros / 1000), waiters.size],
  ]);
  expect(costs.sort()).toEqual([
    [holderOf('A'), 3000, 2],
    [holderOf('C'), 12_000, 3],
  ]);
  expect(ranking.total.waits).toBe(3);
  expect(
    [...ranking.locks].map(([id, { waited, caused }]) => [id, Math.round(waited / 1e6), Math.round(caused / 1e6)]),
  ).toEqual([
    ['story/0/x', 11, 3],
    ['story/0/y', 4, 12],
  ]);
  expect(ranking.longestWaits(1)[0]).toMatchObject({ lock: 'story/0/x', wait: { holder: holderOf('B') } });
});

/** Whether costs in a range are lower limits: first the total, then the costs of locks, clients and holds. */
function limitsOf(from: number): (true | undefined)[] {
  const lock = spansOf(`x lease 30s
    0.000   redis snapshot A×1 20000
    5.000   B attempts refused
    20.002  B attempts refused
    21.000  A releases
    21.001  B attempts acquired`);
  const divider = new WaitDivider([lock], seconds(from), seconds(25));
  for (const _ of divider.prepare());
  const ranking = new WaitRanking(seconds(from));
  for (const wait of lock.waits) ranking.add(lock, wait, divider.divide(lock, wait));
  expect(ranking.total.waits).toBe(1);
  const costs = [ranking.total, ...ranking.locks.values(), ...ranking.clients.values(), ...ranking.holds.values()];
  return costs.map(({ isAtLeast }) => isAtLeast);
}

test('the cost of a wait whose beginning was not seen is a lower limit, unless the wait was seen before the range', () => {
  expect(limitsOf(0)).toEqual([true, true, true, true, true]);
  expect(limitsOf(10)).toEqual([undefined, undefined, undefined, undefined, undefined]);
});
