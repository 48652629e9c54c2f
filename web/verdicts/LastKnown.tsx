import type { RedisTime } from '../../shared/base/time.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { dismissedProblems, useDismissed } from '../choices/dismissed.ts';
import { ShownInstant } from '../cursor/shown-instant.ts';
import { isCutOff } from '../data/live/live-state.ts';
import { useLive } from '../data/live/use-live.ts';
import { isPressing } from '../data/queries/insights.ts';
import { LatePart } from '../ui/LatePart.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { ledRows, singleRows } from './equal-problems.ts';

/** If the server stops answering, this code is loaded already: the list of open problems has used it before. */
const VerdictList = lazyPart(() => import('./VerdictList.tsx'));

type LastKnownProps = {
  at: RedisTime;
  insights: readonly WireInsight[];
  isOfLock?: boolean;
  /** The source of these problems, if others are watched. */
  source?: string;
};

/**
 * The problems at the last instant at which Redis was watched. Shown while it is no longer watched, or while the page
 * does not hear from Lockscope. Nothing if there was no problem.
 */
export function LastKnown({ at, insights, isOfLock = false, source }: LastKnownProps) {
  const { verdicts: texts } = useWords();
  const isOff = useLive((state) => isCutOff(state));
  const dismissed = useDismissed(dismissedProblems);
  const open = insights.filter((each) => isPressing(each, dismissed)).map(withoutCountdown);
  if (open.length === 0) return null;
  const isBeside = source !== undefined;
  const rows = isOfLock ? singleRows(open) : ledRows(open);
  const then = isOff ? texts.lastHeard : texts.lastKnown;
  return (
    <ShownInstant value={at}>
      <section aria-label={isBeside ? texts.titleOf(source) : texts.title} className="verdicts is-bad">
        <p className="verdicts-then">{isBeside ? texts.lastKnownOf(secondsText(at), source) : then(secondsText(at))}</p>
        <LatePart>
          <VerdictList rows={rows} isLed={!isOfLock && !isBeside} isOfLock={isOfLock} />
        </LatePart>
      </section>
    </ShownInstant>
  );
}

/** Without a countdown: how much is left of it now is not known. */
function withoutCountdown(insight: WireInsight): WireInsight {
  return { ...insight, selfHealsAt: null };
}
