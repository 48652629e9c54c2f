import { useState } from 'react';
import type { ObserveLevel, Source } from '../../shared/wire/source.ts';
import { problemFromError } from '../data/http.ts';
import { useObserve } from '../data/queries.ts';
import { Segments } from '../ui/Segments.tsx';

const LEVELS: readonly { level: ObserveLevel; word: string; sees: string; costs: string }[] = [
  {
    level: 'monitor',
    word: 'Monitor',
    sees: 'Everything: who asks, who is refused, who is woken by what.',
    costs: 'A busy Redis keeps 36 to 40 % of its throughput.',
  },
  {
    level: 'events',
    word: 'Key events only',
    sees: 'Every change of a lock and every wake-up message, but no refused attempts.',
    costs: 'A busy Redis keeps 74 % on lock traffic, 85 to 100 % on other traffic.',
  },
  {
    level: 'snapshot',
    word: 'Snapshots only',
    sees: 'Who holds what, looked at now and then.',
    costs: 'A bounded scan now and then.',
  },
];

const LIMITS = [
  { value: '60000', label: '1 min' },
  { value: '600000', label: '10 min' },
  { value: 'none', label: 'Until I stop it' },
] as const;

/** What the level of a source cannot see, and the other levels to choose from. */
export function LevelPanel({ source, onDone }: { source: Source; onDone: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const observe = useObserve();
  const problem = observe.error ? problemFromError(observe.error) : null;
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
          <p>What cannot be seen now:</p>
          <ul className="plain-list">
            {source.cannotSee.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      ) : (
        <p>Nothing about locks is hidden at this level.</p>
      )}
      <ul className="level-list">
        {LEVELS.map(({ level, word, sees, costs }) => (
          <li key={level} className={level === source.level ? 'is-current' : ''}>
            <div>
              <b>{word}</b>
              <p>{sees}</p>
              <p className="quiet">{costs}</p>
            </div>
            {level === source.level ? (
              <span className="quiet">on now</span>
            ) : (
              <button
                type="button"
                className="button is-small"
                disabled={observe.isPending}
                onClick={() => (level === 'monitor' ? setAsking(true) : change(level, null))}
              >
                Switch to {word.toLowerCase()}
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
  const [limit, setLimit] = useState<(typeof LIMITS)[number]['value']>('60000');
  return (
    <>
      <p>
        MONITOR shows who and why. It costs throughput: a busy Redis keeps 36 to 40 %. Start it on systems you may slow
        down.
      </p>
      <p>A guard stops it when Redis suffers.</p>
      <Segments label="For how long" value={limit} options={LIMITS} onChange={setLimit} />
      <div className="popover-actions">
        <button
          type="button"
          className="button is-primary"
          disabled={isBusy}
          onClick={() => onStart(limit === 'none' ? null : Number(limit))}
        >
          Start monitor
        </button>
        <button type="button" className="button" onClick={onBack}>
          Back
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
