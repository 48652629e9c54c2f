import { nameInId } from '../../../shared/state/lock-state.ts';
import { endOfSpot } from '../../data/window/blind-spots.ts';
import { droppedOf, isRangeInView } from '../../data/window/drops.ts';
import { secondsText } from '../../ui/time-text.ts';
import { incidentTitle } from '../../words/incident-title.ts';
import { useWords } from '../../words/language.ts';
import type { Words } from '../../words/words.ts';
import { blindNote } from '../model/blind-note.ts';
import { verdictTimes } from '../model/verdict-marks.ts';
import { shownLocks } from '../picture/shown-lanes.ts';
import type { TimelineStore } from '../store/timeline-store.ts';
import { useTimeline, useWorkspace } from '../store/workspace.ts';

/** The most notes about empty ranges, and the most about problems. */
const MOST_NOTES = 6;
/** Only this many locks are checked for drops and problems. */
const MOST_LOCKS = 200;

/** In words: the empty ranges of the picture (not watched, dropped from memory, not loaded), and the problems. */
export function RangeNotes() {
  const words = useWords();
  const { timeline } = useWorkspace();
  const notes = useTimeline(() => {
    const ranges = notesOf(timeline, words.timeline.notes).slice(0, MOST_NOTES);
    return [...ranges, ...problemNotes(timeline, words).slice(-MOST_NOTES)].join('\n');
  });
  if (notes === '') return null;
  return notes.split('\n').map((note) => <span key={note}>{note}</span>);
}

function notesOf(timeline: TimelineStore, words: Words['timeline']['notes']): string[] {
  const view = timeline.view();
  const now = timeline.now();
  const unknown = timeline.unknownIn(view).map(({ why, from, to, edge }) => {
    if (why === 'dropped' || why === 'before-first') return words[why](secondsText(edge));
    return words[why](secondsText(from), secondsText(to));
  });
  const blind = timeline
    .blindSpots()
    .filter((spot) => spot.from <= view.to && endOfSpot(spot, now, view.to) >= view.from)
    .map((spot) => blindNote(spot, words));
  return [...unknown, ...blind, ...droppedNotes(timeline, words)];
}

/**
 * Notes about the problems whose time from report to reported end overlaps the view. Without a reported end, only the
 * instant of the report counts.
 */
function problemNotes(timeline: TimelineStore, words: Words): string[] {
  const { from, to } = timeline.view();
  return shownLocks(timeline, MOST_LOCKS).flatMap((id) => {
    const verdicts = timeline.tracks.last(id, Date.now())?.verdicts ?? [];
    return verdicts
      .filter((mark) => mark.from <= to && (mark.to ?? mark.from) >= from)
      .map((mark) =>
        words.timeline.notes.problem(nameInId(id), incidentTitle(mark.incident, words), verdictTimes(mark, words)),
      );
  });
}

function droppedNotes(timeline: TimelineStore, words: Words['timeline']['notes']): string[] {
  if (timeline.window.drops.length === 0) return [];
  return shownLocks(timeline, MOST_LOCKS).flatMap((id) =>
    droppedOf(timeline.window, id)
      .filter((range) => isRangeInView(range, timeline.view(), timeline.now()))
      .map(({ from, to }) => words.lockDropped(nameInId(id), secondsText(from), to && secondsText(to))),
  );
}
