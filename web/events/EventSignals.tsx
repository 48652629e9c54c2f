import { useEffect, useRef } from 'react';
import type { LockEvent } from '../../shared/events/event.ts';
import { timelineAt } from '../cursor/routes-now.ts';
import { problemFromError } from '../data/http/http.ts';
import { useRememberedEvent, useSignals } from '../data/queries/queries.ts';
import { CertaintyMark } from '../parts/Certainty.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { NameText } from '../ui/NameText.tsx';
import { Notice } from '../ui/Notice.tsx';
import { clockText } from '../ui/time-text.ts';
import { visibleParts } from '../ui/visible-text.ts';
import { WideBox } from '../ui/WideBox.tsx';
import { EVENTS, lockRoute } from '../url/route.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { EventGlyph } from './EventGlyph.tsx';
import { EVENT_GLYPHS } from './event-glyphs.ts';
import { eventTitle } from './event-title.ts';
import { detailFromEvent } from './event-words.ts';
import { ShareEvent } from './ShareEvent.tsx';

type EventSignalsProps = {
  event: LockEvent;
  /** The page that shows the details. They need no link to that page. */
  place: 'events' | 'lock' | 'timeline';
  onSelect: (seq: number) => void;
};

/** Details of one event: its causes, its sender, and the Redis lines from which it was derived. */
export function EventSignals({ event, place, onSelect }: EventSignalsProps) {
  const words = useWords();
  const { eventList } = words;
  const signals = useSignals(event.seq);
  const problem = signals.error ? problemFromError(signals.error, words) : null;
  const lines = signals.data?.signals ?? [];
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!signals.isPending) box.current?.scrollIntoView({ block: 'nearest' });
  }, [signals.isPending]);
  return (
    <div className="event-signals" ref={box}>
      <p className="event-links">
        <span>{eventList.event(event.seq)}</span>
        {event.by !== undefined && <span>{eventList.sentBy(event.by)}</span>}
        {(event.because ?? []).map((seq) => (
          <button key={seq} type="button" className="link-button" onClick={() => onSelect(seq)}>
            {eventList.causedBy(seq)}
          </button>
        ))}
        <EventLinks event={event} place={place} />
        <ShareEvent event={event} />
        {lines.length > 0 && <CopyButton text={lines.join('\n')} label={eventList.copyLines} />}
      </p>
      {signals.isPending && <p className="quiet">{eventList.loadingLines}</p>}
      {problem && (
        <p>
          {problem.message} {problem.hint}
        </p>
      )}
      {signals.data && lines.length === 0 && <p>{eventList.noLines}</p>}
      {lines.length > 0 && <SignalLines lines={lines} />}
    </div>
  );
}

/** Links to the same event on other pages, and on the page of events among those of its lock. All select the event. */
function EventLinks({ event, place }: { event: LockEvent; place: EventSignalsProps['place'] }) {
  const { eventList, pastInstant } = useWords();
  if (event.lock === '') return null;
  const moment = { at: event.at, selected: event.seq };
  return (
    <>
      {place !== 'timeline' && <Link to={timelineAt(event)}>{pastInstant.showInTimeline}</Link>}
      {place === 'events' && <Link to={{ ...EVENTS, lock: event.lock, ...moment }}>{pastInstant.eventsOfLock}</Link>}
      {place === 'timeline' && <Link to={{ ...EVENTS, ...moment }}>{pastInstant.showInEvents}</Link>}
      {place !== 'lock' && (
        <Link to={{ ...lockRoute({ name: event.lock, source: event.source, db: event.db }), ...moment }}>
          {eventList.open} <NameText text={event.lock} most={32} />
        </Link>
      )}
    </>
  );
}

/** In characters. Longer lines are cut on screen. The copy button copies the whole lines. */
const LONGEST_LINE = 4000;

function SignalLines({ lines }: { lines: readonly string[] }) {
  const { eventList } = useWords();
  return (
    <WideBox label={eventList.lines} className="signals">
      <pre>
        {lines.map((line, index) => (
          // lines may repeat, and their order never changes, so the index is a safe key
          <code key={index} className={line.startsWith('> ') ? 'is-push' : ''}>
            {visibleParts(line.slice(0, LONGEST_LINE))
              .map((part) => part.text)
              .join('')}
            {line.length > LONGEST_LINE && ` ${eventList.moreCharacters(line.length - LONGEST_LINE)}`}
            {'\n'}
          </code>
        ))}
      </pre>
    </WideBox>
  );
}

type StrayEventProps = { seq: number; isOneLock: boolean; onSelect: (seq: number) => void; onClose: () => void };

/** The selected event if it is not in the list: filtered out, or older than the loaded events. */
export function StrayEvent({ seq, isOneLock, onSelect, onClose }: StrayEventProps) {
  const words = useWords();
  const { common, eventList } = words;
  const found = useRememberedEvent(seq);
  if (found.isPending) return null;
  const event = found.data;
  const close = (
    <button type="button" className="button is-small" onClick={onClose}>
      {common.close}
    </button>
  );
  if (!event) {
    return (
      <Notice tone="hint" title={eventList.forgotten(seq)} actions={close}>
        {eventList.forgottenHint}
      </Notice>
    );
  }
  return (
    <section className="stray-event" aria-label={eventList.event(seq)}>
      <p className="event-links">
        <time>{clockText(event.at)}</time>
        <EventGlyph shape={EVENT_GLYPHS[event.type]} /> <b>{eventTitle(event, words)}</b>{' '}
        <NameText text={detailFromEvent(event, words)} most={160} />
        <CertaintyMark certainty={event.certainty} />
        {close}
      </p>
      <EventSignals event={event} place={isOneLock ? 'lock' : 'events'} onSelect={onSelect} />
    </section>
  );
}
