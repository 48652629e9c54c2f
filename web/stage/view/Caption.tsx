import type { Demo } from '../../../shared/wire/demo.ts';
import { useWords } from '../../words/language.ts';
import { captionText } from '../captions/caption.ts';
import { startingText } from '../playback/starting-text.ts';
import { useStageView } from '../playback/use-stage.ts';
import { Insight } from './Insight.tsx';

/** The caption under the controls, and beside it the note about a missing renewal. Both have a fixed place. */
export function CaptionBar({ demo }: { demo: Pick<Demo, 'starting' | 'state'> }) {
  return (
    <div className="stage-caption-bar">
      <Caption demo={demo} />
      <Insight />
    </div>
  );
}

/** The caption, or what a starting scenario waits for. Screen readers read it aloud when it changes. */
function Caption({ demo: { starting, state } }: { demo: Pick<Demo, 'starting' | 'state'> }) {
  const { picture, score } = useStageView();
  const words = useWords();
  const text = picture.caption ? captionText(picture.caption, words) : '';
  const isWaiting = score.beats.length === 0;
  const whileEmpty = state === 'running' ? words.stage.firstEvent : words.stage.nothingYet;
  if (starting)
    return (
      <p className="stage-caption is-starting" role="status">
        {startingText(starting, words)}
      </p>
    );
  return (
    <p className="stage-caption" role="status" data-say={picture.caption?.say ?? ''}>
      {isWaiting ? <span className="quiet">{whileEmpty}</span> : text}
    </p>
  );
}
