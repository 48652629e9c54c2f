import type { Demo } from '../../shared/wire/demo.ts';
import { useWords } from '../words/language.ts';
import { stepText } from './scenario-text.ts';

type StepListProps = { demo: Demo; shown: number; showsLater: boolean };

/**
 * The steps of a scenario. The first `shown` steps are lit. Unless `showsLater`, later ones are only numbers: their
 * texts would give the answer away before the stage shows it.
 */
export function StepList({ demo, shown, showsLater }: StepListProps) {
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
            aria-label={isReached || showsLater ? words.step(String(n), texts) : words.stepToCome(String(n))}
            aria-current={isNewest ? 'step' : undefined}
            data-reached={isReached}
          >
            <span className="step-mark" aria-hidden="true">
              {isReached ? '✓' : n}
            </span>
            <span className="step-title">{(isReached || showsLater) && texts}</span>
            <span className="only-heard">{` ${isReached ? words.reached : words.notReached}`}</span>
          </li>
        );
      })}
    </ol>
  );
}
