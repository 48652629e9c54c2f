import { useEffect, useRef, useState } from 'react';
import { millisBetween, type RedisTime, redisTime } from '../../shared/base/time.ts';
import { pauseAt, useCursor } from '../cursor/cursor.ts';
import { movedByKey, type Playable, SPEEDS } from '../cursor/playing.ts';
import { countdownText, secondsText } from '../ui/time-text.ts';
import { cutInMiddle, visibleText } from '../ui/visible-text.ts';
import { incidentTitle } from '../words/incident-title.ts';
import { useWords } from '../words/language.ts';
import { ticksOnBar, useRecordedProblems } from './recorded-problems.ts';
import { ScrubTrack } from './ScrubTrack.tsx';
import { usePlayer } from './use-player.ts';

/** Whether the query of a link chooses an instant. */
const hasInstant = (search: string) => ['at', 'view', 'sel'].some((name) => new URLSearchParams(search).has(name));
const isLinkToInstant = typeof window !== 'undefined' && hasInstant(window.location.search);

type ScrubProps = { whole: Playable; isSmooth: boolean };

/** Controls that play a recording, and move to any of its instants. Their code is loaded with an opened recording. */
export default function ScrubControls({ whole, isSmooth }: ScrubProps) {
  const { recordingList } = useWords();
  const words = recordingList.scrub;
  const [speed, setSpeed] = useState<number>(1);
  const cursor = useCursor();
  const player = usePlayer(whole, speed, isSmooth);
  useBeginning(whole);
  const { from, to } = whole;
  const at = cursor.mode === 'paused' ? redisTime(Math.min(to, Math.max(from, cursor.at))) : to;
  const position = words.of(countdownText(millisBetween(from, at)), countdownText(millisBetween(from, to)));
  return (
    <section className="scrub-bar" aria-label={words.label}>
      <button
        type="button"
        className="button is-small"
        aria-label={player.isPlaying ? words.pause : words.play}
        title={player.isPlaying ? words.pause : words.play}
        onClick={player.toggle}
      >
        {player.isPlaying ? '❚❚' : '▶'}
      </button>
      <div className="scrub-track">
        <ScrubTrack whole={whole} />
        <input
          type="range"
          aria-label={words.position}
          aria-valuetext={`${position}, ${secondsText(at)}`}
          min={0}
          max={Math.max(1, to - from)}
          step="any"
          value={at - from}
          onChange={(event) => pauseAt(redisTime(Math.round(from + Number(event.target.value))))}
          onKeyDown={(event) => {
            const next = event.ctrlKey || event.altKey || event.metaKey ? null : movedByKey(whole, at, event.key);
            if (next === null) return;
            event.preventDefault();
            pauseAt(next);
          }}
        />
        <ScrubTicks whole={whole} at={at} />
      </div>
      <span className="scrub-at" aria-hidden="true">
        {secondsText(at)} <span className="quiet">{position}</span>
      </span>
      <select aria-label={words.speed} value={speed} onChange={(event) => setSpeed(Number(event.target.value))}>
        {SPEEDS.map((factor) => (
          <option key={factor} value={factor}>
            {words.times(factor)}
          </option>
        ))}
      </select>
    </section>
  );
}

/** Opens a recording at its beginning, unless the page was opened by a link to another instant. */
function useBeginning({ from }: Playable): void {
  const isDone = useRef(isLinkToInstant);
  useEffect(() => {
    if (isDone.current) return;
    isDone.current = true;
    pauseAt(from);
  }, [from]);
}

type TicksProps = { whole: Playable; at: RedisTime };

/** In front of the slider: a tick for each problem, which moves to the instant at which it was reported. */
function ScrubTicks({ whole, at: shownAt }: TicksProps) {
  const words = useWords();
  const { recordingList } = words;
  const ticks = ticksOnBar(useRecordedProblems() ?? [], whole);
  if (ticks.length === 0) return null;
  return (
    <ul className="scrub-ticks" aria-label={recordingList.scrub.problems}>
      {ticks.map(({ at, problem, others }) => {
        const title = incidentTitle(problem.incident, words);
        const name = visibleText(cutInMiddle(problem.lock ?? problem.source, 60));
        const jump = recordingList.scrub.jump(title, name, secondsText(at));
        const label = others === 0 ? jump : `${jump} ${recordingList.moreProblems(others)}`;
        return (
          <li key={problem.seq} style={{ left: `${(100 * (at - whole.from)) / Math.max(1, whole.to - whole.from)}%` }}>
            <button
              type="button"
              className={`is-${problem.severity}`}
              aria-label={label}
              aria-current={at === shownAt ? 'time' : undefined}
              title={label}
              onClick={() => pauseAt(at)}
            />
          </li>
        );
      })}
    </ul>
  );
}
