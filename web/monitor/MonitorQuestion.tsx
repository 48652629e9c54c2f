import { useState } from 'react';
import type { Source } from '../../shared/wire/source.ts';
import { ApiError, problemFromError } from '../data/http/http.ts';
import { byCode } from '../data/http/sent-problem.ts';
import { useObserve } from '../data/queries/level-orders.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Segments } from '../ui/Segments.tsx';
import { useWords } from '../words/language.ts';
import { MonitorPrice } from './MonitorPrice.tsx';
import { percent } from './percent.ts';
import { permissionCommand } from './permission-command.ts';

const LIMITS = ['60000', '300000', 'none'] as const;
/** How long MONITOR runs if the user starts it although it exceeds the cost budget. */
const FORCED_MS = 30_000;

/** Asks before MONITOR starts: shows its cost on this Redis and lets the user limit its duration. */
export default function MonitorQuestion({
  source,
  onDone,
  onBack,
}: {
  source: Source;
  onDone?: () => void;
  onBack: () => void;
}) {
  const words = useWords();
  const { health } = words;
  const [limit, setLimit] = useState<(typeof LIMITS)[number]>('300000');
  const observe = useObserve();
  const limits = LIMITS.map((value) => ({ value, label: health.limits[value] }));
  const isOverBudget = observe.error instanceof ApiError && observe.error.code === 'over-budget';
  const start = (forMs: number | null, force: boolean) =>
    observe.mutate({ source: source.id, level: 'monitor', forMs, force }, onDone ? { onSuccess: onDone } : {});
  const costShare = source.monitor?.costShare ?? null;
  return (
    <>
      <p>{health.monitorWarning}</p>
      <MonitorPrice source={source} />
      <p>{health.monitorGuard}</p>
      {!isOverBudget && (
        <div className="how-long">
          <h3>{health.howLong}</h3>
          <Segments label={health.howLong} value={limit} options={limits} onChange={setLimit} />
        </div>
      )}
      <Refusal error={observe.error} {...(isOverBudget ? { hint: words.problems.overBudgetHint } : {})} />
      <div className="popover-actions">
        {isOverBudget ? (
          <button type="button" className="button" disabled={observe.isPending} onClick={() => start(FORCED_MS, true)}>
            {health.startAnyway}
          </button>
        ) : (
          <button
            type="button"
            className="button is-primary"
            disabled={observe.isPending}
            onClick={() => start(limit === 'none' ? null : Number(limit), false)}
          >
            {health.startMonitor[limit]}
            {costShare !== null && ` ${health.forPrice(percent(costShare))}`}
          </button>
        )}
        <button type="button" className="button" onClick={onBack}>
          {health.back}
        </button>
      </div>
    </>
  );
}

/** Shows why a request was refused; `hint` replaces the usual one. Has a copy button for a command that allows it. */
export function Refusal({ error, hint }: { error: Error | null; hint?: string }) {
  const words = useWords();
  if (!error) return null;
  const problem = problemFromError(error, words);
  const known = error instanceof ApiError ? byCode(error.problem) : undefined;
  const command = known?.code === 'monitor-refused' ? permissionCommand(known.values.user) : undefined;
  return (
    <p role="alert" className="refusal">
      <span aria-hidden="true">✕</span> {problem.message} {hint ?? problem.hint}{' '}
      {command !== undefined && <CopyButton text={command} label={words.states.copyCommand} />}
    </p>
  );
}
