import { expect, test } from 'vitest';
import type { Lock } from '../locks/lock.ts';
import { byNeedOf } from './by-need.ts';
import type { WireInsight } from './insight.ts';

const lock = (name: string, since?: number) =>
  ({
    ...{ id: `redis/0/${name}`, source: 'redis', db: 0, name, held: true, holders: [], subscribers: 0 },
    waiters: since === undefined ? [] : [{ id: 'a:1', client: 'a', since, presumedGone: false }],
  }) as unknown as Lock; // the order reads only these fields

const insight = (
  of: string,
  severity: WireInsight['severity'],
  path: readonly string[] = [],
  to: number | null = null,
) =>
  ({
    ...{ source: 'redis', db: 0, lock: of, severity, to },
    values: { path: path.map((each) => ({ lock: each, lockId: `redis/0/${each}` })) },
  }) as unknown as WireInsight;

const order = (insights: WireInsight[], ...locks: Lock[]) => locks.sort(byNeedOf(insights)).map(({ name }) => name);

test('a lock with a critical problem is first, even one in the middle of a deadlock', () => {
  const found = [insight('d', 'warning'), insight('b', 'critical', ['b', 'c'])];
  expect(order(found, lock('a', 1), lock('d'), lock('c', 9), lock('b', 8))).toEqual(['b', 'c', 'd', 'a']);
});

test('locks without a problem are in the order of their oldest wait, then of the attention that their state needs', () => {
  expect(order([], lock('free'), lock('new', 9), lock('old', 2))).toEqual(['old', 'new', 'free']);
});

test('connections that listen for a held lock count as waiting since they were first seen', () => {
  const listened = { ...lock('listened'), listenedSince: 3 };
  expect(order([], lock('new', 9), listened, lock('old', 2))).toEqual(['old', 'listened', 'new']);
  expect(order([], { ...listened, held: false }, lock('new', 9))).toEqual(['new', 'listened']);
});

test('a problem that has ended does not move its lock up', () => {
  expect(order([insight('b', 'critical', [], 5)], lock('b'), lock('a', 1))).toEqual(['a', 'b']);
});
