import type { Demo } from '../../shared/wire/demo.ts';
import { useWords } from '../words/language.ts';
import { stepText } from './scenario-text.ts';

/** The steps of a scenario. The first `shown` steps are lit. */
export function StepList({ demo, shown }: { demo: Demo; shown: number }) {
  const stage = useWords().stage;
  const words = stage.scenario;
  return (
    <ol className="step-list" aria-label={words.steps}>
      {demo.script.map(({ n, title }) => {
        const texts = stepText(demo, n, title, stage);
        const isReached = n <= shown;
        const isNewest = n === shown && (demo.state === 'running' || shown < demo.step);
        return (
          <li
            key={n}
            aria-label={words.step(String(n), texts)}
            aria-current={isNewest ? 'step' : undefined}
            data-reached={isReached}
          >
            <span className="step-mark" aria-hidden="true">
              {isReached ? '✓' : n}
            </span>
            <span className="step-title">{texts}</span>
            <span className="only-heard">{` ${isReached ? words.reached : words.notReached}`}</span>
          </li>
        );
      })}
    </ol>
  );
}
