import { firstFrom } from '../../../shared/base/search.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { HoldMark, Mark, PointMark, Track, WaitMark } from './marks.ts';

/** The event of a track with this `seq`. */
export function eventIn(track: Track, seq: number): LockEvent | undefined {
  const event = track.events[firstFrom(track.events, seq, (other) => other.seq)];
  return event?.seq === seq ? event : undefined;
}

/** Every mark of a track, lane by lane. */
export function marksOf(track: Track): Mark[] {
  return track.lanes.flatMap((lane) => [...lane.spans, ...lane.runs, ...lane.points]);
}

/**
 * The mark with an id: `h7`, `w3`, `r5`, `e12`. For an event without a mark: the span or run that it begins or ends, or
 * the run whose attempt it is.
 */
export function markById(track: Track, id: string): Mark | undefined {
  const marks = marksOf(track);
  const found = marks.find((mark) => mark.id === id);
  if (found || !id.startsWith('e')) return found;
  const seq = Number(id.slice(1));
  return (
    marks.find((mark) => mark.kind !== 'point' && mark.seq === seq) ??
    marks.find((mark) => mark.kind !== 'point' && mark.endSeq === seq) ??
    marks.find((mark) => mark.kind === 'run' && mark.seq < seq && seq < mark.endSeq && isRefusalOf(track, seq, mark))
  );
}

function isRefusalOf(track: Track, seq: number, { holder }: Mark): boolean {
  const event = eventIn(track, seq);
  return event?.type === 'lock.refused' && event.holder === holder;
}

/**
 * The mark that shows an event:
 * - for a wake-up message, the mark of the event that caused the message;
 * - for an acquisition of a lock, the hold that it began;
 * - for any other event, its own mark, or else the hold or wait in which it happened.
 */
export function markOfEvent(track: Track, seq: number): Mark | undefined {
  const event = eventIn(track, seq);
  if (!event) return undefined;
  if (event.type === 'wakeup.published') {
    const behind = event.because?.[0];
    return behind === undefined ? undefined : markOfEvent(track, behind);
  }
  if (event.type === 'lock.acquired') return marksOf(track).find((mark) => mark.kind === 'hold' && mark.seq === seq);
  return markById(track, `e${seq}`) ?? spanAround(track, event);
}

/** The newest hold or wait of an event's holder in which the event happened, for example a subscription. */
function spanAround(track: Track, event: LockEvent): Mark | undefined {
  const holder = 'holder' in event ? event.holder : undefined;
  const spans = track.lanes.find((lane) => lane.holder === holder)?.spans ?? [];
  return spans.findLast(({ seq, endSeq }) => seq <= event.seq && (endSeq === null || event.seq <= endSeq));
}

/** The hold or wait in which a point or a run of attempts happened; `undefined` for other marks. */
export function partOf(track: Track, mark: Mark): Mark | undefined {
  const event = mark.kind === 'point' || mark.kind === 'run' ? eventIn(track, mark.seq) : undefined;
  return event && spanAround(track, event);
}

/**
 * The mark that caused a mark: that of the first event in `because` that is shown by another mark.
 *
 *   wait       the hold that blocked it
 *   hold       the release or expiry that woke its holder
 */
export function causeOf(track: Track, mark: Mark): Mark | undefined {
  const event = eventIn(track, mark.seq);
  for (const seq of event?.because ?? []) {
    const cause = markOfEvent(track, seq);
    if (cause && cause !== mark) return cause;
  }
  return undefined;
}

/**
 * The mark that a mark caused.
 *
 *   release, expiry   the hold of the waiter that it woke
 *   wait              the hold or permits that it ended in; none if it ended otherwise
 *   hold              the point at its end, for example its release; none if its end was not seen
 */
export function effectOf(track: Track, mark: Mark): Mark | undefined {
  if (mark.kind === 'wait') return acquiredBy(track, mark);
  if (mark.kind === 'hold') return endPointOf(track, mark);
  const published = track.events.find(
    (event) => event.type === 'wakeup.published' && event.because?.includes(mark.seq) === true,
  );
  const causes = new Set([mark.seq, ...(published ? [published.seq] : [])]);
  const woken = track.events.find(
    (event) =>
      (event.type === 'lock.acquired' || event.type === 'permits.acquired') &&
      event.because?.some((seq) => causes.has(seq)) === true,
  );
  return woken ? markOfEvent(track, woken.seq) : undefined;
}

function acquiredBy(track: Track, { endSeq }: WaitMark): Mark | undefined {
  const event = endSeq === null ? undefined : eventIn(track, endSeq);
  if (event?.type !== 'lock.acquired' && event?.type !== 'permits.acquired') return undefined;
  return markOfEvent(track, event.seq);
}

/** The point on its own lane at which a hold ended. A permit that another client released ends on that client's lane. */
function endPointOf(track: Track, { endSeq, to, holder }: HoldMark): PointMark | undefined {
  if (endSeq === null) return undefined;
  // a lost hold may end by its lease, before the event that shows it
  const points = track.lanes.flatMap((lane) => lane.points.filter(({ seq, at }) => seq === endSeq && at === to));
  const own = points.find((point) => point.holder === holder);
  return own ?? points.find(({ point }) => point === 'permits-back');
}

/** The id of the operation on a multi lock or RedLock that a mark belongs to. */
export function groupOfMark(track: Track, mark: Mark): string | undefined {
  return eventIn(track, mark.seq)?.group;
}

/** The holder whose hold blocked a wait. Empty if it is not known, or if the mark is not a wait. */
export function blockersOf(track: Track, mark: Mark): string[] {
  const cause = causeOf(track, mark);
  return cause && mark.kind === 'wait' && cause.kind === 'hold' ? [cause.holder] : [];
}

/** The events behind a mark: its first and last event, and the events of its holder in between. */
export function eventsOfMark(track: Track, mark: Mark): LockEvent[] {
  const last = mark.kind === 'point' ? mark.seq : (mark.endSeq ?? Number.POSITIVE_INFINITY);
  const events: LockEvent[] = [];
  for (let i = firstFrom(track.events, mark.seq, (event) => event.seq); i < track.events.length; i++) {
    const event = track.events[i];
    if (!event || event.seq > last) break;
    const isOwn = event.seq === mark.seq || event.seq === last;
    if (isOwn || ('holder' in event && event.holder === mark.holder)) events.push(event);
  }
  return events;
}
