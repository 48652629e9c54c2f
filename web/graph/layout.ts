import { type Arrow, connectedParts, strongParts, targetsOf } from './strong-parts.ts';

/*
 * The places of the boxes. A box is right of everything that it waits for, by its longest path, so that causes are at
 * the left; boxes that wait for each other are a ring. The same graph always has the same places.
 *
 *   holder ◀── lock ◀── holder that waits ◀── lock ◀── waits
 *
 * On a phone causes are at the top instead, and parts that no arrow connects are stacked.
 */

/** The sizes of a picture. `across` and `down`: half the width and height of a ring, for each of its boxes. */
type Sizes = {
  readonly box: { readonly width: number; readonly height: number };
  /** Between what waits and what it waits for. */
  readonly gap: number;
  readonly across: number;
  readonly down: number;
  /** As `across`, for a ring of at most four boxes. */
  readonly leastAcross: number;
  readonly isTall: boolean;
  /** Up to this many threads that only wait for the same lock have a box each. */
  readonly mostAlone: number;
};

export const WIDE: Sizes = {
  ...{ box: { width: 176, height: 46 }, gap: 70, across: 30, down: 24, leastAcross: 120 },
  ...{ isTall: false, mostAlone: 6 },
};
/**
 * For a phone: a deadlock of two threads is 308 px wide, and two waiters beside each other are 310 px. A box has room
 * for a time on a second line.
 */
export const NARROW: Sizes = {
  ...{ box: { width: 136, height: 62 }, gap: 36, across: 23.2, down: 32, leastAcross: 74 },
  ...{ isTall: true, mostAlone: 2 },
};
/** The gap between boxes that wait for the same lock or thread. */
const GAP_BESIDE = 14;
const EDGE = 12;

export type Place = { readonly x: number; readonly y: number };
type Layout = {
  readonly width: number;
  readonly height: number;
  /** The centre of each box. */
  readonly places: ReadonlyMap<string, Place>;
};

/** Nodes that are placed together: one, or a ring. */
type Block = {
  readonly members: readonly { readonly id: string; readonly at: Place }[];
  readonly width: number;
  readonly height: number;
  readonly column: number;
};

/** The places of all boxes, and the size of the picture. */
export function layoutOf(ids: readonly string[], arrows: readonly Arrow[], sizes = WIDE): Layout {
  const next = targetsOf(arrows);
  const parts = sizes.isTall ? connectedParts(ids, arrows) : [ids];
  return stacked(parts.map((part) => layoutOfPart(part, next, sizes)));
}

/** Stacks layouts from top to bottom. */
function stacked(layouts: readonly Layout[]): Layout {
  const places = new Map<string, Place>();
  let height = 0;
  for (const layout of layouts) {
    for (const [id, { x, y }] of layout.places) places.set(id, { x, y: y + height });
    height += layout.height;
  }
  return { width: Math.max(0, ...layouts.map(({ width }) => width)), height, places };
}

function layoutOfPart(ids: readonly string[], next: ReadonlyMap<string, readonly string[]>, sizes: Sizes): Layout {
  const columns: Block[][] = [];
  const columnOf = new Map<string, number>();
  for (const part of strongParts(ids, next)) {
    const inside = new Set(part);
    const targets = part.flatMap((id) => next.get(id) ?? []).filter((to) => !inside.has(to));
    const column = Math.max(-1, ...targets.map((to) => columnOf.get(to) ?? -1)) + 1;
    for (const id of part) columnOf.set(id, column);
    const list = columns[column];
    const block = { ...blockOf(part, next, sizes), column };
    if (list) list.push(block);
    else columns[column] = [block];
  }
  return placed(columns, next, sizes);
}

/**
 * Places the columns from left to right, or as rows from top to bottom: first a lock or holder, then the threads that
 * wait for it.
 */
function placed(columns: readonly Block[][], next: ReadonlyMap<string, readonly string[]>, sizes: Sizes): Layout {
  const { gap, isTall } = sizes;
  const lengthOf = (block: Block) => (isTall ? block.height : block.width);
  const breadthOf = (block: Block) => (isTall ? block.width : block.height);
  const places = new Map<string, Place>();
  const lengths = columns.map((blocks) => Math.max(...blocks.map(lengthOf)));
  const length = Math.max(
    0,
    lengths.reduce((sum, each) => sum + each + gap, 2 * EDGE - gap),
  );
  let from = EDGE;
  let breadth = 0;
  for (const [n, blocks] of columns.entries()) {
    const middle = from + (lengths[n] ?? 0) / 2;
    const wanted = blocks.map((block) => ({ block, centre: wantedCentre(block, next, places, isTall) }));
    let free = EDGE;
    for (const { block, centre } of wanted.sort((a, b) => a.centre - b.centre)) {
      const beside = Math.max(free + breadthOf(block) / 2, centre);
      const [x, y] = isTall ? [beside, middle] : [middle, beside];
      for (const { id, at } of block.members) places.set(id, { x: x + at.x, y: y + at.y });
      free = beside + breadthOf(block) / 2 + GAP_BESIDE;
    }
    breadth = Math.max(breadth, free - GAP_BESIDE + EDGE);
    from += (lengths[n] ?? 0) + gap;
  }
  return isTall ? { width: breadth, height: length, places } : { width: length, height: breadth, places };
}

/** The mean place, across the direction of the columns, of what a block waits for. */
function wantedCentre(
  { members }: Block,
  next: ReadonlyMap<string, readonly string[]>,
  places: ReadonlyMap<string, Place>,
  isTall: boolean,
): number {
  const targets = members.flatMap(({ id }) => (next.get(id) ?? []).flatMap((to) => places.get(to) ?? []));
  return targets.reduce((sum, { x, y }) => sum + (isTall ? x : y), 0) / Math.max(1, targets.length);
}

function blockOf(
  part: readonly string[],
  next: ReadonlyMap<string, readonly string[]>,
  { box, across: acrossEach, down: downEach, leastAcross }: Sizes,
): Omit<Block, 'column'> {
  const [first = ''] = part;
  if (part.length === 1) return { members: [{ id: first, at: { x: 0, y: 0 } }], ...box };
  const ring = walk(part, next);
  // two threads and two locks form a cross, in which no box is near the corner of another
  const across = ring.length <= 4 ? leastAcross : ring.length * acrossEach;
  const down = Math.max(80, ring.length * downEach);
  const members = ring.map((id, n) => {
    const angle = (2 * Math.PI * n) / ring.length - Math.PI / 2;
    return { id, at: { x: across * Math.cos(angle), y: down * Math.sin(angle) } };
  });
  return { members, width: 2 * across + box.width, height: 2 * down + box.height };
}

/** The nodes of a ring in the order of the arrows between them. */
function walk(part: readonly string[], next: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Set(part);
  const ring: string[] = [];
  let id: string | undefined = part[0];
  while (id !== undefined) {
    ring.push(id);
    left.delete(id);
    const [anyLeft] = left;
    id = next.get(id)?.find((to) => left.has(to)) ?? anyLeft;
  }
  return ring;
}

/** The line of an arrow, from box to box. Arrows in opposite directions are beside each other. */
export function lineOf(from: Place, to: Place, { box }: Sizes): { from: Place; to: Place } {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const aside = { x: (-dy / length) * 4, y: (dx / length) * 4 };
  const reach = Math.min(0.5, box.width / 2 / Math.abs(dx || 1), box.height / 2 / Math.abs(dy || 1));
  const at = (share: number) => ({ x: from.x + dx * share + aside.x, y: from.y + dy * share + aside.y });
  return { from: at(reach), to: at(1 - reach) };
}
