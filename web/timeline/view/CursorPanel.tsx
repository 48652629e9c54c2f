import { useMemo } from 'react';
import { millisBetween, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { nameInId } from '../../../shared/state/lock-state.ts';
import type { Holder, Lock, Waiter } from '../../../shared/wire/locks/lock.ts';
import { lockView, UNKNOWN_PRESENCE } from '../../../shared/wire/locks/lock-view.ts';
import { useCursor } from '../../cursor/cursor.ts';
import { lockNow } from '../../cursor/routes-now.ts';
import { ShownSight, type SightThen, useSightThen } from '../../cursor/shown-instant.ts';
import { seconds, tenths } from '../../data/live/ticker.ts';
import { useFromRedisNow, useLive } from '../../data/live/use-live.ts';
import { useSettled } from '../../data/queries/use-settled.ts';
import { useSightAt } from '../../data/queries/use-trends.ts';
import { isBlindAt } from '../../data/window/blind-spots.ts';
import { type DroppedRange, droppedOf, lastDropBefore } from '../../data/window/drops.ts';
import { EventGlyph } from '../../events/EventGlyph.tsx';
import { EVENT_GLYPHS } from '../../events/event-glyphs.ts';
import { useNoSight } from '../../parts/NotWatching.tsx';
import { Person } from '../../parts/Person.tsx';
import { NameText } from '../../ui/NameText.tsx';
import { durationText, millisText, secondsText } from '../../ui/time-text.ts';
import { Link } from '../../url/router.tsx';
import { useWords } from '../../words/language.ts';
import type { Words } from '../../words/words.ts';
import { usePlaceOf } from '../model/lock-place.ts';
import { causeChain, turningPoint } from '../model/turning-point.ts';
import { useHasSeveralLocks, useHistoryVersion, useRows, useTimeline, useWorkspace } from '../store/workspace.ts';
import { WorldFacts } from './WorldFacts.tsx';

/** The state of one lock at the cursor, and the causes of that state. */
export function CursorPanel() {
  const words = useWords().timeline;
  const lockId = useShownLock();
  return (
    <aside className="tl-side" aria-label={words.atCursor}>
      <AtCursor />
      {lockId !== null && <LockAt key={lockId} lockId={lockId} />}
    </aside>
  );
}

/** The instant of the cursor. While live it is shown in whole seconds, because fractions would change too fast. */
function AtCursor() {
  const words = useWords().timeline;
  const cursor = useCursor();
  const noSight = useNoSight();
  const now = useFromRedisNow(undefined, (at) => (at === null ? null : secondsText(at)));
  if (cursor.mode === 'paused') return <h2>{words.at(millisText(cursor.at))}</h2>;
  if (now === null) return <h2>{words.atCursor}</h2>;
  return <h2>{noSight === null ? words.now(now) : words.at(now)}</h2>;
}

/** The panel is updated ten times a second while it shows a countdown, otherwise once. */
const COUNTING_MICROS = 100_000;
const STILL_MICROS = 1_000_000;
const ASKED_EVERY_MS = 333;

/**
 * The instant of the cursor. While live, it is now, in steps of 0.1 s while something counts down, otherwise of 1 s.
 */
function useCursorAt(isCounting: boolean): RedisTime | null {
  const cursor = useCursor();
  const step = isCounting ? COUNTING_MICROS : STILL_MICROS;
  const inSteps = (at: RedisTime | null) => (at === null ? null : Math.ceil(at / step) * step);
  const now = useFromRedisNow(undefined, inSteps, isCounting ? tenths : seconds);
  if (cursor.mode === 'paused') return cursor.at;
  return now === null ? null : redisTime(now);
}

/** Whether a lock has a lease, a permit or a place in a queue that ends. */
function isCountingDown({ lease, holders, waiters }: Lock): boolean {
  return lease.expiresAt !== null || [...holders, ...waiters].some((person) => endOfPerson(person) !== null);
}

function endOfPerson(person: Holder | Waiter): number | null {
  return 'deadline' in person ? person.deadline : person.expiresAt;
}

/** The lock of the selection, or else of the focused lane, or else the topmost. */
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

function LockAt({ lockId }: { lockId: string }) {
  const liveLock = useLive((state) => state.locks.get(lockId));
  const at = useCursorAt(liveLock !== undefined && isCountingDown(liveLock));
  return at === null ? null : <LockThen lockId={lockId} at={at} liveLock={liveLock} />;
}

function LockThen({ lockId, at, liveLock }: { lockId: string; at: RedisTime; liveLock: Lock | undefined }) {
  const words = useWords().timeline;
  const { timeline } = useWorkspace();
  const place = usePlaceOf()(lockId);
  const version = useHistoryVersion();
  const isLive = useCursor().mode === 'live';
  const events = timeline.window.eventsOf(lockId);
  const unknown = useUnknownAt(lockId, at);
  const sight = useShownSight(isLive ? null : at);
  const state = isLive || unknown !== null ? undefined : timeline.window.lockAt(lockId, at);
  const lock = isLive ? liveLock : state && lockView(state, at, UNKNOWN_PRESENCE);
  const turn = useMemo(() => {
    void version;
    return turningPoint(events, at, lastDropBefore(timeline.window, lockId, at));
  }, [timeline, lockId, events, at, version]);
  return (
    <div className="tl-world">
      <h3>
        <NameText text={nameInId(lockId)} most={60} /> {place !== '' && <span className="where">{place}</span>}
      </h3>
      <ShownSight value={sight}>
        <Facts lock={lock} at={at} unknown={unknown} />
      </ShownSight>
      {turn && unknown === null && <Why lockId={lockId} events={events} turn={turn} />}
      {lock && (
        <p>
          <Link to={lockNow(lock)}>{words.openLock}</Link>
        </p>
      )}
    </div>
  );
}

/** What could be seen at a past instant; null: it is now. The server is asked three times a second at most. */
function useShownSight(at: RedisTime | null): SightThen | null {
  const sight = useSightThen(useSightAt(useSettled(at, ASKED_EVERY_MS), true));
  return at === null ? null : sight;
}

/** The state of the lock, or why it is not known. */
function Facts({ lock, at, unknown }: { lock: Lock | undefined; at: RedisTime; unknown: string | null }) {
  const words = useWords().timeline;
  if (unknown !== null) return <p className="quiet">{unknown}</p>;
  return lock ? <WorldFacts lock={lock} at={at} /> : <p className="quiet">{words.notHeldThen}</p>;
}

/** Why nothing is known about a lock at an instant; null if it is known, or if the lock did not exist. */
function useUnknownAt(lockId: string, at: RedisTime): string | null {
  const words = useWords().timeline;
  const { timeline } = useWorkspace();
  const noSight = useNoSight();
  const isGone = useLive((state) => state.gone.has(lockId));
  if (timeline.isLive()) return noSight !== null ? words.notWatchedNow : isGone ? words.lockDroppedThen : null;
  const isIn = ({ from, to }: DroppedRange) => from <= at && (to === null || at < to);
  if (droppedOf(timeline.window, lockId).some(isIn)) return words.lockDroppedThen;
  const source = lockId.slice(0, lockId.indexOf('/'));
  if (isBlindAt(timeline.blindSpots(), source, at)) return words.notWatchedThen;
  const [part] = timeline.unknownIn({ from: at, to: redisTime(at + 1) });
  if (!part) return null;
  if (part.why === 'dropped') return words.droppedThen(secondsText(part.edge));
  if (part.why === 'before-first') return words.nothingSoEarly;
  return part.why === 'unloaded' || part.why === 'outlined' ? words.notLoadedThen : words.loadingThen;
}

/** The newest change of a lock's state and the chain of its causes, newest first. */
function Why({ lockId, events, turn }: { lockId: string; events: readonly LockEvent[]; turn: LockEvent }) {
  const { actions, timeline } = useWorkspace();
  const areSeveral = useHasSeveralLocks();
  const words = useWords();
  const chain = causeChain(events, turn);
  const go = (event: LockEvent) => {
    const track = timeline.tracks.newest(lockId, Date.now());
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
                    <Person lockId={lockId} id={event.holder} most={18} isAmongLocks={areSeveral} />{' '}
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
      return event.how === 'unknown' ? timeline.cause.freed : timeline.cause.released;
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
