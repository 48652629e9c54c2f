import { useMemo } from 'react';
import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { useCursor } from '../cursor/cursor.ts';
import { useRange } from '../cursor/range.ts';
import { useFromRedisNow } from '../data/live/use-live.ts';
import { isSpan } from '../url/range.ts';

/** The last minutes move on in steps, this many in their length, so that a list is not read again all the time. */
const STEPS = 20;

/**
 * The first and the last instant of the chosen range, for lists; null: no limit. The last minutes limit `from` only.
 */
export function useRangeLimits(): { from: RedisTime | null; to: RedisTime | null } {
  const range = useRange();
  const cursor = useCursor();
  const span = isSpan(range) ? range : null;
  const micros = isSpan(range) || range === null ? null : range * 60_000_000;
  const paused = cursor.mode === 'paused' ? cursor.at : null;
  const from = useFromRedisNow(undefined, (now) => {
    const end = paused ?? now;
    if (micros === null || end === null) return null;
    const step = micros / STEPS;
    return redisTime(Math.floor(end / step) * step - micros);
  });
  return useMemo(() => ({ from: span?.from ?? from, to: span?.to ?? null }), [span, from]);
}
