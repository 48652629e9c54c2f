import { millisBetween } from '../../../shared/base/time.ts';
import type { Demo } from '../../../shared/wire/demo.ts';
import { countdownText, unbroken } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import { captionText } from '../captions/caption.ts';
import { startingText } from '../playback/starting-text.ts';
import { useStageView } from '../playback/use-stage.ts';
import type { StageRun } from '../script/run.ts';
import { isScenario } from '../script/scenario-table.ts';

type CaptionProps = {
  demo: Pick<Demo, 'starting' | 'state'>;
  /** The lesson of the scenario is shown. */
  isEnding: boolean;
};

/** The caption under the controls, and beside it the note about a missing renewal. Both have a fixed place. */
export function CaptionBar({ demo, isEnding }: CaptionProps) {
  return (
    <div className="stage-caption-bar">
      <Caption demo={demo} isEnding={isEnding} />
      <Insight />
    </div>
  );
}

/**
 * The caption, or what a starting scenario waits for; at the end, what the scenario has promised to show. Screen
 * readers read it aloud when it changes.
 */
function Caption({ demo: { starting, state }, isEnding }: CaptionProps) {
  const { picture, storyboard } = useStageView();
  const { scenario } = storyboard.run;
  const words = useWords();
  const text = picture.caption ? withWholeNames(captionText(picture.caption, words), storyboard.run) : '';
  const isWaiting = storyboard.beats.length === 0;
  const whileEmpty = state === 'running' ? words.stage.firstEvent : words.stage.nothingYet;
  if (starting)
    return (
      <p className="stage-caption is-starting" role="status">
        {startingText(starting, words)}
      </p>
    );
  if (isEnding && isScenario(scenario)) {
    return (
      <p className="stage-caption" role="status" data-say="promise">
        {words.lessons.of[scenario].promise}
      </p>
    );
  }
  return (
    <p className="stage-caption" role="status" data-say={picture.caption?.is ?? ''}>
      {isWaiting ? <span className="quiet">{whileEmpty}</span> : text}
    </p>
  );
}

/** A caption on two lines does not break the name of a server: `Redis 2`. */
function withWholeNames(text: string, { servers }: StageRun): string {
  return servers.reduce((whole, { name }) => whole.replaceAll(name, unbroken(name)), text);
}

/** A note about a missing renewal. */
function Insight() {
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
