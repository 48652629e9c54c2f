import type { z } from 'zod';
import type { RedisTime } from '../../../../shared/base/time.ts';
import { lockPath, lockQuery, namedLockQuery } from '../../../../shared/wire/http.ts';
import { type Lock, lockBody } from '../../../../shared/wire/locks/lock.ts';
import { problem } from '../../../../shared/wire/problems/problem.ts';
import type { Observatory } from '../../../watch/observatory.ts';
import { type Answer, route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { HttpProblem } from '../../problems/problem.ts';
import { instantInMemory, unseenPart } from './past-instant.ts';

type LockQuery = z.infer<typeof lockQuery>;

const REFUSALS = {
  400: ['in-the-future'],
  404: ['unknown-lock', 'not-in-memory'],
  409: ['ambiguous-lock'],
  410: ['forgotten'],
} as const;

/** One lock with its figures and keys, now or as of an instant. */
export const lockRoute = route({
  method: 'GET',
  path: '/locks/:name',
  operation: 'getLock',
  tag: 'locks',
  summary: 'Shows one lock with its figures and its keys in Redis, now or as of an instant.',
  refusals: REFUSALS,
  params: lockPath,
  query: lockQuery,
  answer: lockBody,
}).handledBy(({ observatory }: ApiContext, { params: { name }, query }) => theLock(observatory, name, query));

/** As `lockRoute`, for names that a path cannot contain: the empty name, `.` and `..`. */
export const namedLockRoute = route({
  method: 'GET',
  path: '/lock',
  operation: 'getNamedLock',
  tag: 'locks',
  summary: 'The same for names that a path cannot contain: the empty name, `.` and `..`.',
  refusals: REFUSALS,
  query: namedLockQuery,
  answer: lockBody,
}).handledBy(({ observatory }: ApiContext, { query: { name, ...query } }) => theLock(observatory, name, query));

function theLock(observatory: Observatory, name: string, query: LockQuery): Answer<z.infer<typeof lockBody>> {
  const at = query.at === undefined ? undefined : instantInMemory(query.at, observatory, query.source);
  return {
    inTurn: async (signal) => {
      const locks = await locksNamed(observatory, name, { query, at, signal });
      const lock = await observatory.detail(onlyLock(locks), at, signal);
      if (!lock) throw unknownLock();
      return { v: 1, at: at ?? observatory.now(lock.source), ...lock, ...(await unseenPart(observatory, at, signal)) };
    },
  };
}

/** The locks with this name, now or at a past instant. Throws a 404 if such a lock exists only now. */
async function locksNamed(
  observatory: Observatory,
  name: string,
  { query: { source, db }, at, signal }: { query: LockQuery; at: RedisTime | undefined; signal: AbortSignal },
): Promise<Lock[]> {
  if (at === undefined) return observatory.locksNamed(name, { source, db });
  const locks = await observatory.pastLocksNamed(name, { source, db }, at, signal);
  if (locks.length === 0 && observatory.locksNamed(name, { source, db }).length > 0) throw didNotExist();
  return locks;
}

/**
 * The only lock of these. Throws a 404 if there is none, and a 409 if there are several: it names ten of their places.
 */
export function onlyLock([lock, ...others]: readonly Lock[]): Lock {
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

function didNotExist(): HttpProblem {
  return new HttpProblem(404, problem('not-in-memory', { what: 'lock' }), 'at');
}
