import { useState } from 'react';
import type { ObserveLevel, Source } from '../../shared/wire/source.ts';
import { isWatched } from '../../shared/wire/watched.ts';
import { useRedisNow } from '../data/live/use-live.ts';
import { useObserve } from '../data/queries/level-orders.ts';
import { MonitorPrice } from '../monitor/MonitorPrice.tsx';
import MonitorQuestion, { Refusal } from '../monitor/MonitorQuestion.tsx';
import { countdownText } from '../ui/time-text.ts';
import { isWatchedElsewhere } from '../url/base-path.ts';
import { useWords } from '../words/language.ts';
import { problemText } from '../words/problem-text.ts';

const LEVELS: readonly ObserveLevel[] = ['monitor', 'replication', 'events', 'snapshot'];

/**
 * Shows what the level of a source hides, and the levels to choose from; in a viewer, only its level, and where that is
 * chosen. This code is loaded when first needed.
 */
export default function LevelPanel({ source, onDone }: { source: Source; onDone: () => void }) {
  const words = useWords();
  const { health, levels } = words;
  const [isAsking, setAsking] = useState(false);
  const observe = useObserve();
  const change = (level: ObserveLevel) =>
    observe.mutate({ source: source.id, level, forMs: null }, { onSuccess: onDone });

  if (isAsking) return <MonitorQuestion source={source} onDone={onDone} onBack={() => setAsking(false)} />;
  return (
    <>
      {source.unseen.length > 0 ? (
        <>
          <p>{levels.cannotSee}</p>
          <ul className="plain-list">
            {source.unseen.map((limit) => (
              <li key={limit.message}>{problemText(words, limit).message}</li>
            ))}
          </ul>
        </>
      ) : (
        isWatched(source) && <p>{levels.seesAll}</p>
      )}
      <ul className="level-list">
        {LEVELS.filter((level) => !isWatchedElsewhere || level === source.level).map((level) => (
          <li key={level} className={level === source.level ? 'is-current' : ''}>
            <div>
              <b>{health.level[level]}</b>
              <p>{levels.sees[level]}</p>
              <p className="quiet">{levels.costs[level]}</p>
              {level === 'monitor' && <MonitorPrice source={source} />}
            </div>
            {level === source.level ? (
              <span className="quiet">{source.levelUntil ? <UntilText source={source} /> : levels.onNow}</span>
            ) : (
              <button
                type="button"
                className="button is-small"
                disabled={observe.isPending}
                onClick={() => (level === 'monitor' ? setAsking(true) : change(level))}
              >
                {levels.switchTo[level]}
              </button>
            )}
          </li>
        ))}
      </ul>
      {isWatchedElsewhere && <p>{levels.elsewhere}</p>}
      <Refusal error={observe.error} />
    </>
  );
}

/** Shows how much longer the level lasts. */
function UntilText({ source }: { source: Source }) {
  const { levels } = useWords();
  const now = useRedisNow(source.id);
  if (now === null || !source.levelUntil) return levels.onNow;
  return levels.onFor(countdownText(Math.max(0, (source.levelUntil - now) / 1000)));
}
