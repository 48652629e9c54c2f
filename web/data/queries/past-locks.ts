import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { locksBody } from '../../../shared/wire/http.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { ApiError, getJson } from '../http/http.ts';
import { byCode } from '../http/sent-problem.ts';

/** Maximum number of pages read for one instant, 1,000 locks each. */
const MOST_PAGES = 5;

/** The locks at an instant, locks that need attention first; `total` includes locks that are not loaded. */
export type LocksAt = { readonly at: RedisTime; readonly locks: ReadonlyMap<string, Lock>; readonly total: number };

/** Reads the locks at an instant from the server's memory. Returns the previous instant's locks while reading. */
export function useLocksAt(at: RedisTime) {
  return useQuery({
    queryKey: ['locks-at', at],
    queryFn: ({ signal }) => readLocksAt(at, signal),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  });
}

async function readLocksAt(at: RedisTime, signal: AbortSignal): Promise<LocksAt> {
  const locks = new Map<string, Lock>();
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({ at: String(Math.round(at)), limit: '1000' });
    if (cursor !== undefined) query.set('cursor', cursor);
    const body = await getJson<typeof locksBody>(`/api/locks?${query}`, signal);
    for (const lock of body.locks) locks.set(lock.id, lock);
    cursor = body.nextCursor;
    if (cursor === undefined || page >= MOST_PAGES) return { at: redisTime(at), locks, total: body.total };
  }
}

/** The oldest instant in memory, from a response saying that an instant is not in memory; null if memory is empty. */
export type Forgotten = { readonly oldestAt: RedisTime | null };

/**
 * Returns the oldest instant in memory if the error reports that an instant is not in memory; null for other errors.
 */
export function forgottenOf(error: unknown): Forgotten | null {
  const known = error instanceof ApiError ? byCode(error.problem) : undefined;
  if (known?.code !== 'forgotten') return null;
  const { oldestAt } = known.values;
  return { oldestAt: oldestAt === undefined ? null : redisTime(oldestAt) };
}
