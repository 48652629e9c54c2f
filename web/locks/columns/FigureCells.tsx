import { handoversPerSecond } from '../../../shared/state/handovers.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import type { Beginning } from '../../../shared/wire/locks/lock-facts.ts';
import { useFromShownNow } from '../../cursor/shown-instant.ts';
import { useSeesWaiters } from '../../parts/people.ts';
import { ageText, rateText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import { handoversOf } from './handovers-of.ts';

/** The time since a beginning, updated as time passes. */
export function Age({ source, since }: { source: string; since: Beginning | null }) {
  const words = useWords().lock;
  const age = useFromShownNow(source, (now) =>
    since === null || now === null ? null : ageText(Math.max(1000, (now - since.at) / 1000)),
  );
  if (since === null || age === null) return null;
  return since.isAtLeast ? <span title={words.sinceBefore}>{words.moreThan(age)}</span> : age;
}

/** Hand-overs a second. Lower averages are not shown: a single hand-over fades to this in about two minutes. */
const LEAST_RATE = 0.0005;

/** The average of hand-overs a second. Hidden if the level shows no hand-overs, because the average would only fade. */
export function Rate({ lock }: { lock: Lock }) {
  const seesWaiters = useSeesWaiters(lock.source);
  const handovers = handoversOf(lock);
  return useFromShownNow(lock.source, (now) => {
    if (!handovers || !seesWaiters || now === null) return null;
    const rate = handoversPerSecond(handovers, now);
    return rate < LEAST_RATE ? null : rateText(rate);
  });
}
