import type { RedisTime } from '../../shared/base/time.ts';
import { standAt } from '../cursor/cursor.ts';
import type { Playable } from '../cursor/playing.ts';
import { secondsText } from '../ui/time-text.ts';
import { cutInMiddle, visibleText } from '../ui/visible-text.ts';
import { incidentTitle } from '../words/incident-title.ts';
import { useWords } from '../words/language.ts';
import { ticksOnBar, useRecordedProblems } from './recorded-problems.ts';

type TicksProps = { whole: Playable; at: RedisTime };

/** In front of the slider: a tick for each problem, which moves to the instant at which it was reported. */
export function ScrubTicks({ whole, at: here }: TicksProps) {
  const words = useWords();
  const { recordings } = words;
  const ticks = ticksOnBar(useRecordedProblems() ?? [], whole);
  if (ticks.length === 0) return null;
  return (
    <ul className="scrub-ticks" aria-label={recordings.scrub.problems}>
      {ticks.map(({ at, problem, others }) => {
        const title = incidentTitle(problem.incident, words);
        const name = visibleText(cutInMiddle(problem.lock ?? problem.source, 60));
        const jump = recordings.scrub.jump(title, name, secondsText(at));
        const label = others === 0 ? jump : `${jump} ${recordings.moreProblems(others)}`;
        return (
          <li key={problem.seq} style={{ left: `${(100 * (at - whole.from)) / Math.max(1, whole.to - whole.from)}%` }}>
            <button
              type="button"
              className={`is-${problem.severity}`}
              aria-label={label}
              aria-current={at === here ? 'time' : undefined}
              title={label}
              onClick={() => standAt(at)}
            />
          </li>
        );
      })}
    </ul>
  );
}
