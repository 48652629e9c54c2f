import { millisBetween, redisTime } from '../../shared/base/time.ts';
import type { LoggedProblem } from '../../shared/wire/insights/problem-log.ts';
import { pauseAt } from '../cursor/cursor.ts';
import { NameText } from '../ui/NameText.tsx';
import { durationText, secondsText } from '../ui/time-text.ts';
import { incidentTitle } from '../words/incident-title.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import { useRecordedProblems } from './recorded-problems.ts';

/** How many problems are listed at once; more are listed after a click on the last line. */
const MOST_SHOWN = 5;

type ContentsProps = { from: number; to: number };

/** The problems in the opened recording. Each is a button that jumps to the instant at which it was reported. */
export default function RecordingContents({ from, to }: ContentsProps) {
  const { recordingList } = useWords();
  const problems = useRecordedProblems();
  if (!problems) return null;
  const length = durationText(millisBetween(redisTime(from), redisTime(to)));
  if (problems.length === 0) return <p className="recording-contents quiet">{recordingList.noProblems(length)}</p>;
  const [shown, others] = [problems.slice(0, MOST_SHOWN), problems.slice(MOST_SHOWN)];
  return (
    <section className="recording-contents" aria-label={recordingList.contents}>
      <b>{recordingList.inThese(length)}</b>
      <Jumps problems={shown} />
      {others.length > 0 && (
        <details>
          <summary>{recordingList.moreProblems(others.length)}</summary>
          <Jumps problems={others} />
        </details>
      )}
    </section>
  );
}

function Jumps({ problems }: { problems: readonly LoggedProblem[] }) {
  const words = useWords();
  return (
    <ul>
      {problems.map((problem) => (
        <li key={problem.seq}>
          <button
            type="button"
            className={`button is-small is-${problem.severity}`}
            title={words.recordingList.jumpTo}
            onClick={() => pauseAt(redisTime(problem.reportedAt))}
          >
            <span aria-hidden="true">{problem.severity === 'critical' ? '✕' : '▲'}</span>
            <b>{incidentTitle(problem.incident, words)}</b> <NameText text={problem.lock ?? problem.source} most={60} />{' '}
            <span className="quiet">{timesOf(problem, words)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** From when to when a problem lasted, or since when it lasts. */
function timesOf({ from, to, isAtLeast }: LoggedProblem, { verdicts: texts, verdictDetails }: Words): string {
  const began = secondsText(from);
  if (to === null) return (isAtLeast ? texts.sinceBefore : texts.since)(began);
  const ended = secondsText(to);
  return began === ended ? texts.happened(began) : verdictDetails.fromTo(began, ended);
}
