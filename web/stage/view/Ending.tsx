import { useWords } from '../../words/language.ts';
import { useStageView } from '../playback/use-stage.ts';
import { isScenario, scenarioRow } from '../script/scenario-table.ts';
import { EndingButtons, type EndingButtonsProps } from './EndingButtons.tsx';
import { WakeUps } from './WakeUps.tsx';

/** The end of a scenario: its lesson, the measured wake-ups, and what to do next. It covers the cards. */
export function Ending(props: EndingButtonsProps) {
  const { scenario } = useStageView().score.run;
  return (
    <div className="stage-ending">
      {isScenario(scenario) && <Moral scenario={scenario} />}
      <WakeUps />
      <EndingButtons {...props} />
    </div>
  );
}

function Moral({
  scenario,
}: {
  scenario: Parameters<typeof scenarioRow>[0] & keyof ReturnType<typeof useWords>['lessons']['of'];
}) {
  const words = useWords().lessons;
  const lesson = words.of[scenario];
  const isTrouble = scenarioRow(scenario)?.isTrouble === true;
  const rows = [
    { head: isTrouble ? words.went : words.happened, text: lesson.what },
    { head: words.production, text: lesson.production },
    { head: isTrouble ? words.prevents : words.know, text: lesson.prevents },
  ];
  return (
    <section className={`stage-moral ${isTrouble ? 'is-trouble' : ''}`} aria-label={words.label}>
      <dl>
        {rows.map(({ head, text }) => (
          <div key={head}>
            <dt>{head}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
