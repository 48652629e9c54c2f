import { useSettled } from '../data/queries/use-settled.ts';
import { countText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { type EventRow, foldedIn } from './event-rows.ts';

const EVERY_MS = 1000;

type FoldNoteProps = { rows: readonly EventRow[]; isFolding: boolean; onChange: (isFolding: boolean) => void };

/** Shows how many events the collapsed folds of a list contain, and lets the user switch folding off and on. */
export function FoldNote({ rows, isFolding, onChange }: FoldNoteProps) {
  const { eventList } = useWords();
  const settled = useSettled(rows, EVERY_MS);
  const folded = foldedIn(settled);
  if (isFolding && folded.rows === 0) return null;
  return (
    <p className="list-notes">
      {folded.rows > 0 && <span>{eventList.foldedRows(countText(folded.events), countText(folded.rows))}</span>}
      <button type="button" className="button is-small" onClick={() => onChange(!isFolding)}>
        {isFolding ? eventList.unfold : eventList.fold}
      </button>
    </p>
  );
}
