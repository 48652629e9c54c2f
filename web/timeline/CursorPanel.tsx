import { useMemo } from 'react';
import { millisBetween, type RedisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { LockState } from '../../shared/state/lock-state.ts';
import { useCursor } from '../cursor/cursor.ts';
import { useRedisNow } from '../data/use-live.ts';
import { EventGlyph } from '../inspector/EventGlyph.tsx';
import { EVENT_WORDS } from '../inspector/event-words.ts';
import { Person } from '../inspector/Person.tsx';
import { NameText } from '../ui/NameText.tsx';
import { clockText, countdownText, countOf, durationText } from '../ui/time-text.ts';
import { lockRoute } from '../url/route.ts';
import { Link } from '../url/router.tsx';
import { useDesk, useHistoryVersion, useRows, useTimeline } from './desk.ts';
import { nameOfLock } from './rows.ts';
import { causeChain, LockReplay, turningPoint } from './world-at.ts';

/** The world at the cursor: one lock as the reducer of the server sees it there, and why it is so. */
export function CursorPanel() {
  const cursor = useCursor();
  const now = useRedisNow();
  const at = cursor.mode === 'paused' ? cursor.at : now;
  const lockId = useShownLock();
  return (
    <aside className="tl-side" aria-label="At the cursor">
      <h2>
        {cursor.mode === 'live' ? 'Now' : 'At'} {at !== null && <time>{clockText(at).slice(0, 12)}</time>}
      </h2>
      {lockId !== null && at !== null && <LockAt key={lockId} lockId={lockId} at={at} />}
    </aside>
  );
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
      {state ? <StateAt lockId={lockId} state={state} at={at} /> : <p className="quiet">Nothing known so early.</p>}
      {turn && <Why lockId={lockId} events={events} turn={turn} />}
      {state && (
        <p>
          <Link to={lockRoute(state)}>Open the lock</Link>
        </p>
      )}
    </div>
  );
}

function StateAt({ lockId, state, at }: { lockId: string; state: LockState; at: RedisTime }) {
  const waiters = state.waiters.filter((waiter) => waiter.isConfirmed && waiter.presumedGoneAt === null);
  const leftMs = state.expiresAt === null ? null : millisBetween(at, state.expiresAt);
  return (
    <dl className="tl-facts">
      <dt>held by</dt>
      <dd>
        {state.holders.length === 0 && 'nobody'}
        {state.holders.map((holder) => (
          <span key={holder.id} className="tl-holder">
            <Person lockId={lockId} id={holder.id} most={20} /> ×{holder.holdCount ?? 1}
          </span>
        ))}
      </dd>
      {state.holders.length > 0 && (
        <>
          <dt>lease left</dt>
          <dd>
            {leftMs === null ? 'never ends' : leftMs <= 0 ? 'over' : countdownText(leftMs)}
            {leftMs !== null && leftMs > 0 && state.leaseMs !== null && (
              <span className="quiet"> of {durationText(state.leaseMs)}</span>
            )}
          </dd>
        </>
      )}
      <dt>waiting</dt>
      <dd>
        {waiters.length === 0 && 'nobody'}
        {waiters.slice(0, 12).map((waiter) => (
          <span key={waiter.id} className="tl-holder">
            <Person lockId={lockId} id={waiter.id} most={20} /> {waiter.isAsleep ? 'asleep' : 'asking'}
          </span>
        ))}
        {waiters.length > 12 && <span className="quiet">and {waiters.length - 12} more</span>}
      </dd>
      {state.subscribers !== null && (
        <>
          <dt>listening</dt>
          <dd>{countOf(state.subscribers, 'connection')}</dd>
        </>
      )}
    </dl>
  );
}

/** A chain of causes, newest first. */
function Why({ lockId, events, turn }: { lockId: string; events: readonly LockEvent[]; turn: LockEvent }) {
  const { actions, timeline } = useDesk();
  const chain = causeChain(events, turn);
  const go = (event: LockEvent) => {
    const track = timeline.history.track(lockId, Date.now());
    if (track) actions.selectIn(track, event.seq);
  };
  return (
    <>
      <h3>Why?</h3>
      <ol className="tl-why">
        {chain.map((event, index) => (
          <li key={event.seq}>
            <button type="button" className="tl-why-step" onClick={() => go(event)}>
              <EventGlyph shape={EVENT_WORDS[event.type].glyph} />
              <span>
                {index > 0 && <span className="quiet">because </span>}
                {'holder' in event && event.holder !== undefined && (
                  <>
                    <Person lockId={lockId} id={event.holder} most={18} />{' '}
                  </>
                )}
                {whyText(event)}
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
  if (!after) return null;
  return <span className="quiet">, {durationText(millisBetween(event.at, after.at))} before</span>;
}

function whyText(event: LockEvent): string {
  switch (event.type) {
    case 'lock.acquired':
      if (event.wokenBy === 'message') return 'got it, woken by message';
      return event.wokenBy === 'own-timer' ? 'got it, woken by its own timer' : 'got it';
    case 'lock.released':
      return 'released it';
    case 'lease.expired':
      return 'lost it: the lease ran out';
    case 'wakeup.published':
      return 'the wake-up message was published';
    case 'lock.found':
      return 'it was held when we began to watch';
    default:
      return EVENT_WORDS[event.type].word;
  }
}
