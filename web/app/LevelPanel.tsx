import { useState } from 'react';
import type { ObserveLevel, Source } from '../../shared/wire/source.ts';
import { problemFromError } from '../data/http.ts';
import { useObserve } from '../data/queries.ts';
import { Segments } from '../ui/Segments.tsx';
import { useWords } from '../words/language.ts';
import { sentenceText } from '../words/problem-text.ts';

const LEVELS: readonly ObserveLevel[] = ['monitor', 'events', 'snapshot'];
const LIMITS = ['60000', '600000', 'none'] as const;

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

type MonitorQuestionProps = {
  isBusy: boolean;
  problem: { message: string; hint: string } | null;
  onStart: (forMs: number | null) => void;
  onBack: () => void;
};

function MonitorQuestion({ isBusy, problem, onStart, onBack }: MonitorQuestionProps) {
  const { health } = useWords();
  const [limit, setLimit] = useState<(typeof LIMITS)[number]>('60000');
  const limits = LIMITS.map((value) => ({ value, label: health.limits[value] }));
  return (
    <>
      <p>{health.monitorWarning}</p>
      <p>{health.monitorGuard}</p>
      <Segments label={health.howLong} value={limit} options={limits} onChange={setLimit} />
      <div className="popover-actions">
        <button
          type="button"
          className="button is-primary"
          disabled={isBusy}
          onClick={() => onStart(limit === 'none' ? null : Number(limit))}
        >
          {health.startMonitor}
        </button>
        <button type="button" className="button" onClick={onBack}>
          {health.back}
        </button>
      </div>
      <Refusal problem={problem} />
    </>
  );
}

function Refusal({ problem }: { problem: { message: string; hint: string } | null }) {
  if (!problem) return null;
  return (
    <p role="alert" className="refusal">
      <span aria-hidden="true">✕</span> {problem.message} {problem.hint}
    </p>
  );
}
