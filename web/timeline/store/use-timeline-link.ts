import { useEffect, useRef } from 'react';
import { prefixOf } from '../../../shared/base/name-prefix.ts';
import { firstFrom } from '../../../shared/base/search.ts';
import { redisTime } from '../../../shared/base/time.ts';
import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import { lockIdOf, nameInId } from '../../../shared/state/lock-state.ts';
import { currentCursor, onCursor } from '../../cursor/cursor.ts';
import { chooseRange, currentRange } from '../../cursor/range.ts';
import { rememberTimeline } from '../../cursor/routes-now.ts';
import { chooseMark } from '../../cursor/selection.ts';
import type { EventWindow } from '../../data/window/event-window.ts';
import type { TimeSpan } from '../../data/window/time-span.ts';
import type { WindowFeed } from '../../data/window/window-feed.ts';
import { ANSWER_MS, readEvent } from '../../data/window/window-request.ts';
import { seqOfId } from '../../url/moment.ts';
import { currentOrigin } from '../../url/origin.ts';
import type { RangeMinutes } from '../../url/range.ts';
import { TIMELINE, type TimelineRoute } from '../../url/route.ts';
import { hrefOf, navigate } from '../../url/router.tsx';
import type { TimelineLink } from '../../url/timeline-link.ts';
import { laneKey, quietKey } from '../layout/rows.ts';
import { centred } from '../layout/viewport.ts';
import { markById, markOfEvent } from '../model/causes.ts';
import { startOf } from '../model/marks.ts';
import { unfoldLanes } from './lane-folds.ts';
import type { TimelineState } from './timeline-state.ts';
import type { Workspace } from './workspace.ts';

/** The URL is written when nothing has changed for this long, because writing it costs the browser about a frame. */
const WRITE_AFTER_MS = 250;
/** While changes continue, the URL is written at the latest after this time. */
const WRITE_WITHIN_MS = 2000;
/** If an event is outside the view of a link, the view is extended to the event and by this share of it beyond. */
const MARGIN = 0.1;
/** A minute in µs. */
const MINUTE = 60_000_000;

/** The outcome of a link: shown; its instant was dropped, or is before all events; or only its mark was dropped. */
export type LinkOutcome = 'shown' | 'moment-forgotten' | 'moment-unseen' | 'mark-forgotten';

/** The link to what is shown. While live it has no view, no cursor and no selection. */
function linkOf({ timeline }: Workspace): TimelineLink {
  const state = timeline.get();
  const cursor = currentCursor();
  const isPaused = cursor.mode === 'paused';
  return {
    lock: state.onlyLock,
    view: isPaused ? state.view : null,
    minutes: isPaused ? null : minutesOf(state),
    zooms: isPaused ? state.zooms : [],
    at: isPaused ? redisTime(Math.round(cursor.at)) : null,
    selected: isPaused ? state.selected : null,
    hidden: [...state.hidden],
    pinned: [...state.pinned],
  };
}

/** The range in minutes that the user chose, if the live view still has that length; otherwise null. */
function minutesOf({ lengthMicros, followsAll }: TimelineState): RangeMinutes | null {
  const range = currentRange();
  return typeof range === 'number' && range * MINUTE === lengthMicros && !followsAll ? range : null;
}

/** A link to exactly this view. While live, the link gets the view and the cursor of this moment. */
export function exactLinkOf(workspace: Workspace): TimelineLink {
  const link = linkOf(workspace);
  return link.view === null ? { ...link, view: workspace.timeline.view(), at: workspace.timeline.cursorAt() } : link;
}

/**
 * Keeps the URL and the timeline in step. Panning and zooming replace the entry in the browser's history. Selections
 * and committed zooms push an entry, so that Back leads to the previous view. `feed` is null until the page has data.
 */
export function useTimelineLink(
  workspace: Workspace,
  route: TimelineRoute,
  feed: WindowFeed | null,
  onOutcome: (outcome: LinkOutcome) => void,
): void {
  const written = useRef<string | null>(null);
  const following = useRef(0);
  const href = hrefOf({ page: 'timeline', link: route.link });

  // the user followed a link, or went back
  useEffect(() => {
    if (!feed || href === written.current) return;
    written.current = href;
    const turn = ++following.current;
    void applyLink(workspace, feed, route.link, () => turn === following.current).then((outcome) => {
      if (turn !== following.current) return;
      following.current = 0;
      // the address names a recording that is not open here, and nothing of it is shown
      const isElsewhere = route.elsewhere !== undefined && route.elsewhere !== currentOrigin().src;
      if (isElsewhere) navigate({ ...TIMELINE, link: linkOf(workspace) }, { replace: true });
      if (outcome) onOutcome(outcome);
    });
  }, [href, feed, workspace]);

  // a link that is still being followed must not move the cursor of the next page
  useEffect(() => () => void following.current++, []);

  useEffect(() => {
    if (!feed) return;
    let timer = 0;
    /** When the URL fell behind; 0 if it has not. */
    let changedAt = 0;
    let before = linkOf(workspace);
    const write = (isPush: boolean) => {
      window.clearTimeout(timer);
      timer = 0;
      changedAt = 0;
      if (following.current !== 0) return;
      const link = linkOf(workspace);
      const to = { ...TIMELINE, link };
      written.current = hrefOf(to);
      before = link;
      rememberTimeline(link);
      navigate(to, { replace: !isPush });
    };
    const changed = () => {
      chooseMark(workspace.timeline.get().selected);
      if (following.current !== 0) {
        before = linkOf(workspace); // the URL already has what the link brought
        return;
      }
      const link = linkOf(workspace);
      const isStep =
        (link.selected !== before.selected && link.selected !== null) || link.zooms.length > before.zooms.length;
      if (isStep) write(true);
      else {
        const now = performance.now();
        changedAt ||= now;
        window.clearTimeout(timer);
        const wait = Math.min(WRITE_AFTER_MS, changedAt + WRITE_WITHIN_MS - now);
        timer = window.setTimeout(() => write(false), Math.max(0, wait));
      }
    };
    const stops = [workspace.timeline.subscribe(changed), onCursor(changed)];
    return () => {
      window.clearTimeout(timer);
      rememberTimeline(linkOf(workspace));
      for (const stop of stops) stop();
    };
  }, [workspace, feed]);
}

/** Shows the view of a link. Null if another link was followed meanwhile. */
async function applyLink(
  workspace: Workspace,
  feed: WindowFeed,
  link: TimelineLink,
  isWanted: () => boolean,
): Promise<LinkOutcome | null> {
  const { timeline } = workspace;
  timeline.set({
    onlyLock: link.lock,
    hidden: new Set(link.hidden),
    pinned: new Set(link.pinned),
    zooms: link.zooms,
    undo: [],
  });
  if (link.view === null && link.at === null && link.selected === null) {
    const before = currentCursor();
    timeline.goLive();
    chooseRange(link.minutes);
    if (link.minutes !== null) timeline.set({ lengthMicros: link.minutes * MINUTE, followsAll: false });
    // the whole recording is shown, and its cursor stays where it was: at the beginning, if it was just opened
    if (timeline.isRecording() && before.mode === 'paused') timeline.pause(before.at);
    timeline.set({ onlyLock: link.lock });
    return 'shown';
  }
  const seq = link.selected === null ? null : seqOfId(link.selected);
  const linkedAt = link.at ?? link.view?.to ?? null;
  const at = linkedAt ?? (seq === null ? null : (await eventOf(seq)).event?.at) ?? timeline.now();
  const last = timeline.get().view;
  const isStillInView = last !== null && last.from <= at && at <= last.to;
  const elsewhere = timeline.isRecording() ? timeline.whole() : centred(timeline.view(), at);
  let view = link.view ?? (isStillInView ? last : elsewhere);
  await feed.reach(view, at, link.selected !== null);
  if (!isWanted()) return null;
  const isForgotten = linkedAt !== null && isBeforeMemory(workspace, link.view?.to ?? at);
  let chosen = link.selected === null || isForgotten ? null : findMark(workspace, link.selected);
  let isDropped = false;
  if (link.selected !== null && seq !== null && !isForgotten && chosen === null) {
    const known = await eventOf(seq);
    if (!isWanted()) return null;
    isDropped = known.isDropped;
    if (known.event && !isOfSource(known.event)) {
      view = withEvent(timeline, view, known.event);
      await feed.reach(view, known.event.at, true);
      if (!isWanted()) return null;
      chosen = findMark(workspace, link.selected);
    }
  }
  timeline.pause(link.at ?? (chosen ? startOf(chosen.mark) : at));
  const pausedSeq = timeline.get().pausedSeq || timeline.live.get().seq;
  timeline.set({
    view,
    lengthMicros: view.to - view.from,
    selected: null,
    selectedLock: null,
    noLink: null,
    pausedSeq,
  });
  timeline.arrange();
  if (chosen) reveal(workspace, chosen.track.id, chosen.mark.holder, chosen.mark.id);
  if (isForgotten) return timeline.window.memory?.hasDropped === false ? 'moment-unseen' : 'moment-forgotten';
  return isDropped ? 'mark-forgotten' : 'shown';
}

/** Reads an event of the server. If it cannot be read, it is not known whether it was dropped. */
function eventOf(seq: number): ReturnType<typeof readEvent> {
  return readEvent(seq, AbortSignal.timeout(ANSWER_MS)).catch(() => ({ event: null, isDropped: false }));
}

/**
 * Returns the view, extended to an event. If the link is to another lock only, shows all locks, and pins both locks.
 */
function withEvent(timeline: Workspace['timeline'], view: TimeSpan, { lock, at }: LockEvent): TimeSpan {
  const { onlyLock, pinned } = timeline.get();
  if (onlyLock !== '' && onlyLock !== lock) {
    timeline.set({ onlyLock: '', pinned: new Set([...pinned, onlyLock, lock]) });
  }
  if (view.from <= at && at <= view.to) return view;
  const margin = (view.to - view.from) * MARGIN;
  return { from: redisTime(Math.min(view.from, at - margin)), to: redisTime(Math.max(view.to, at + margin)) };
}

/** Whether an instant is before the server's memory; false if the memory is empty, because nothing has happened. */
function isBeforeMemory({ timeline }: Workspace, moment: number): boolean {
  const { memory } = timeline.window;
  return memory !== null && moment < memory.oldestAt;
}

/** Selects a mark without moving the view, and unfolds its lock. */
function reveal({ timeline }: Workspace, lockId: string, holder: string, markId: string): void {
  const { open, quiet, openQuiet } = timeline.get();
  timeline.set({
    selected: markId,
    selectedLock: lockId,
    focus: laneKey(lockId, holder),
    open: new Set([...open, lockId]),
    openQuiet: quiet.has(lockId) ? new Set([...openQuiet, ...quietKeysOf(lockId)]) : openQuiet,
  });
  unfoldLanes(timeline);
}

/** The rows in which a quiet lock may be. */
function quietKeysOf(lockId: string): readonly string[] {
  return [quietKey(prefixOf(nameInId(lockId)) ?? ''), quietKey()];
}

function findMark({ timeline: { window, tracks } }: Workspace, id: string) {
  const { events } = window;
  const seq = seqOfId(id);
  const event = events[firstFrom(events, seq, (other) => other.seq)];
  const lockId = event?.seq === seq && !isOfSource(event) ? lockIdOf(event) : lockOfMark(window, seq);
  const track = lockId === null ? null : tracks.newest(lockId, Date.now());
  const mark = track ? (markById(track, id) ?? markOfEvent(track, seq)) : undefined;
  return track && mark ? { track, mark } : null;
}

/** The lock with a hold or wait that began with this event, which is before the window. */
function lockOfMark(window: EventWindow, seq: number): string | null {
  for (const id of window.lockIds()) {
    const { base } = window.partOf(id);
    if ([...(base?.holders ?? []), ...(base?.waiters ?? [])].some(({ firstSeq }) => firstSeq === seq)) return id;
  }
  return null;
}
