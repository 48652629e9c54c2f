import { type Arrow, strongParts, targetsOf } from './strong-parts.ts';

/*
 * The places of the boxes. A box is right of everything that it waits for, by its longest path, so that causes are at the
 * left; boxes that wait for each other are a ring. The same graph always has the same places.
 *
 *   holder ◀── lock ◀── holder that waits ◀── lock ◀── waits
 */

export const BOX = { width: 176, height: 46 };
const GAP = { x: 70, y: 14 };
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

export function layoutOf(ids: readonly string[], arrows: readonly Arrow[]): Layout {
  const next = targetsOf(arrows);
  const columns: Block[][] = [];
  const columnOf = new Map<string, number>();
  for (const part of strongParts(ids, next)) {
    const inside = new Set(part);
    const targets = part.flatMap((id) => next.get(id) ?? []).filter((to) => !inside.has(to));
    const column = Math.max(-1, ...targets.map((to) => columnOf.get(to) ?? -1)) + 1;
    for (const id of part) columnOf.set(id, column);
    const list = columns[column];
    const block = { ...blockOf(part, next), column };
    if (list) list.push(block);
    else columns[column] = [block];
  }
  return placed(columns, next);
}

/** Places the columns from left to right: what is waited for is placed before the boxes that wait for it. */
function placed(columns: readonly Block[][], next: ReadonlyMap<string, readonly string[]>): Layout {
  const places = new Map<string, Place>();
  const widths = columns.map((blocks) => Math.max(...blocks.map(({ width }) => width)));
  const width = widths.reduce((sum, each) => sum + each + GAP.x, 2 * EDGE - GAP.x);
  let left = EDGE;
  let height = 0;
  for (const [n, blocks] of columns.entries()) {
    const middle = left + (widths[n] ?? 0) / 2;
    const wanted = blocks.map((block) => ({ block, y: wantedY(block, next, places) }));
    let top = EDGE;
    for (const { block, y } of wanted.sort((a, b) => a.y - b.y)) {
      const centre = Math.max(top + block.height / 2, y);
      for (const { id, at } of block.members) places.set(id, { x: middle + at.x, y: centre + at.y });
      top = centre + block.height / 2 + GAP.y;
    }
    height = Math.max(height, top - GAP.y + EDGE);
    left += (widths[n] ?? 0) + GAP.x;
  }
  return { width: Math.max(0, width), height, places };
}

/** The mean height of what a block waits for. */
function wantedY({ members }: Block, next: ReadonlyMap<string, readonly string[]>, places: ReadonlyMap<string, Place>) {
  const heights = members.flatMap(({ id }) => (next.get(id) ?? []).flatMap((to) => places.get(to)?.y ?? []));
  return heights.length === 0 ? 0 : heights.reduce((sum, y) => sum + y, 0) / heights.length;
}

function blockOf(part: readonly string[], next: ReadonlyMap<string, readonly string[]>): Omit<Block, 'column'> {
  const [first = ''] = part;
  if (part.length === 1) return { members: [{ id: first, at: { x: 0, y: 0 } }], ...BOX };
  const ring = walk(part, next);
  const across = Math.max(120, ring.length * 30);
  const down = Math.max(80, ring.length * 24);
  const members = ring.map((id, n) => {
    const angle = (2 * Math.PI * n) / ring.length - Math.PI / 2;
    return { id, at: { x: across * Math.cos(angle), y: down * Math.sin(angle) } };
  });
  return { members, width: 2 * across + BOX.width, height: 2 * down + BOX.height };
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
export function lineOf(from: Place, to: Place): { from: Place; to: Place } {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const aside = { x: (-dy / length) * 4, y: (dx / length) * 4 };
  const reach = Math.min(0.5, BOX.width / 2 / Math.abs(dx || 1), BOX.height / 2 / Math.abs(dy || 1));
  const at = (share: number) => ({ x: from.x + dx * share + aside.x, y: from.y + dy * share + aside.y });
  return { from: at(reach), to: at(1 - reach) };
}
