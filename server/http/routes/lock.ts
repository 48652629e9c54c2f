import { type Response, Router } from 'express';
import { z } from 'zod';
import type { RedisTime } from '../../../shared/base/time.ts';
import type { Lock, lockBody } from '../../../shared/wire/lock.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import type { Observatory } from '../../watch/observatory.ts';
import type { ApiContext } from '../app-context.ts';
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
 * `GET /api/lock?name=` is the same for names that a path cannot contain: the empty name, `.` and `..`.
 */
export function lockRoute({ observatory, connections }: ApiContext): Router {
  const turns = oneAtATime(connections);
  const answer = async (res: Response, name: string, query: LockQuery): Promise<void> => {
    const { history } = observatory;
    const at = query.at === undefined ? undefined : instantInMemory(query.at, history, observatory.now(query.source));
    const detail = async (signal: AbortSignal) => {
      const locks = await locksNamed(observatory, name, { query, at, signal });
      return observatory.detail(theOne(locks), at, signal);
    };
    return turns.answerJson(res, detail, (lock): z.infer<typeof lockBody> => {
      if (!lock) throw unknownLock();
      return { v: 1, at: at ?? observatory.now(lock.source), ...lock };
    });
  };
  const router = Router();
  router.get('/locks/:name', (req, res) => answer(res, req.params.name, checked(lockQuery, req.query, 'query')));
  router.get('/lock', (req, res) => {
    const query = checked(namedQuery, req.query, 'query');
    return answer(res, query.name, query);
  });
  return router;
}

/** The locks with that name, now or at a past instant. */
async function locksNamed(
  observatory: Observatory,
  name: string,
  { query: { source, db }, at, signal }: { query: LockQuery; at: RedisTime | undefined; signal: AbortSignal },
): Promise<Lock[]> {
  if (at === undefined) return observatory.locksNamed(name, { source, db });
  const locks = await observatory.pastLocksNamed(name, { source, db }, at, signal);
  if (locks.length === 0 && observatory.locksNamed(name, { source, db }).length > 0) throw notThereThen();
  return locks;
}

function theOne([lock, ...others]: readonly Lock[]): Lock {
  if (!lock) throw unknownLock();
  if (others.length === 0) return lock;
  const places = [lock, ...others]
    .slice(0, 10)
    .map((each) => `?source=${encodeURIComponent(each.source)}&db=${each.db}`);
  throw new HttpProblem(409, problem('ambiguous-lock', { count: others.length + 1, places }), 'name');
}

function unknownLock(): HttpProblem {
  return new HttpProblem(404, problem('unknown-lock'), 'name');
}

function notThereThen(): HttpProblem {
  return new HttpProblem(404, problem('not-in-memory', { what: 'lock' }), 'at');
}
