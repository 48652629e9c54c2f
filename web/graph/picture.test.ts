import { describe, expect, test } from 'vitest';
import { pictureOf, type WireEdge, type WireNode, waitRows } from './folded.ts';
import { layoutOf, NARROW, WIDE } from './layout.ts';

const thread = (name: string): WireNode => ({
  id: `thread ${name}`,
  kind: 'thread',
  holder: name,
  client: name,
  isGone: false,
});
const lock = (name: string): WireNode => ({
  ...{ id: `lock ${name}`, kind: 'lock', source: 's', db: 0, lock: name, lockKind: 'lock' },
  ...{ holders: 1, waiters: 1 },
});
const waits = (who: string, name: string, since: number | null = 1): WireEdge => ({
  ...{ from: `thread ${who}`, to: `lock ${name}`, kind: 'waits', mode: 'exclusive', since, threads: 1 },
});
const holds = (name: string, who: string): WireEdge => ({
  ...{ from: `lock ${name}`, to: `thread ${who}`, kind: 'holds', mode: 'exclusive', since: 1, threads: 1 },
});

function laidOut(nodes: WireNode[], edges: WireEdge[], sizes = WIDE) {
  const { boxes, arrows } = pictureOf({ nodes, edges, cycles: [] }, sizes.mostAlone);
  const ids = boxes.map(({ id }) => id);
  return layoutOf(ids, arrows, sizes);
}

const x = ({ places }: ReturnType<typeof laidOut>, id: string) => places.get(id)?.x ?? Number.NaN;

describe('the picture of the graph', () => {
  test('a thread is to the right of everything that it waits for, by its longest path', () => {
    const layout = laidOut(
      [thread('A'), thread('B'), thread('C'), lock('x'), lock('y')],
      [holds('y', 'A'), waits('B', 'y'), holds('x', 'B'), waits('C', 'x'), waits('C', 'y')],
    );
    const row = ['thread A', 'lock y', 'thread B', 'lock x', 'thread C'].map((id) => x(layout, id));
    expect(row).toEqual([...row].sort((a, b) => a - b));
    expect(new Set(row).size).toBe(5);
  });

  test('a thread that waits for a lock of a deadlock is to the right of the deadlock', () => {
    const nodes = [thread('A'), thread('B'), lock('x'), lock('y'), thread('C')];
    const layout = laidOut(nodes, [
      ...[holds('x', 'A'), waits('A', 'y'), holds('y', 'B'), waits('B', 'x')],
      waits('C', 'x'),
    ]);
    const ring = nodes.slice(0, 4).map(({ id }) => x(layout, id));
    expect(x(layout, 'thread C')).toBeGreaterThan(Math.max(...ring));
    expect(new Set([...layout.places.values()].map((place) => `${place.x} ${place.y}`)).size).toBe(5);
  });

  test.each([
    ['wide', WIDE],
    ['narrow', NARROW],
  ])('boxes of a %s picture do not overlap and are inside it', (_, sizes) => {
    const { box } = sizes;
    const names = Array.from({ length: 100 }, (_, n) => `T${n}`);
    const nodes = names.flatMap((name) => [thread(name), lock(name)]);
    const edges = names.flatMap((name, n) => [
      holds(name, name),
      waits(name, `T${n < 30 ? (n + 1) % 30 : Math.floor(n / 3)}`),
    ]);
    const layout = laidOut(nodes, edges, sizes);
    const places = [...layout.places.values()];
    expect(places).toHaveLength(200);
    for (const [n, a] of places.entries()) {
      expect(a.x - box.width / 2).toBeGreaterThanOrEqual(0);
      expect(a.y - box.height / 2).toBeGreaterThanOrEqual(0);
      expect(a.x + box.width / 2).toBeLessThanOrEqual(layout.width);
      expect(a.y + box.height / 2).toBeLessThanOrEqual(layout.height);
      const over = places.slice(n + 1).filter((b) => {
        return Math.abs(a.x - b.x) < box.width && Math.abs(a.y - b.y) < box.height;
      });
      expect(over).toEqual([]);
    }
  });

  test('a deadlock of two threads fits on a phone', () => {
    const nodes = [lock('x'), lock('y'), thread('A'), thread('B')];
    const edges = [holds('x', 'A'), waits('A', 'y'), holds('y', 'B'), waits('B', 'x')];
    expect(laidOut(nodes, edges, NARROW).width).toBeLessThanOrEqual(320);
  });

  test('on a phone a chain runs downwards, and each separate part begins below the last', () => {
    const waiters = ['C', 'D', 'E'];
    const layout = laidOut(
      [thread('A'), lock('x'), thread('B'), lock('y'), ...waiters.map(thread), thread('F'), lock('z')],
      [holds('x', 'A'), waits('B', 'x'), holds('y', 'B'), ...waiters.map((name) => waits(name, 'y')), holds('z', 'F')],
      NARROW,
    );
    const chain = ['thread A', 'lock x', 'thread B', 'lock y', 'several lock y', 'thread F', 'lock z'];
    const heights = chain.map((id) => layout.places.get(id)?.y ?? Number.NaN);
    expect(heights).toEqual([...new Set(heights)].sort((a, b) => a - b));
    expect(layout.width).toBeLessThanOrEqual(320);
  });

  test('more than six threads that only wait for the same lock are one box, without waiting holders', () => {
    const names = Array.from({ length: 8 }, (_, n) => `T${n}`);
    const nodes = [lock('x'), lock('y'), thread('A'), ...names.map(thread), thread('Z')];
    const edges = [holds('x', 'A'), ...names.map((name) => waits(name, 'x')), holds('y', 'T0'), waits('Z', 'y')];
    const { boxes, arrows } = pictureOf({ nodes, edges, cycles: [] }, WIDE.mostAlone);
    expect(boxes).toContainEqual({ kind: 'several', id: 'several lock x', threads: 7 });
    expect(boxes.map(({ id }) => id).sort()).toEqual(
      ['lock x', 'lock y', 'several lock x', 'thread A', 'thread T0', 'thread Z'].sort(),
    );
    expect(arrows).toHaveLength(5);
  });

  test('only the steps of a deadlock are marked', () => {
    const path = [
      { holder: 'A', lockId: 'y', lock: 'y', heldBy: 'B' },
      { holder: 'B', lockId: 'x', lock: 'x', heldBy: 'A' },
    ];
    const cycle = { path, from: 1, breaksAt: null, breaksBy: null, release: { holder: 'A', lockId: 'x', lock: 'x' } };
    const { arrows, inCycle } = pictureOf(
      {
        nodes: [thread('A'), thread('B'), thread('C'), lock('x'), lock('y')],
        edges: [holds('x', 'A'), waits('A', 'y'), holds('y', 'B'), waits('B', 'x'), waits('C', 'x')],
        cycles: [cycle],
      },
      WIDE.mostAlone,
    );
    expect([...inCycle].sort()).toEqual(['lock x', 'lock y', 'thread A', 'thread B']);
    expect(arrows.filter(({ isInCycle }) => !isInCycle).map(({ from }) => from)).toEqual(['thread C']);
  });
});

test('the list of waits has the oldest wait first, with the holders of each lock', () => {
  const edges = [waits('B', 'x', 5), waits('C', 'x', null), holds('x', 'A'), waits('D', 'y', 2)];
  expect(waitRows(edges).map(({ wait, holds }) => [wait.from, holds.map(({ to }) => to)])).toEqual([
    ['thread C', ['thread A']],
    ['thread D', []],
    ['thread B', ['thread A']],
  ]);
});
