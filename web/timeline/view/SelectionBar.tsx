import { ChevronDown, ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { LockEvent } from '../../../shared/events/event.ts';
import { useChoice } from '../../choices/use-choice.ts';
import { wheel } from '../../choices/wheel.ts';
import { hasZoomed } from '../../choices/zoomed.ts';
import { EventGlyph } from '../../events/EventGlyph.tsx';
import { EventSignals } from '../../events/EventSignals.tsx';
import { EVENT_GLYPHS } from '../../events/event-glyphs.ts';
import { eventTitle } from '../../events/event-title.ts';
import { detailFromEvent } from '../../events/event-words.ts';
import { keyOf } from '../../keys/key-map.ts';
import { Icon } from '../../ui/Icon.tsx';
import { NameText } from '../../ui/NameText.tsx';
import { clockText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import { causeOf, effectOf, eventsOfMark, groupOfMark, partOf } from '../model/causes.ts';
import type { Mark } from '../model/marks.ts';
import { useNameOf } from '../model/people-names.ts';
import { markWord, sentenceOf } from '../model/sentence.ts';
import { useHasSeveralLocks, useHistoryVersion, useTimeline, useWorkspace } from '../store/workspace.ts';
import { GroupPart } from './GroupPart.tsx';

/** The most events listed for a selection; for more, the events page is the better place. */
const MOST_LISTED = 60;

/** The selected mark in one sentence, with its cause, its effect, and the Redis lines behind it. */
export function SelectionBar() {
  const words = useWords();
  const texts = words.timeline;
  const { actions, timeline } = useWorkspace();
  const id = useTimeline((state) => `${state.selectedLock} ${state.selected}`);
  const noLink = useTimeline((state) => state.noLink);
  const areLinesOpen = useTimeline((state) => state.areLinesOpen);
  const version = useHistoryVersion();
  const nameOf = useNameOf(useHasSeveralLocks());
  // a selection has the id of its mark, because marks may be derived again with every event
  const chosen = useMemo(() => {
    void id;
    void version;
    return actions.selection();
  }, [actions, id, version]);
  const sentence = chosen ? sentenceOf(chosen.track, chosen.mark, timeline.now(), nameOf, words) : '';
  const cause = chosen ? causeOf(chosen.track, chosen.mark) : undefined;
  const effect = chosen ? effectOf(chosen.track, chosen.mark) : undefined;
  const group = chosen ? groupOfMark(chosen.track, chosen.mark) : undefined;
  const events = chosen ? eventsOfMark(chosen.track, chosen.mark) : [];
  const whole = chosen && !cause ? partOf(chosen.track, chosen.mark) : undefined;
  const linkTo = (mark: Mark | undefined, say: (mark: string) => string, key: 'cause' | 'effect') =>
    chosen &&
    mark && (
      <button
        type="button"
        className="button is-small"
        title={words.common.withKey(words.keys.does[key], keyOf(key))}
        onClick={() => actions.select(chosen.track, mark)}
      >
        {say(`${nameOf(chosen.track.id, mark.holder)} ${markWord(mark, words.marks)}`)} <Icon of={ChevronRight} />
      </button>
    );

  return (
    <section className="tl-selection" aria-label={texts.selection}>
      <div className="tl-selection-line">
        <p role="status">
          {chosen && noLink ? <span className="quiet">{texts.noLink[noLink]} </span> : null}
          {chosen ? <NameText text={sentence} most={400} /> : <SelectHint />}
        </p>
        {chosen !== null && group !== undefined && <GroupPart id={group} track={chosen.track} />}
        {linkTo(cause, texts.becauseOf, 'cause')}
        {linkTo(whole, texts.partOf, 'cause')}
        {linkTo(effect, texts.ledTo, 'effect')}
        {events.length > 0 && (
          <button
            type="button"
            className="button is-small"
            aria-expanded={areLinesOpen}
            onClick={() => timeline.set({ areLinesOpen: !areLinesOpen })}
          >
            {chosen?.mark.kind === 'run' ? texts.endsOfRun : texts.events(events.length)}{' '}
            <Icon of={areLinesOpen ? ChevronDown : ChevronRight} />
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
          {events.length > MOST_LISTED && <li className="quiet">{texts.more(events.length - MOST_LISTED)}</li>}
        </ol>
      )}
    </section>
  );
}

/** What to do without a selection. Before the first zoom of this browser, also the gestures. */
function SelectHint() {
  const { selectHint, gestures } = useWords().timeline;
  const isNew = useChoice(hasZoomed) === 'no';
  const wheelStyle = useChoice(wheel);
  return (
    <span className="quiet">
      {selectHint}
      {isNew && <span className="tl-gestures"> {gestures[wheelStyle]}</span>}
    </span>
  );
}

function SelectedEvent({ event }: { event: LockEvent }) {
  const { actions } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const words = useWords();
  return (
    <details onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary>
        <time>{clockText(event.at)}</time> <EventGlyph shape={EVENT_GLYPHS[event.type]} />{' '}
        <b>{eventTitle(event, words)}</b> <NameText text={detailFromEvent(event, words)} most={160} />
      </summary>
      {isOpen && <EventSignals event={event} place="timeline" onSelect={(seq) => actions.selectEvent(seq)} />}
    </details>
  );
}
