import { groupedBy } from '../../shared/base/grouped-by.ts';
import { byText } from '../../shared/insights/attention.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { splitHolder } from '../../shared/wire/person-text.ts';
import { waitingIn } from './verdict-line.ts';

/**
 * One row of a list: one problem, or several equal problems. Equal problems are ordered by their number of waiters,
 * then by the names of their locks.
 */
export type ProblemRow = { readonly key: string; readonly insights: readonly [WireInsight, ...WireInsight[]] };

/** From this number on, equal problems are one row. */
const LEAST = 3;

/**
 * Puts three or more equal problems of a list into one row, at the place of the first of them. Problems are equal if
 * they are about one lock each, have the same incident, severity, source and client, and are all open or all over. For
 * example: one problem for every lock that a client held when it ended.
 */
export function rowsOfProblems(insights: readonly WireInsight[]): readonly ProblemRow[] {
  const equal = groupedBy(insights, equalKey);
  return insights.flatMap((insight): readonly ProblemRow[] => {
    const key = equalKey(insight);
    const [first, ...others] = equal.get(key) ?? [];
    if (!first || others.length + 1 < LEAST) return singleRows([insight]);
    return first === insight ? [{ key, insights: byWaiters([first, ...others]) }] : [];
  });
}

/**
 * The rows of a list whose first row has one problem: the first problem of the list, or the one with the most waiters
 * among the problems that are equal to the first.
 */
export function ledRows(insights: readonly WireInsight[]): readonly ProblemRow[] {
  const [first] = insights;
  if (!first) return [];
  const key = equalKey(first);
  const [lead] = byWaiters([first, ...insights.filter((each) => each !== first && equalKey(each) === key)]);
  return [...singleRows([lead]), ...rowsOfProblems(insights.filter((each) => each !== lead))];
}

function byWaiters(insights: ProblemRow['insights']): ProblemRow['insights'] {
  const waiting = ({ values }: WireInsight) => waitingIn(values) ?? 0;
  const [first, ...others] = insights.toSorted((a, b) => waiting(b) - waiting(a) || byText(a.lock ?? '', b.lock ?? ''));
  return [first ?? insights[0], ...others];
}

/** Each problem as a row. */
export function singleRows(insights: readonly WireInsight[]): readonly ProblemRow[] {
  return insights.map((insight) => ({ key: insight.id, insights: [insight] }));
}

/** The client that holds, held or waits for the lock of a problem; null: several do, or none is named. */
export function clientOfProblem({ holders }: Pick<WireInsight, 'holders'>): string | null {
  const clients = new Set(holders.map((id) => splitHolder(id).client));
  const [client] = clients;
  return client !== undefined && clients.size === 1 ? client : null;
}

/** Equal problems have the same key. */
export function equalKey(insight: WireInsight): string {
  const { id, incident, severity, source, lock, to, values } = insight;
  const client = clientOfProblem(insight);
  // a circle has several locks
  if (client === null || lock === undefined || values.path !== undefined) return id;
  return JSON.stringify([incident, severity, source, client, to === null]);
}

/** What a row of equal problems shows about all of them. */
export type EqualFacts = {
  /** The locks, each once, in the order of the row. */
  readonly locks: readonly Pick<Lock, 'name' | 'source' | 'db'>[];
  /**
   * How many threads wait for these locks; `isAtLeast`: for some of the problems, that is not known, or only listeners.
   */
  readonly waiting: { readonly count: number; readonly isAtLeast: boolean };
  readonly from: number;
  /** One or more of them may have begun earlier than `from`, unseen. */
  readonly isAtLeast: boolean;
  /** When the last of the problems ended; null if at least one is open. */
  readonly to: number | null;
  /** When the last of the problems ends by itself; null if at least one never ends by itself, or its end is not known. */
  readonly selfHealsAt: number | null;
};

export function equalFacts(insights: ProblemRow['insights']): EqualFacts {
  const locks = new Map(insights.map(({ source, db = 0, lock: name = '' }) => [`${db}/${name}`, { name, source, db }]));
  const counted = insights.flatMap(({ values }) => waitingIn(values) ?? []);
  const heals = insights.flatMap(({ selfHealsAt }) => selfHealsAt ?? []);
  const ends = insights.flatMap(({ to }) => to ?? []);
  return {
    locks: [...locks.values()],
    waiting: {
      count: counted.reduce((sum, each) => sum + each, 0),
      isAtLeast: counted.length < insights.length || insights.some(({ values }) => values.areListeners === true),
    },
    from: Math.min(...insights.map(({ from }) => from)),
    isAtLeast: insights.some(({ isAtLeast }) => isAtLeast === true),
    to: ends.length < insights.length ? null : Math.max(...ends),
    selfHealsAt: heals.length < insights.length ? null : Math.max(...heals),
  };
}
