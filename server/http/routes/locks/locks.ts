import type { z } from 'zod';
import { locksBody, locksQuery } from '../../../../shared/wire/http.ts';
import type { LockPageQuery } from '../../../watch/terms/queries.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { checkRemembered, instantAsked, unseenPart } from './past-instant.ts';

type LocksQuery = z.infer<typeof locksQuery>;

/** The locks now or as of an instant, filtered and in pages. */
export const locksRoute = route({
  method: 'GET',
  path: '/locks',
  operation: 'listLocks',
  tag: 'locks',
  summary: 'Lists the locks with their holders and waiters, those that need attention first, now or as of an instant.',
  refusals: { 400: ['in-the-future'], 404: ['unknown-source'], 410: ['forgotten'] },
  query: locksQuery,
  answer: locksBody,
}).handledBy(({ observatory }: ApiContext, { query }) => {
  const from = query.cursor ?? 0;
  const to = from + query.limit;
  const at = instantAsked(observatory, query);
  const wanted: LockPageQuery = { at, from, limit: query.limit, isWanted: filterOf(query) };
  return {
    inTurn: async (signal) => {
      await checkRemembered(observatory, query, signal);
      const { locks, total } = await observatory.lockPage(wanted, signal);
      const next = to < total ? { nextCursor: String(to) } : {};
      const unseen = await unseenPart(observatory, at, signal);
      return { v: 1, at: at ?? observatory.now(query.source), locks, total, ...next, ...unseen };
    },
  };
});

/** Returns whether a query asks for a lock; `undefined`: the query asks for all locks. */
function filterOf(query: LocksQuery): LockPageQuery['isWanted'] {
  const { q, kind, held, source, db } = query;
  const isOfAll = [q, kind, held, source, db].every((each) => each === undefined);
  return isOfAll ? undefined : (lock) => isWanted(lock, query);
}

type FilteredLock = Parameters<NonNullable<LockPageQuery['isWanted']>>[0];

function isWanted(lock: FilteredLock, { q, kind, held, source, db }: LocksQuery): boolean {
  if (q !== undefined && !lock.name.toLowerCase().includes(q.toLowerCase())) return false;
  if (kind !== undefined && lock.kind !== kind) return false;
  if (held !== undefined && lock.held !== held) return false;
  if (source !== undefined && lock.source !== source) return false;
  return db === undefined || lock.db === db;
}
