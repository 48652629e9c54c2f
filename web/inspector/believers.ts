import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { stillBelieves } from '../../shared/state/believer-rules.ts';
import type { Believer, Lock } from '../../shared/wire/lock.ts';
import { useFromShownNow, useReadShownNow } from '../cursor/shown-instant.ts';
import { lossesOf } from './verdicts.ts';

/** Returns the believers whose lost lease would still be running. */
export function useBelievers(lock: Lock): readonly Believer[] {
  const read = useReadShownNow(lock.source);
  const believers = lock.believers ?? [];
  // renders again when one of them stops believing
  useFromShownNow(lock.source, (now) =>
    now === null ? null : believers.filter((each) => stillBelieves(each, now)).length,
  );
  const now = read();
  return now === null ? believers : believers.filter((believer) => stillBelieves(believer, now));
}

/** Returns the verdicts about believers whose client is not known to be gone. */
export function useLosses(lock: Lock): ReturnType<typeof lossesOf> {
  const read = useReadShownNow(lock.source);
  const lossesAt = (now: RedisTime | null) =>
    lock.believers === undefined ? [] : lossesOf(lock, now ?? redisTime(lock.changedAt));
  useFromShownNow(lock.source, (now) => lossesAt(now).length);
  return lossesAt(read());
}
