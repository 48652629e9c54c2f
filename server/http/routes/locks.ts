import { Router } from 'express';
import type { z } from 'zod';
import { type locksBody, locksQuery } from '../../../shared/wire/http.ts';
import type { LockPageQuery } from '../../watch/history/queries.ts';
import type { ApiContext } from '../app-context.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { checked } from '../problem.ts';
import { instantInMemory } from './past-instant.ts';

type LocksQuery = z.infer<typeof locksQuery>;

/** `GET /api/locks`: the locks now or as of an instant, filtered and in pages. */
export function locksRoute({ observatory, connections }: ApiContext): Router {
  const turns = oneAtATime(connections);
  return Router().get('/locks', async (req, res) => {
    const query = checked(locksQuery, req.query, 'query');
    const from = query.cursor ?? 0;
    const to = from + query.limit;
    const at =
      query.at === undefined
        ? undefined
        : instantInMemory(query.at, observatory.history, observatory.now(query.source));
    const wanted: LockPageQuery = { at, from, limit: query.limit, isWanted: (lock) => isWanted(lock, query) };
    await turns.answerJson(
      res,
      (signal) => observatory.lockPage(wanted, signal),
      ({ locks, total }): z.infer<typeof locksBody> => ({
        v: 1,
        at: at ?? observatory.now(query.source),
        locks,
        total,
        ...(to < total ? { nextCursor: String(to) } : {}),
      }),
    );
  });
}

function isWanted(lock: Parameters<LockPageQuery['isWanted']>[0], { q, kind, held, source, db }: LocksQuery): boolean {
  if (q !== undefined && !lock.name.toLowerCase().includes(q.toLowerCase())) return false;
  if (kind !== undefined && lock.kind !== kind) return false;
  if (held !== undefined && lock.held !== held) return false;
  if (source !== undefined && lock.source !== source) return false;
  return db === undefined || lock.db === db;
}
