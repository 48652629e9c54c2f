import { redisTime } from '../../../shared/base/time.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';

/** The hand-overs of a lock with their instant as Redis time. */
export function handoversOf({ handovers }: Lock) {
  return handovers && { ...handovers, since: redisTime(handovers.since), at: redisTime(handovers.at) };
}
