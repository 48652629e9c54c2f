type Reasoned = { readonly why: string; readonly advice: string; readonly fix: readonly string[] };

/** Groups findings with the same reason and the same lines, in their order, so that both are shown once. */
export function togetherBySameReason<F extends Reasoned>(findings: readonly F[]): [F, ...F[]][] {
  const groups = new Map<string, [F, ...F[]]>();
  for (const each of findings) {
    const reason = JSON.stringify([each.why, each.advice, each.fix]);
    const group = groups.get(reason);
    if (group) group.push(each);
    else groups.set(reason, [each]);
  }
  return [...groups.values()];
}
