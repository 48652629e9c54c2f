import { millisBetween } from '../../../shared/base/time.ts';
import { countdownText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import { useStageView } from '../playback/use-stage.ts';

/** A note about the renewal that did not come. */
export function Insight() {
  const { picture } = useStageView();
  const { insights, stage } = useWords();
  const { overdue } = picture;
  if (!overdue) return null;
  const lateMs = Math.max(0, millisBetween(overdue.dueAt, picture.at));
  return (
    <aside className="stage-insight">
      <strong>
        <span aria-hidden="true">△</span> {insights['renewal-overdue'].title}
      </strong>
      <p>{stage.insight.since(overdue.letter, countdownText(lateMs))}</p>
    </aside>
  );
}
