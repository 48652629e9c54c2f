import { type RedisTime, redisTime } from '../../../../shared/base/time.ts';
import { problem } from '../../../../shared/wire/problems/problem.ts';
import type { EventHistory } from '../../../watch/history/event-history.ts';
import { HttpProblem } from '../../problems/problem.ts';

/** A client that measures Redis's clock over the network may be ahead of it by this much. */
const CLOCK_ERROR_MICROS = 1_000_000;

/** Throws a 400 if `at` is in the future. */
export function notAfter(now: RedisTime, field: string, at: number): void {
  if (at <= now + CLOCK_ERROR_MICROS) return;
  throw new HttpProblem(400, problem('in-the-future', { field, now }), field);
}

/** Returns the instant if it is in memory. Throws a 400 if it is in the future, and a 410 if it has been dropped. */
export function instantInMemory(at: number, history: EventHistory, now: RedisTime, field = 'at'): RedisTime {
  notAfter(now, field, at);
  const { oldestAt } = history;
  if (oldestAt !== undefined && at >= oldestAt) return redisTime(at);
  throw new HttpProblem(410, problem('forgotten', oldestAt === undefined ? {} : { oldestAt }), field);
}
