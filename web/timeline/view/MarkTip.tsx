import type { CSSProperties } from 'react';
import type { BlindSpot } from '../../data/window/blind-spots.ts';
import { clockText } from '../../ui/time-text.ts';
import { incidentTitle } from '../../words/incident-title.ts';
import { useWords } from '../../words/language.ts';
import { spotText } from '../draw/layers/draw-blind.ts';
import { blindNote } from '../model/blind-note.ts';
import { type Mark, startOf, type Track } from '../model/marks.ts';
import { useNameOf } from '../model/people-names.ts';
import { countedWord, sentenceOf } from '../model/sentence.ts';
import { type VerdictMark, verdictTimes } from '../model/verdict-marks.ts';
import { useHasSeveralLocks, useWorkspace } from '../store/workspace.ts';

/** The mark under the pointer, and the pointer's position. */
export type Tip = {
  readonly track: Track;
  readonly mark: Mark;
  readonly count: number;
  readonly x: number;
  readonly y: number;
};

/** The blind spot under the pointer, and the pointer's position. */
export type SpotTip = { readonly spot: BlindSpot; readonly x: number; readonly y: number };

/** The problem under the pointer, and the pointer's position. */
export type ProblemTip = { readonly problem: VerdictMark; readonly x: number; readonly y: number };

const WIDTH_PX = 280;

/** The tooltip of a problem. Screen readers get the same from the notes of the table. */
export function VerdictTip({ tip: { problem, x, y } }: { tip: ProblemTip }) {
  const words = useWords();
  return (
    <div className="tl-tip" aria-hidden="true" style={placeOf(x, y)}>
      <b>{incidentTitle(problem.incident, words)}</b>{' '}
      <span className="quiet">{words.verdicts.severity[problem.severity]}</span>
      <p>{verdictTimes(problem, words)}</p>
    </div>
  );
}

/** The tooltip of a blind spot. Screen readers get the same from the notes of the table. */
export function BlindSpotTip({ tip: { spot, x, y } }: { tip: SpotTip }) {
  const words = useWords();
  return (
    <div className="tl-tip" aria-hidden="true" style={placeOf(x, y)}>
      <b>{spotText(spot, words)}</b>
      <p>{blindNote(spot, words.timeline.notes)}</p>
    </div>
  );
}

function placeOf(x: number, y: number): CSSProperties {
  return { left: `min(${x + 12}px, 100% - ${WIDTH_PX}px)`, top: y + 18 };
}

/** The tooltip of the mark under the pointer. Screen readers get the table row and the selection's sentence instead. */
export function MarkTip({ tip: { track, mark, count, x, y } }: { tip: Tip }) {
  const words = useWords();
  const nameOf = useNameOf(useHasSeveralLocks());
  const { timeline } = useWorkspace();
  const sentence = sentenceOf(track, mark, timeline.now(), nameOf, words);
  return (
    <div className="tl-tip" aria-hidden="true" style={placeOf(x, y)}>
      <b>{countedWord(mark, count, words.marks)}</b> <span className="quiet">{clockText(startOf(mark))}</span>
      {count < 2 ? <p>{sentence}</p> : <p className="quiet">{words.timeline.zoomToReport}</p>}
    </div>
  );
}
