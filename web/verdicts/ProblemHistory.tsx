import { redisTime } from '../../shared/base/time.ts';
import { pauseAt } from '../cursor/cursor.ts';
import { useShownNow } from '../cursor/shown-instant.ts';
import { useProblemLog } from '../data/queries/problem-log.ts';
import { NameText } from '../ui/NameText.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { countText, durationText, secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { repeatedProblems } from './repeated-problems.ts';

const MOST_SHOWN = 100;

/** The problems of the newest 24 hours: how often, for how long, and a jump to the last one. */
export default function ProblemHistory() {
  const { insights, verdicts: texts, verdictDetails } = useWords();
  const now = useShownNow();
  const problems = useProblemLog();
  if (!problems) return <p className="quiet">{texts.reading}</p>;
  const all = repeatedProblems(problems, now ?? 0);
  if (all.length === 0) return <p className="quiet">{verdictDetails.noneInDay}</p>;
  const { lock, problem, times, length, last } = texts.history;
  return (
    <PlainTable
      label={texts.day}
      boxLabel={texts.day}
      heads={[problem, lock, times, length, last]}
      more={Math.max(0, all.length - MOST_SHOWN)}
    >
      {all.slice(0, MOST_SHOWN).map(({ newest, count, ms, isOpen }) => (
        <tr key={newest.insight}>
          <td>
            {texts.severity[newest.severity]}:{' '}
            {newest.incident in insights ? insights[newest.incident as keyof typeof insights].title : newest.incident}
          </td>
          <td>
            <NameText text={newest.lock ?? newest.source} most={60} />
          </td>
          <td>{countText(count)}</td>
          <td>{isOpen ? verdictDetails.goesOn(durationText(ms)) : durationText(ms)}</td>
          <td>
            <button
              type="button"
              className="button is-small"
              title={texts.jump}
              onClick={() => pauseAt(redisTime(newest.reportedAt))}
            >
              {secondsText(newest.reportedAt)}
            </button>
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}
