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
  const { levels } = words;
  const [limit, setLimit] = useState<(typeof LIMITS)[number]>('300000');
  const observe = useObserve();
  const limits = LIMITS.map((value) => ({ value, label: levels.limits[value] }));
  const isOverBudget = observe.error instanceof ApiError && observe.error.code === 'over-budget';
  const start = (forMs: number | null, force: boolean) =>
    observe.mutate({ source: source.id, level: 'monitor', forMs, force }, onDone ? { onSuccess: onDone } : {});
  const costShare = source.monitor?.costShare ?? null;
  return (
    <>
      <p>{levels.monitorWarning}</p>
      <MonitorPrice source={source} />
      <p>{levels.monitorGuard}</p>
      {!isOverBudget && (
        <div className="how-long">
          <h3>{levels.howLong}</h3>
          <Segments label={levels.howLong} value={limit} options={limits} onChange={setLimit} />
        </div>
      )}
      <Refusal error={observe.error} {...(isOverBudget ? { hint: words.problems.overBudgetHint } : {})} />
      <div className="popover-actions">
        {isOverBudget ? (
          <button type="button" className="button" disabled={observe.isPending} onClick={() => start(FORCED_MS, true)}>
            {levels.startAnyway}
          </button>
        ) : (
          <button
            type="button"
            className="button is-primary"
            disabled={observe.isPending}
            onClick={() => start(limit === 'none' ? null : Number(limit), false)}
          >
            {levels.startMonitor[limit]}
            {costShare !== null && ` ${levels.forPrice(percent(costShare))}`}
          </button>
        )}
        <button type="button" className="button" onClick={onBack}>
          {levels.back}
        </button>
      </div>
    </>
  );
}

/** Shows why a request was refused. `hint` replaces the usual hint. A command that permits MONITOR can be copied. */
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
