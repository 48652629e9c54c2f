import type { RedisTime } from '../../shared/base/time.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { dismissedProblems, useDismissed } from '../choices/dismissed.ts';
import { isPressing } from '../data/queries/insights.ts';
import { singleRows } from '../verdicts/equal-problems.ts';
import { useInsightsAbout } from '../verdicts/found-insights.tsx';
import { LastKnown } from '../verdicts/LastKnown.tsx';
import VerdictList from '../verdicts/VerdictList.tsx';
import { useWords } from '../words/language.ts';
import { DeadHead } from './DeadHead.tsx';

/**
 * What is wrong with one lock at the shown instant, at the top of its page. With `lastKnownAt`, the problems as they
 * were at that instant. Renders nothing if no problem is known.
 */
export function LockVerdicts({ lock, lastKnownAt }: { lock: Lock; lastKnownAt: RedisTime | null }) {
  const { verdicts: texts } = useWords();
  const dismissed = useDismissed(dismissedProblems);
  const about = useInsightsAbout(lock);
  if (lastKnownAt !== null) return <LastKnown at={lastKnownAt} insights={about} isOfLock />;
  const isBad = about.some((each) => isPressing(each, dismissed));
  return (
    <>
      {about.length > 0 && (
        <section aria-label={texts.title} className={isBad ? 'verdicts is-bad' : 'verdicts'}>
          <VerdictList rows={singleRows(about)} isFirstOpen isOfLock />
        </section>
      )}
      <DeadHead lock={lock} insights={about} />
    </>
  );
}
