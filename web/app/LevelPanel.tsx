import { useState } from 'react';
import type { ObserveLevel, Source } from '../../shared/wire/source.ts';
import { problemFromError } from '../data/http.ts';
import { useObserve } from '../data/queries.ts';
import { useWords } from '../words/language.ts';
import { sentenceText } from '../words/problem-text.ts';
import { MonitorQuestion, Refusal } from './MonitorQuestion.tsx';

const LEVELS: readonly ObserveLevel[] = ['monitor', 'events', 'snapshot'];

/** What the level of a source cannot see, and the other levels to choose from. */
export function LevelPanel({ source, onDone }: { source: Source; onDone: () => void }) {
  const words = useWords();
  const { health } = words;
  const [isAsking, setAsking] = useState(false);
  const observe = useObserve();
  const problem = observe.error ? problemFromError(observe.error, words) : null;
  const change = (level: ObserveLevel, forMs: number | null) =>
    observe.mutate({ source: source.id, level, forMs }, { onSuccess: onDone });

  if (isAsking) {
    return (
      <MonitorQuestion
        isBusy={observe.isPending}
        problem={problem}
        onStart={(forMs) => change('monitor', forMs)}
        onBack={() => setAsking(false)}
      />
    );
  }
  return (
    <>
      {source.cannotSee.length > 0 ? (
        <>
          <p>{health.cannotSee}</p>
          <ul className="plain-list">
            {source.cannotSee.map((sentence) => (
              <li key={sentence}>{sentenceText(words, sentence)}</li>
            ))}
          </ul>
        </>
      ) : (
        <p>{health.seesAll}</p>
      )}
      <ul className="level-list">
        {LEVELS.map((level) => (
          <li key={level} className={level === source.level ? 'is-current' : ''}>
            <div>
              <b>{health.level[level]}</b>
              <p>{health.sees[level]}</p>
              <p className="quiet">{health.costs[level]}</p>
            </div>
            {level === source.level ? (
              <span className="quiet">{health.onNow}</span>
            ) : (
              <button
                type="button"
                className="button is-small"
                disabled={observe.isPending}
                onClick={() => (level === 'monitor' ? setAsking(true) : change(level, null))}
              >
                {health.switchTo[level]}
              </button>
            )}
          </li>
        ))}
      </ul>
      <Refusal problem={problem} />
    </>
  );
}
