import { describe, expect, test } from 'vitest';
import { merged } from '../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story } from '../../testing/stories/story.ts';
import type { ObserveLevel } from '../base/observe-level.ts';
import type { LockEvent } from '../events/event.ts';
import { World } from '../state/world.ts';
import { MOST_NODES } from './graph-drawing.ts';
import type { Lack } from './insight.ts';
import { MOST_CYCLES, type WaitGraph, waitGraph } from './wait-graph.ts';

const [A, B, C] = [holderOf('A'), holderOf('B'), holderOf('C')];

/** The graph at an instant of a world that is made from these events. */
function graphAt(
  events: readonly LockEvent[],
  at: number,
  level: ObserveLevel = 'monitor',
  gone = '',
  lacks: readonly Lack[] = [],
): WaitGraph {
  const world = new World();
  for (const event of events) if (event.at <= seconds(at)) world.apply(event);
  const work = waitGraph({
    at: seconds(at),
    locks: [...world.entries()].map(([, lock]) => lock),
    sources: new Map([['story', { level, watchedSince: seconds(-60), lacks }]]),
    clientOf: (_, client) => ({ presence: gone.startsWith(client) ? 'gone' : 'unknown', goneSince: null }),
  });
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** One thread acquires a lock at second 0. From second `at` on, other threads begin to wait, one after another. */
function wanted(lock: string, holder: string, waiters: readonly string[], at: number, after = ''): LockEvent[] {
  const waits = waiters.map((who, n) => {
    const time = (at + n / 1000).toFixed(6);
    return `${time} ${who} attempts refused\n ${time} ${who} subscribes\n ${time} ${who} attempts refused`;
  });
  return story(`${lock} lease 30s\n 0.000 ${holder} attempts acquired\n ${waits.join('\n ')}\n${after}`);
}

const edgesOf = ({ edges }: WaitGraph) => edges.map(({ from, kind, to }) => `${from} ${kind} ${to}`).sort();

describe('the graph of waiting threads', () => {
  test('has only the locks that are waited for, with their holders and waiters', () => {
    const graph = graphAt(merged(wanted('x', 'A', ['B', 'C'], 1), wanted('idle', 'B', [], 0)), 5);
    expect(edgesOf(graph)).toEqual([
      `lock story/0/x holds thread ${A}`,
      `thread ${B} waits lock story/0/x`,
      `thread ${C} waits lock story/0/x`,
    ]);
    expect(graph.nodes).toContainEqual(
      expect.objectContaining({ kind: 'lock', lock: 'x', lockKind: 'lock', holders: 1, waiters: 2 }),
    );
    expect(graph).toMatchObject({
      cycles: [],
      isByClient: false,
      more: { nodes: 0, edges: 0, cycles: 0 },
      cannotTell: [],
    });
  });

  test('a cycle has its path, the lease that breaks it, and the hold of the thread that closed it', () => {
    const events = merged(wanted('x', 'A', ['B'], 1), wanted('y', 'B', ['A'], 3));
    const [cycle, ...others] = graphAt(events, 15).cycles;
    expect(others).toEqual([]);
    expect(cycle).toEqual({
      path: [
        { holder: A, lockId: 'story/0/y', lock: 'y', heldBy: B },
        { holder: B, lockId: 'story/0/x', lock: 'x', heldBy: A },
      ],
      from: seconds(3.000_003),
      breaksAt: seconds(30.000_003),
      breaksBy: 'lease',
      release: { holder: A, lockId: 'story/0/x', lock: 'x' },
    });
  });

  test('no lease breaks a cycle of renewed locks, which ends when a lock is released', () => {
    const renewed = (who: string) => ` 10.000 ${who} renews\n 20.000 ${who} renews\n`;
    const released = `${renewed('A')} 25.000 A releases\n 25.001 B attempts acquired`;
    const events = merged(wanted('x', 'A', ['B'], 1, released), wanted('y', 'B', ['A'], 3, renewed('B')));
    expect(graphAt(events, 24).cycles).toMatchObject([{ breaksAt: null, breaksBy: null }]);
    expect(graphAt(events, 25.5).cycles).toEqual([]);
  });

  test('a thread of a client that is gone does not wait', () => {
    const events = merged(wanted('x', 'A', ['B'], 1), wanted('y', 'B', ['A'], 3));
    const graph = graphAt(events, 15, 'monitor', A);
    expect(graph.cycles).toEqual([]);
    expect(graph.nodes).toContainEqual(expect.objectContaining({ kind: 'thread', holder: A, isGone: true }));
    expect(edgesOf(graph)).not.toContain(`thread ${A} waits lock story/0/y`);
  });

  test('cannot know all waiters of a lock that was held before watching began, or of locks that are not seen', () => {
    const found = (subscribers: string) => story(`x lease 900s\n 0.000 redis snapshot A×1 600000 ${subscribers}`);
    const reasons = (events: readonly LockEvent[], ...lacks: Lack[]) =>
      graphAt(events, 5, 'monitor', '', lacks).cannotTell.map(({ reason }) => reason);
    expect(reasons(found('1'))).toEqual(['blind-spot']);
    expect(reasons(found('0'))).toEqual([]);
    expect(reasons(found('0'), 'listeners')).toEqual(['blind-spot']);
    expect(reasons([], 'listeners')).toEqual([]);
    expect(reasons([], 'locks')).toEqual(['locks']);
  });

  test('cannot know at level events which threads wait', () => {
    expect(graphAt([], 5, 'events').cannotTell).toEqual([{ source: 'story', reason: 'level' }]);
  });

  test('with more than 200 nodes, threads are shown as their clients, but not those in a cycle', () => {
    const many = Array.from({ length: 250 }, (_, n) => `C${n + 1}`);
    const events = merged(wanted('x', 'A', ['B'], 1), wanted('y', 'B', ['A', ...many], 3));
    const graph = graphAt(events, 8);
    expect(graph.isByClient).toBe(true);
    expect(graph.nodes.map(({ id }) => id).sort()).toEqual([
      `client ${C.slice(0, -2)}`,
      'lock story/0/x',
      'lock story/0/y',
      `thread ${A}`,
      `thread ${B}`,
    ]);
    expect(graph.nodes).toContainEqual(expect.objectContaining({ kind: 'client', threads: 250 }));
    expect(graph.edges).toContainEqual(expect.objectContaining({ to: 'lock story/0/y', kind: 'waits', threads: 250 }));
    expect(graph.cycles).toHaveLength(1);
  });

  test('the numbers of nodes and cycles are bounded, cycles left out are counted, and each edge has both of its nodes', () => {
    const pairs = Array.from({ length: 400 }, (_, n) => [
      wanted(`x${n}`, `A${n + 1}`, [`B${n + 1}`], 1),
      wanted(`y${n}`, `B${n + 1}`, [`A${n + 1}`], 3),
    ]).flat();
    const { nodes, edges, cycles, more } = graphAt(merged(...pairs), 8);
    expect([nodes.length <= MOST_NODES, cycles.length]).toEqual([true, MOST_CYCLES]);
    expect(more.cycles).toBe(400 - MOST_CYCLES);
    const ids = new Set(nodes.map(({ id }) => id));
    expect(edges.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true);
  });

  test('a wait whose thread already slept when it was first seen has no beginning, and the beginning of a deadlock that it closed is a lower limit', () => {
    const [x, y] = [wanted('x', 'A', ['B'], 1), wanted('y', 'B', ['A'], 2)];
    const older = (events: readonly LockEvent[]) =>
      events.map((event) =>
        event.type === 'lock.refused' && event.attempt === 1 ? { ...event, asleep: true } : event,
      );
    const withoutSecond = (events: readonly LockEvent[]) =>
      events.filter((event) => event.type !== 'lock.refused' || event.attempt === 1);
    const seen = graphAt(merged(older(withoutSecond(x)), y), 5);
    const unseen = graphAt(merged(x, older(withoutSecond(y))), 5);
    expect(seen.edges.find(({ kind, from }) => kind === 'waits' && from === `thread ${B}`)?.since).toBeNull();
    expect(seen.edges.find(({ kind, from }) => kind === 'waits' && from === `thread ${A}`)?.since).not.toBeNull();
    expect(seen.cycles).toHaveLength(1);
    expect(seen.cycles[0]).not.toHaveProperty('isAtLeast');
    expect(unseen.cycles).toMatchObject([{ isAtLeast: true }]);
  });
});
