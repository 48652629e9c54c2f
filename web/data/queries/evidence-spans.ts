import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { dbInId, nameInId, sourceInId } from '../../../shared/state/lock-state.ts';
import type { Span, spansBody } from '../../../shared/wire/http.ts';
import type { WireInsight } from '../../../shared/wire/insights/insight.ts';
import { lockIdsIn } from '../../../shared/wire/insights/insights-about.ts';
import { getJson } from '../http/http.ts';
import { LONGEST_NAME_ASKED } from './queries.ts';

const EVERY_MS = 10_000;
/** How many locks are read. A deadlock may have more locks than a small picture has room for. */
const MOST_LOCKS = 2;

type About = Pick<WireInsight, 'id' | 'source' | 'db' | 'lock' | 'values' | 'to'>;

/**
 * Reads the holds and waits of up to two locks of a problem from an instant on. While the problem is open they are read
 * again every 10 s.
 */
export function useEvidenceSpans(insight: About, from: number) {
  const { id, to } = insight;
  const locks = [...new Set(lockIdsIn(insight))]
    .filter((lockId) => nameInId(lockId).length <= LONGEST_NAME_ASKED)
    .slice(0, MOST_LOCKS);
  return useQuery({
    queryKey: ['evidence-spans', id, to, from],
    queryFn: async ({ signal }): Promise<readonly Span[]> => {
      const answers = await Promise.all(
        locks.map((lockId) => {
          const [lock, source, db] = [nameInId(lockId), sourceInId(lockId), String(dbInId(lockId))];
          const query = new URLSearchParams({ lock, source, db, from: String(Math.max(0, from)) });
          return getJson<typeof spansBody>(`/api/spans?${query}`, signal);
        }),
      );
      return answers.flatMap(({ spans }) => spans);
    },
    enabled: locks.length > 0,
    refetchInterval: to === null ? EVERY_MS : false,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  });
}
