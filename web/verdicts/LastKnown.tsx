import type { RedisTime } from '../../shared/base/time.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import { dismissedProblems, useDismissed } from '../choices/dismissed.ts';
import { ShownInstant } from '../cursor/shown-instant.ts';
import { isPressing } from '../data/queries/insights.ts';
import { secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { rowsOfProblems, singleRows } from './equal-problems.ts';
import VerdictList from './VerdictList.tsx';

type LastKnownProps = { at: RedisTime; insights: readonly WireInsight[]; isOfLock?: boolean };

/** The problems at the last instant at which Redis was watched, while it no longer is. Nothing if there was none. */
export default function LastKnown({ at, insights, isOfLock = false }: LastKnownProps) {
  const { verdicts: texts } = useWords();
  const dismissed = useDismissed(dismissedProblems);
  const open = insights.filter((each) => isPressing(each, dismissed)).map(asThen);
  if (open.length === 0) return null;
  const rows = isOfLock ? singleRows(open) : [...singleRows(open.slice(0, 1)), ...rowsOfProblems(open.slice(1))];
  return (
    <ShownInstant value={at}>
      <section aria-label={texts.title} className="verdicts is-bad">
        <p className="verdicts-then">{texts.lastKnown(secondsText(at))}</p>
        <VerdictList rows={rows} isLed={!isOfLock} isOfLock={isOfLock} />
      </section>
    </ShownInstant>
  );
}

/** Without a countdown: how much is left of it now is not known. */
function asThen(insight: WireInsight): WireInsight {
  return { ...insight, selfHealsAt: null };
}
