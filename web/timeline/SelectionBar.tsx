import { useMemo, useState } from 'react';
import type { LockEvent } from '../../shared/events/event.ts';
import { EventGlyph } from '../inspector/EventGlyph.tsx';
import { EventSignals } from '../inspector/EventSignals.tsx';
import { detailFromEvent, EVENT_WORDS } from '../inspector/event-words.ts';
import { NameText } from '../ui/NameText.tsx';
import { clockText, countOf } from '../ui/time-text.ts';
import { causeOf, effectOf, eventsOfMark } from './causes.ts';
import { useDesk, useHistoryVersion, useTimeline } from './desk.ts';
import type { Mark } from './marks.ts';
import { useNameOf } from './people-names.ts';
import { markWord, sentenceOf } from './sentence.ts';

/** Events listed under a selection; a mark of more is better read on the events page. */
const MOST_LISTED = 60;

/** The selected mark in one sentence, with its cause, its effect, and the Redis lines behind it. */
export function SelectionBar() {
  const { actions, timeline } = useDesk();
  const id = useTimeline((state) => `${state.selectedLock} ${state.selected}`);
  const areLinesOpen = useTimeline((state) => state.areLinesOpen);
  const version = useHistoryVersion();
  const nameOf = useNameOf();
  // a selection names its mark by id; the mark itself may be derived anew with every event
  const chosen = useMemo(() => {
    void id;
    void version;
    return actions.selection();
  }, [actions, id, version]);
  const sentence = chosen ? sentenceOf(chosen.track, chosen.mark, timeline.now(), nameOf) : '';
  const cause = chosen ? causeOf(chosen.track, chosen.mark) : undefined;
  const effect = chosen ? effectOf(chosen.track, chosen.mark) : undefined;
  const events = chosen ? eventsOfMark(chosen.track, chosen.mark) : [];
  const linkTo = (mark: Mark | undefined, word: string, key: string) =>
    chosen &&
    mark && (
      <button type="button" className="button is-small" title={key} onClick={() => actions.select(chosen.track, mark)}>
        {word}: {nameOf(chosen.track.id, mark.holder)} {markWord(mark)} ▸
      </button>
    );

  return (
    <section className="tl-selection" aria-label="Selection">
      <div className="tl-selection-line">
        <p role="status">
          {chosen ? (
            <NameText text={sentence} most={400} />
          ) : (
            <span className="quiet">Select a mark to read what happened, and why.</span>
          )}
        </p>
        {linkTo(cause, 'because of', '[')}
        {linkTo(effect, 'led to', ']')}
        {events.length > 0 && (
          <button
            type="button"
            className="button is-small"
            aria-expanded={areLinesOpen}
            onClick={() => timeline.set({ areLinesOpen: !areLinesOpen })}
          >
            {countOf(events.length, 'event')} {areLinesOpen ? '▾' : '▸'}
          </button>
        )}
      </div>
      {chosen && areLinesOpen && (
        <ol className="tl-selection-events">
          {events.slice(0, MOST_LISTED).map((event) => (
            <li key={event.seq}>
              <SelectedEvent event={event} />
            </li>
          ))}
          {events.length > MOST_LISTED && <li className="quiet">{events.length - MOST_LISTED} more.</li>}
        </ol>
      )}
    </section>
  );
}

function SelectedEvent({ event }: { event: LockEvent }) {
  const { actions } = useDesk();
  const [isOpen, setOpen] = useState(false);
  const { word, glyph } = EVENT_WORDS[event.type];
  return (
    <details onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary>
        <time>{clockText(event.at)}</time> <EventGlyph shape={glyph} /> <b>{word}</b>{' '}
        <NameText text={detailFromEvent(event)} most={160} />
      </summary>
      {isOpen && <EventSignals event={event} onSelect={(seq) => actions.selectEvent(seq)} />}
    </details>
  );
}
