import { type Response, Router } from 'express';
import { z } from 'zod';
import type { Lock } from '../../../shared/wire/lock.ts';
import type { Observatory } from '../../watch/observatory.ts';
import type { AppContext } from '../app.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { checked, HttpProblem } from '../problem.ts';
import { instantInMemory } from './past-instant.ts';

const lockQuery = z.object({
  source: z.string().max(256).optional(),
  db: z.coerce.number().int().min(0).optional(),
  at: z.coerce.number().int().min(0).optional(),
});
type LockQuery = z.infer<typeof lockQuery>;

const namedQuery = lockQuery.extend({ name: z.string().max(2_000_000) });

/**
 * `GET /api/locks/:name`: one lock with its figures and keys, now or as of an instant.
 *
 * `GET /api/lock?name=` is the same for the names that no path can carry: the empty one, `.` and `..`.
 */
export function lockRoute({ observatory, connections }: AppContext): Router {
  const turns = oneAtATime(connections);
  const answer = async (res: Response, name: string, query: LockQuery): Promise<void> => {
    const lock = theOne(observatory, name, query);
    const at =
      query.at === undefined ? undefined : instantInMemory(query.at, observatory.history, observatory.now(lock.source));
    return turns.answer(
      res,
      (signal) => observatory.detail(lock, at, signal),
      (detail) => {
        if (!detail) throw notThereThen();
        res.json({ v: 1, at: at ?? observatory.now(lock.source), ...detail });
      },
    );
  };
  const router = Router();
  router.get('/locks/:name', (req, res) => answer(res, req.params.name, checked(lockQuery, req.query, 'query')));
  router.get('/lock', (req, res) => {
    const query = checked(namedQuery, req.query, 'query');
    return answer(res, query.name, query);
  });
  return router;
}

function theOne(observatory: Observatory, name: string, { source, db }: LockQuery): Lock {
  const [lock, ...others] = observatory.locksNamed(name, { source, db });
  if (!lock) {
    throw new HttpProblem(
      404,
      'unknown-lock',
      'No lock of that name has been seen here.',
      'GET /api/locks?q= searches by a part of the name.',
      'name',
    );
  }
  if (others.length === 0) return lock;
  const places = [lock, ...others]
    .slice(0, 10)
    .map((each) => `?source=${encodeURIComponent(each.source)}&db=${each.db}`);
  throw new HttpProblem(
    409,
    'ambiguous-lock',
    `${others.length + 1} locks have that name.`,
    `Add one of: ${places.join('  ')}`,
    'name',
  );
}

function notThereThen(): HttpProblem {
  return new HttpProblem(
    404,
    'not-in-memory',
    'The lock was not known at that instant.',
    'GET /api/events?lock= shows its first event.',
    'at',
  );
}
