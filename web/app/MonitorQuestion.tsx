import { useState } from 'react';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Segments } from '../ui/Segments.tsx';
import { useWords } from '../words/language.ts';

const LIMITS = ['60000', '600000', 'none'] as const;

type MonitorQuestionProps = {
  isBusy: boolean;
  problem: { message: string; hint: string } | null;
  onStart: (forMs: number | null) => void;
  onBack: () => void;
};

/** Asks before MONITOR starts: what it costs, and for how long it may run. */
export function MonitorQuestion({ isBusy, problem, onStart, onBack }: MonitorQuestionProps) {
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

/** Why it was refused; where a command would allow it, that command to copy. */
export function Refusal({ problem }: { problem: { message: string; hint: string } | null }) {
  const { states } = useWords();
  if (!problem) return null;
  const command = /ACL SETUSER \S+ \+monitor/.exec(problem.hint)?.[0];
  return (
    <p role="alert" className="refusal">
      <span aria-hidden="true">✕</span> {problem.message} {problem.hint}{' '}
      {command !== undefined && <CopyButton text={command} label={states.copyCommand} />}
    </p>
  );
}
