import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { EventHistory } from '../../watch/observatory.ts';
import { HttpProblem } from '../problem.ts';

/** A client that measures Redis's clock over the network may be ahead of it by this much. */
const CLOCK_ERROR_MICROS = 1_000_000;

/** Throws a 400 if `at` is in the future. */
export function notAfter(now: RedisTime, field: string, at: number): void {
  if (at <= now + CLOCK_ERROR_MICROS) return;
  throw new HttpProblem(
    400,
    'in-the-future',
    `"${field}" is an instant in the future.`,
    `Redis's clock says ${now}, in microseconds since the epoch. Ask for an instant before that.`,
    field,
    { now },
  );
}

/** Returns the instant if it is in memory. Throws a 400 if it is in the future, and a 410 if it has been dropped. */
export function instantInMemory(at: number, history: EventHistory, now: RedisTime): RedisTime {
  notAfter(now, 'at', at);
  const { oldestAt } = history;
  if (oldestAt !== undefined && at >= oldestAt) return redisTime(at);
  const since =
    oldestAt === undefined ? 'There is no event in memory yet.' : `Memory goes back to ${timeOf(oldestAt)}.`;
  throw new HttpProblem(
    410,
    'forgotten',
    `This instant is not in memory. ${since}`,
    'Ask for a later instant, or for the present without "at".',
    'at',
    oldestAt === undefined ? {} : { oldestAt },
  );
}

function timeOf(at: RedisTime): string {
  return new Date(at / 1000).toISOString();
}
