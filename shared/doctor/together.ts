type Reasoned = { readonly why: string; readonly advice: string; readonly fix: readonly string[] };

/**
 * Groups findings with the same reason, advice and fix, so that these texts are shown once for each group. Keeps the
 * order of the findings.
 */
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
