import { stillBelieves } from '../../shared/state/rules/believer-rules.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import type { Believer, Lock } from '../../shared/wire/locks/lock.ts';
import { useFromShownNow, useReadShownNow } from '../cursor/shown-instant.ts';
import { useInsightsAbout } from './found-insights.tsx';

/** Returns the believers whose lost lease would still be running. */
export function useBelievers(lock: Lock): readonly Believer[] {
  const read = useReadShownNow(lock.source);
  const believers = lock.believers ?? [];
  // renders again when the lost lease of a believer would have ended
  useFromShownNow(lock.source, (now) =>
    now === null ? null : believers.filter((each) => stillBelieves(each, now)).length,
  );
  const now = read();
  return now === null ? believers : believers.filter((believer) => stillBelieves(believer, now));
}

/** The verdicts about believers that may still work. */
export function useLosses(lock: Lock): readonly WireInsight[] {
  const about = useInsightsAbout(lock);
  return about.filter(({ incident, to }) => incident === 'failover-lock-lost' && to === null);
}
