import type { WireInsight } from '../../shared/wire/insights/insight.ts';

/** At most this many ids are remembered, the newest ones. */
const MOST_KNOWN = 1000;

/**
 * Returns the critical problems that were not critical before, and the ids of those that are or were critical. `before`
 * is null when the page has just received its first problems: then no problem is new.
 */
export function newCritical<T extends Pick<WireInsight, 'id' | 'severity'>>(
  problems: readonly T[],
  before: ReadonlySet<string> | null,
): { readonly fresh: readonly T[]; readonly ids: ReadonlySet<string> } {
  const critical = problems.filter(({ severity }) => severity === 'critical');
  const ids = new Set([...(before ?? []), ...critical.map(({ id }) => id)].slice(-MOST_KNOWN));
  return { fresh: before === null ? [] : critical.filter(({ id }) => !before.has(id)), ids };
}
