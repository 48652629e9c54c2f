import type { Demo } from '../../shared/wire/demo.ts';

/** The steps of a scenario, each lit once Redis has seen it happen. */
export function StepList({ demo }: { demo: Demo }) {
  return (
    <ol className="step-list" aria-label="Steps">
      {demo.script.map(({ n, title }) => {
        const isReached = n <= demo.step;
        const isNewest = n === demo.step && demo.state === 'running';
        return (
          <li
            key={n}
            aria-label={`Step ${n}: ${title}`}
            aria-current={isNewest ? 'step' : undefined}
            data-reached={isReached}
          >
            <span className="step-mark" aria-hidden="true">
              {isReached ? '✓' : n}
            </span>
            <span className="step-title">{title}</span>
            <span className="only-heard">{isReached ? ' reached' : ' not reached yet'}</span>
          </li>
        );
      })}
    </ol>
  );
}
