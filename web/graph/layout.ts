import { type Arrow, strongParts, targetsOf } from './strong-parts.ts';

/*
 * The places of the boxes. A box is right of everything that it waits for, by its longest path, so that causes are at the
 * left; boxes that wait for each other are a ring. The same graph always has the same places.
 *
 *   holder ◀── lock ◀── holder that waits ◀── lock ◀── waits
 */

/** The sizes of a picture. `across`: half the width of a ring, for each of its boxes. */
type Sizes = {
  readonly box: { readonly width: number; readonly height: number };
  readonly gapX: number;
  readonly across: number;
  /** The same for a ring of at most four boxes. */
  readonly leastAcross: number;
};

export const WIDE: Sizes = { box: { width: 176, height: 46 }, gapX: 70, across: 30, leastAcross: 120 };
/** For a phone: a deadlock of two threads is 308 px wide. */
export const NARROW: Sizes = { box: { width: 136, height: 46 }, gapX: 36, across: 23.2, leastAcross: 74 };
const GAP_Y = 14;
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

export function layoutOf(ids: readonly string[], arrows: readonly Arrow[], sizes = WIDE): Layout {
  const next = targetsOf(arrows);
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

/** Places the columns from left to right: what is waited for is placed before the boxes that wait for it. */
function placed(columns: readonly Block[][], next: ReadonlyMap<string, readonly string[]>, { gapX }: Sizes): Layout {
  const places = new Map<string, Place>();
  const widths = columns.map((blocks) => Math.max(...blocks.map(({ width }) => width)));
  const width = widths.reduce((sum, each) => sum + each + gapX, 2 * EDGE - gapX);
  let left = EDGE;
  let height = 0;
  for (const [n, blocks] of columns.entries()) {
    const middle = left + (widths[n] ?? 0) / 2;
    const wanted = blocks.map((block) => ({ block, y: wantedY(block, next, places) }));
    let top = EDGE;
    for (const { block, y } of wanted.sort((a, b) => a.y - b.y)) {
      const centre = Math.max(top + block.height / 2, y);
      for (const { id, at } of block.members) places.set(id, { x: middle + at.x, y: centre + at.y });
      top = centre + block.height / 2 + GAP_Y;
    }
    height = Math.max(height, top - GAP_Y + EDGE);
    left += (widths[n] ?? 0) + gapX;
  }
  return { width: Math.max(0, width), height, places };
}

/** The mean height of what a block waits for. */
function wantedY({ members }: Block, next: ReadonlyMap<string, readonly string[]>, places: ReadonlyMap<string, Place>) {
  const heights = members.flatMap(({ id }) => (next.get(id) ?? []).flatMap((to) => places.get(to)?.y ?? []));
  return heights.length === 0 ? 0 : heights.reduce((sum, y) => sum + y, 0) / heights.length;
}

function blockOf(
  part: readonly string[],
  next: ReadonlyMap<string, readonly string[]>,
  { box, across: acrossEach, leastAcross }: Sizes,
): Omit<Block, 'column'> {
  const [first = ''] = part;
  if (part.length === 1) return { members: [{ id: first, at: { x: 0, y: 0 } }], ...box };
  const ring = walk(part, next);
  // two threads and two locks are a cross, in which no box is beside another's corner
  const across = ring.length <= 4 ? leastAcross : ring.length * acrossEach;
  const down = Math.max(80, ring.length * 24);
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
