import { clockText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import { type Mark, startOf, type Track } from '../model/marks.ts';
import { useNameOf } from '../model/people-names.ts';
import { countedWord, sentenceOf } from '../model/sentence.ts';
import { useWorkspace } from '../store/workspace.ts';

/** The mark under the pointer, and the pointer's position. */
export type Tip = {
  readonly track: Track;
  readonly mark: Mark;
  readonly count: number;
  readonly x: number;
  readonly y: number;
};

const WIDTH_PX = 280;

/** The tooltip of the mark under the pointer. Screen readers get the table row and the selection's sentence instead. */
export function MarkTip({ tip: { track, mark, count, x, y } }: { tip: Tip }) {
  const words = useWords();
  const nameOf = useNameOf();
  const { timeline } = useWorkspace();
  const sentence = sentenceOf(track, mark, timeline.now(), nameOf, words);
  return (
    <div className="tl-tip" aria-hidden="true" style={{ left: `min(${x + 12}px, 100% - ${WIDTH_PX}px)`, top: y + 18 }}>
      <b>{countedWord(mark, count, words.marks)}</b> <span className="quiet">{clockText(startOf(mark))}</span>
      {count < 2 ? <p>{sentence}</p> : <p className="quiet">{words.timeline.zoomToTell}</p>}
    </div>
  );
}
