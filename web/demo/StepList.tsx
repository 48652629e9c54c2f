import type { Demo } from '../../shared/wire/demo.ts';
import { useWords } from '../words/language.ts';
import { stepText } from './scenario-text.ts';

/** The steps of a scenario, each lit once Redis has seen it happen. */
export function StepList({ demo }: { demo: Demo }) {
  const stage = useWords().stage;
  const words = stage.scenario;
  return (
    <ol className="step-list" aria-label={words.steps}>
      {demo.script.map(({ n, title }) => {
        const said = stepText(demo.scenario, n, title, stage);
        const isReached = n <= demo.step;
        const isNewest = n === demo.step && demo.state === 'running';
        return (
          <li
            key={n}
            aria-label={words.step(String(n), said)}
            aria-current={isNewest ? 'step' : undefined}
            data-reached={isReached}
          >
            <span className="step-mark" aria-hidden="true">
              {isReached ? '✓' : n}
            </span>
            <span className="step-title">{said}</span>
            <span className="only-heard">{` ${isReached ? words.reached : words.notReached}`}</span>
          </li>
        );
      })}
    </ol>
  );
}
