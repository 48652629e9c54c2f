export type Arrow = { readonly from: string; readonly to: string };

/**
 * Divides a graph into parts: nodes that reach each other along arrows are one part, all others are alone (Tarjan's
 * algorithm). A part comes after every part that it reaches.
 */
export function strongParts(ids: readonly string[], next: ReadonlyMap<string, readonly string[]>): string[][] {
  const parts: string[][] = [];
  const open: string[] = [];
  const isOpen = new Set<string>();
  const order = new Map<string, number>();
  const visit = (id: string): number => {
    const mine = order.size;
    let lowest = mine;
    order.set(id, mine);
    open.push(id);
    isOpen.add(id);
    for (const to of next.get(id) ?? []) {
      if (!order.has(to)) lowest = Math.min(lowest, visit(to));
      else if (isOpen.has(to)) lowest = Math.min(lowest, order.get(to) ?? mine);
    }
    if (lowest === mine) {
      const part = open.splice(open.indexOf(id));
      for (const each of part) isOpen.delete(each);
      parts.push(part);
    }
    return lowest;
  };
  for (const id of ids) if (!order.has(id)) visit(id);
  return parts;
}

/** Divides a graph into parts that no arrow connects, in the order of their first nodes. */
export function connectedParts(ids: readonly string[], arrows: readonly Arrow[]): string[][] {
  const beside = targetsOf([...arrows, ...arrows.map(({ from, to }) => ({ from: to, to: from }))]);
  const left = new Set(ids);
  const parts: string[][] = [];
  for (const first of ids) {
    if (!left.delete(first)) continue;
    const part = [first];
    for (const id of part) part.push(...(beside.get(id) ?? []).filter((to) => left.delete(to)));
    parts.push(part);
  }
  return parts;
}

/** The targets of each node, in the order of the arrows. */
export function targetsOf(arrows: readonly Arrow[]): Map<string, string[]> {
  const targets = new Map<string, string[]>();
  for (const { from, to } of arrows) targets.set(from, [...(targets.get(from) ?? []), to]);
  return targets;
}
