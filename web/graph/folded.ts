import { groupedBy } from '../../shared/base/grouped-by.ts';
import type { GraphBody } from '../../shared/wire/graph.ts';

export type WireNode = GraphBody['nodes'][number];
export type WireEdge = GraphBody['edges'][number];

/** A box of the picture: a node, or several threads that only wait for the same lock. */
export type Box = WireNode | { readonly kind: 'several'; readonly id: string; readonly threads: number };

export type Picture = {
  readonly boxes: readonly Box[];
  readonly arrows: readonly (WireEdge & { readonly isInCycle: boolean })[];
  /** The boxes of a deadlock. */
  readonly inCycle: ReadonlySet<string>;
};

/** The boxes and arrows to draw. More than `mostAlone` threads that only wait for the same lock become one box. */
export function pictureOf(
  { nodes, edges, cycles }: Pick<GraphBody, 'nodes' | 'edges' | 'cycles'>,
  mostAlone: number,
): Picture {
  const steps = cycles.flatMap(({ path }) => path);
  const inCycle = new Set(steps.flatMap(({ holder, lockId }) => [`thread ${holder}`, `lock ${lockId}`]));
  const cycleArrows = new Set(
    steps.flatMap(({ holder, lockId, heldBy }) => [
      `thread ${holder} waits lock ${lockId}`,
      `lock ${lockId} holds thread ${heldBy}`,
    ]),
  );
  const boxOf = foldedBoxes(edges, inCycle, mostAlone);
  const boxes = new Map<string, Box>();
  for (const node of nodes) {
    const several = boxOf.get(node.id);
    const threads = node.kind === 'client' ? node.threads : 1;
    if (several === undefined) boxes.set(node.id, node);
    else {
      const known = boxes.get(several);
      const sum = known?.kind === 'several' ? known.threads + threads : threads;
      boxes.set(several, { kind: 'several', id: several, threads: sum });
    }
  }
  const arrows = new Map<string, Picture['arrows'][number]>();
  for (const edge of edges) {
    const from = boxOf.get(edge.from) ?? edge.from;
    const key = `${from} ${edge.kind} ${edge.to}`;
    if (!arrows.has(key)) arrows.set(key, { ...edge, from, isInCycle: cycleArrows.has(key) });
  }
  return { boxes: [...boxes.values()], arrows: [...arrows.values()], inCycle };
}

/**
 * Maps each thread that shares a box to the id of that box. Such threads wait for one lock, hold none, and are not part
 * of a deadlock. They share a box if there are more than `mostAlone` of them at that lock.
 */
function foldedBoxes(
  edges: readonly WireEdge[],
  inCycle: ReadonlySet<string>,
  mostAlone: number,
): ReadonlyMap<string, string> {
  const isHolder = new Set(edges.flatMap(({ kind, from, to }) => alone(kind, from, to)));
  const waitedFor = new Map<string, Set<string>>();
  for (const { kind, from, to } of edges) {
    if (kind !== 'waits' || isHolder.has(from) || inCycle.has(from)) continue;
    waitedFor.set(from, (waitedFor.get(from) ?? new Set()).add(to));
  }
  const only = new Map<string, string[]>();
  for (const [from, [lock = '', another]] of waitedFor) {
    if (another === undefined) only.set(lock, [...(only.get(lock) ?? []), from]);
  }
  const folded = new Map<string, string>();
  for (const [lock, threads] of only) {
    if (threads.length > mostAlone) for (const id of threads) folded.set(id, `several ${lock}`);
  }
  return folded;
}

/** The ends of an edge that keep a box of their own: holders, and threads that wait for each other inside a JVM. */
function alone(kind: WireEdge['kind'], from: string, to: string): string[] {
  return kind === 'holds' ? [to] : kind === 'blocked' ? [from, to] : [];
}

/** Each wait with the holds of its lock, the oldest wait first. A wait whose beginning is not known counts as oldest. */
export function waitRows(edges: readonly WireEdge[]): { wait: WireEdge; holds: readonly WireEdge[] }[] {
  const holds = edges.filter(({ kind }) => kind === 'holds');
  const holdsOf = groupedBy(holds, ({ from }) => from);
  return edges
    .filter(({ kind }) => kind === 'waits')
    .sort((a, b) => (a.since ?? 0) - (b.since ?? 0))
    .map((wait) => ({ wait, holds: holdsOf.get(wait.to) ?? [] }));
}
