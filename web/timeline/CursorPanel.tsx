import { useMemo } from 'react';
import { millisBetween, type RedisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { useCursor } from '../cursor/cursor.ts';
import { lockNow } from '../cursor/routes-now.ts';
import { useRedisNow } from '../data/use-live.ts';
import { EventGlyph } from '../inspector/EventGlyph.tsx';
import { EVENT_GLYPHS } from '../inspector/event-words.ts';
import { Person } from '../inspector/Person.tsx';
import { NameText } from '../ui/NameText.tsx';
import { clockText, durationText } from '../ui/time-text.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import { useDesk, useHistoryVersion, useRows, useTimeline } from './desk.ts';
import { nameOfLock } from './rows.ts';
import { WorldFacts } from './WorldFacts.tsx';
import { causeChain, LockReplay, turningPoint } from './world-at.ts';

/** The world at the cursor: one lock as the reducer of the server sees it there, and why it is so. */
export function CursorPanel() {
  const words = useWords().timeline;
  const cursor = useCursor();
  const now = useRedisNow();
  const at = cursor.mode === 'paused' ? cursor.at : now;
  const lockId = useShownLock();
  return (
    <aside className="tl-side" aria-label={words.atCursor}>
      <h2>{atText(at, cursor.mode === 'live', words)}</h2>
      {lockId !== null && at !== null && <LockAt key={lockId} lockId={lockId} at={at} />}
    </aside>
  );
}

function atText(at: RedisTime | null, isLive: boolean, words: Words['timeline']): string {
  const clock = at === null ? '' : clockText(at).slice(0, 12);
  return isLive ? words.now(clock) : words.at(clock);
}

/** The lock of the selection, else of the focused lane, else the topmost. */
function useShownLock(): string | null {
  const { rows } = useRows();
  const selected = useTimeline((state) => state.selectedLock);
  const focus = useTimeline((state) => state.focus);
  if (selected !== null) return selected;
  const focused = rows.find((row) => row.key === focus);
  if (focused && focused.kind !== 'quiet') return focused.lockId;
  const first = rows.find((row) => row.kind === 'lock');
  return first?.kind === 'lock' ? first.lockId : null;
}

function LockAt({ lockId, at }: { lockId: string; at: RedisTime }) {
  const words = useWords().timeline;
  const { timeline } = useDesk();
  const version = useHistoryVersion();
  const events = timeline.history.eventsOf(lockId);
  const replay = useMemo(() => new LockReplay(events), [events]);
  const count = replay.countUntil(at);
  const state = replay.at(at);
  const turn = useMemo(() => {
    void version;
    return turningPoint(events, count);
  }, [events, count, version]);
  return (
    <div className="tl-world">
      <h3>
        <NameText text={nameOfLock(lockId)} most={60} />
      </h3>
      {state ? <WorldFacts lockId={lockId} state={state} at={at} /> : <p className="quiet">{words.nothingSoEarly}</p>}
      {turn && <Why lockId={lockId} events={events} turn={turn} />}
      {state && (
        <p>
          <Link to={lockNow(state)}>{words.openLock}</Link>
        </p>
      )}
    </div>
  );
}

/** A chain of causes, newest first. */
function Why({ lockId, events, turn }: { lockId: string; events: readonly LockEvent[]; turn: LockEvent }) {
  const { actions, timeline } = useDesk();
  const words = useWords();
  const chain = causeChain(events, turn);
  const go = (event: LockEvent) => {
    const track = timeline.history.newestTrack(lockId, Date.now());
    if (track) actions.selectIn(track, event.seq);
  };
  return (
    <>
      <h3>{words.timeline.why}</h3>
      <ol className="tl-why">
        {chain.map((event, index) => (
          <li key={event.seq}>
            <button type="button" className="tl-why-step" onClick={() => go(event)}>
              <EventGlyph shape={EVENT_GLYPHS[event.type]} />
              <span>
                {index > 0 && <span className="quiet">{words.timeline.because} </span>}
                {'holder' in event && event.holder !== undefined && (
                  <>
                    <Person lockId={lockId} id={event.holder} most={18} />{' '}
                  </>
                )}
                {whyText(event, words)}
                <StepBefore event={event} after={chain[index - 1]} />
              </span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

function StepBefore({ event, after }: { event: LockEvent; after: LockEvent | undefined }) {
  const words = useWords().timeline;
  if (!after) return null;
  return <span className="quiet">{words.before(durationText(millisBetween(event.at, after.at)))}</span>;
}

function whyText(event: LockEvent, { events, timeline }: Words): string {
  switch (event.type) {
    case 'lock.acquired':
      if (event.wokenBy === 'message') return timeline.cause.woken;
      return event.wokenBy === 'own-timer' ? timeline.cause.ownTimer : timeline.cause.acquired;
    case 'lock.released':
      return timeline.cause.released;
    case 'lease.expired':
      return timeline.cause.expired;
    case 'wakeup.published':
      return timeline.cause.published;
    case 'lock.found':
      return timeline.cause.found;
    default:
      return events.type[event.type];
  }
}
