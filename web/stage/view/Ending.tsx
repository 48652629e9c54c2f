import { countdownText, unbroken } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import { comparisonFrom } from '../beats/comparison-from-run.ts';
import { wakeText } from '../captions/caption.ts';
import { useStageView } from '../playback/use-stage.ts';
import { isScenario, scenarioRow } from '../script/scenario-table.ts';
import { EndingButtons, type EndingButtonsProps } from './EndingButtons.tsx';

/** The end of a scenario: its lesson, the measured wake-ups, and what to do next. It covers the cards. */
export function Ending(props: EndingButtonsProps) {
  const { scenario } = useStageView().storyboard.run;
  return (
    <div className="stage-ending">
      {isScenario(scenario) && <Lesson scenario={scenario} />}
      <WakeUps />
      <EndingButtons {...props} />
    </div>
  );
}

function Lesson({
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

/** The measured wake-up times of this run: by a message, and by the waiter's own timer. */
function WakeUps() {
  const { storyboard } = useStageView();
  const all = useWords();
  const words = all.stage.summary;
  const comparison = comparisonFrom(storyboard);
  if (!comparison) return null;
  const { messageMs, timerMs, before } = comparison;
  return (
    <section className="stage-wake-ups" aria-label={words.label}>
      {messageMs !== null && (
        <div className="stage-card stage-wake-up">
          <h3>
            <span aria-hidden="true">◆</span> {words.released}
          </h3>
          <p>{words.byMessage(unbroken(wakeText(messageMs, all.time)))}</p>
        </div>
      )}
      {timerMs !== null && (
        <div className="stage-card stage-wake-up is-lost">
          <h3>
            <span aria-hidden="true">✕</span> {words.noMessage[before ?? 'ran-out']}
          </h3>
          <p>{words.byTimer(unbroken(countdownText(timerMs)))}</p>
        </div>
      )}
    </section>
  );
}
