import { sightOf } from '../../../shared/insights/client-sight.ts';
import type { Detector } from '../../../shared/insights/detector.ts';
import { DETECTORS, DETECTORS_OF_DUMPS, DETECTORS_OF_ONE } from '../../../shared/insights/detectors/all.ts';
import type { CannotTell, Report } from '../../../shared/insights/insight.ts';
import { byNeed, listed, withoutExplained } from '../../../shared/insights/pass/detector-pass.ts';
import { UnseenList } from '../../../shared/insights/pass/unseen-counts.ts';
import { runDetectors } from '../../../shared/insights/run.ts';
import { idOf, type LockState } from '../../../shared/state/lock-state.ts';
import type { Sliced } from '../slices/in-slices.ts';
import type { InsightQuery } from '../terms/queries.ts';
import { type InsightMemory, isWanted } from './insights-of.ts';

/** Detectors that look at a lock only if it is requested by name. */
const ONLY_OF_ONE = DETECTORS_OF_ONE.filter((detector) => !DETECTORS.includes(detector));
const OF_LOCKS = DETECTORS_OF_ONE.filter(({ of }) => of === 'lock');

/**
 * The answer to a query about now: what the last pass found, and what the detectors outside a pass find. Those are the
 * detectors of one lock, if it is requested by name, and those that compare thread dumps. `isInPass`: whether the pass
 * looks at a lock.
 */
export function* insightsBeside(
  of: InsightMemory,
  known: Report,
  query: InsightQuery,
  isInPass: (id: string) => boolean,
): Sliced<Report> {
  const { lock: name, dumps } = query;
  const beside: Report[] = [];
  if (name !== undefined) {
    const named = [...of.world.entries()].flatMap(([, lock]) => (lock.name === name ? [lock] : []));
    const inPass = named.filter((lock) => isInPass(idOf(lock)));
    const others = named.filter((lock) => !isInPass(idOf(lock)));
    if (inPass.length > 0) beside.push(yield* run(of, inPass, ONLY_OF_ONE, query));
    if (others.length > 0) beside.push(yield* run(of, others, OF_LOCKS, query));
  }
  if (dumps && dumps.size > 0) beside.push(yield* run(of, of.world.busy(), DETECTORS_OF_DUMPS, query));
  const all = [known, ...beside];
  const insights =
    beside.length === 0
      ? known.insights
      : withoutExplained(
          all.flatMap((each) => each.insights),
          DETECTORS,
        );
  const wanted = insights.filter((insight) => isWanted(insight, query));
  return {
    at: known.at,
    ...listed(beside.length === 0 ? wanted : wanted.sort(byNeed)),
    cannotTell: beside.length === 0 ? known.cannotTell : sumOf(all.map(({ cannotTell }) => cannotTell)),
    failed: all.flatMap(({ failed }) => failed),
  };
}

function* run(
  of: InsightMemory,
  locks: Iterable<LockState>,
  detectors: readonly Detector[],
  { dumps }: InsightQuery,
): Sliced<Report> {
  const { clientStates, serverStates, watchLog, wanted } = of;
  const at = of.now();
  return yield* runDetectors(
    {
      ...{ at, locks, events: wanted.now(at), dropped: wanted.dropped, sources: watchLog.sights() },
      now: (source) => of.now(source),
      clientOf: (source, client) => sightOf(clientStates.find(source, client)),
      serverOf: (source) => serverStates.find(source),
      ...(dumps ? { dumps } : {}),
    },
    detectors,
  );
}

function sumOf(lists: readonly (readonly CannotTell[])[]): readonly CannotTell[] {
  const sum = new UnseenList();
  for (const each of lists.flat()) sum.add(each, each.source, each.reason, each.locks);
  return sum.all();
}
