import type { RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { type Caption, isCount, isKnown } from '../captions/caption.ts';
import { captionOf } from '../captions/caption-of.ts';
import { isPoll } from '../script/kind-memory.ts';
import { type MomentChange, momentsFrom } from '../script/moments-from-run.ts';
import type { StageRun } from '../script/run.ts';
import { asleepAt, CROWD } from '../script/tally.ts';
import { animationOf, type StepAnimation } from './moves-of.ts';

/** What the picture highlights at a beat. */
export type Emphasis =
  | 'taken'
  | 'renewed'
  | 'refused'
  | 'asleep'
  | 'released'
  | 'woken'
  | 'own-timer'
  | 'expired'
  | 'dark'
  | 'overdue'
  | 'stuck'
  | 'plain';

/** One step of the show: an instant, its caption, its highlight and its animation. */
export type Beat = {
  /**
   * A letter and a number: `e` and the `seq` of the event; `f`, `t` or `s` and the number of the fault, client report
   * or server fault; `o` and the time when the overdue lease was set.
   */
  readonly id: string;
  readonly at: RedisTime;
  /** Null if the moment is not an event. */
  readonly seq: number | null;
  /** Index of its moment in `reported`. */
  readonly moment: number;
  readonly caption: Caption | null;
  readonly emphasis: Emphasis;
  readonly animation: StepAnimation;
  /**
   * Set if a message woke the waiter that acquired, and no crowd waits: the time lens shows the range from the release
   * to the acquisition. The fields are the `seq`s of the events; `release` is null if it is not known.
   */
  readonly lens: { readonly release: number | null; readonly message: number; readonly granted: number } | null;
};

/** A run with all its moments and beats, in order. */
export type Storyboard = {
  readonly run: StageRun;
  readonly reported: readonly MomentChange[];
  readonly beats: readonly Beat[];
};

const EMPHASIS: Partial<Record<LockEvent['type'], Emphasis>> = {
  'lock.acquired': 'taken',
  'lock.reentered': 'taken',
  'lease.renewed': 'renewed',
  'lock.refused': 'refused',
  'lock.released': 'released',
  'lock.partially-released': 'released',
  'unlock.refused': 'refused',
  'renewal.refused': 'refused',
  'lease.expired': 'expired',
  'lock.lost': 'expired',
  'lock.force-released': 'released',
  'lock.deleted': 'expired',
  'lock.evicted': 'expired',
  'db.flushed': 'expired',
  'waiter.queued': 'plain',
  'waiter.dequeued': 'plain',
  'permits.set': 'plain',
  'permits.acquired': 'taken',
  'permits.refused': 'refused',
  'permits.released': 'released',
  'permits.expired': 'expired',
  'latch.set': 'plain',
  'latch.counted-down': 'renewed',
  'latch.opened': 'released',
};

/** Events of these types have a beat only if they have a caption. */
const NEEDS_CAPTION: ReadonlySet<LockEvent['type']> = new Set(['permits.refused', 'waiter.dequeued', 'lock.learned']);

/**
 * The moments and beats of a run. A beat depends only on earlier moments, so beats do not change while a run goes on.
 */
export function beatsFromEvents(run: StageRun): Storyboard {
  const reported = momentsFrom(run);
  const bySeq = new Map(run.events.map((event) => [event.seq, event]));
  const beats: Beat[] = [];
  reported.forEach((change, index) => {
    const emphasis = emphasisOf(change);
    if (emphasis === null) return;
    const { moment } = change;
    const event = moment.kind === 'event' ? moment.event : null;
    const caption = captionOf(run, change, bySeq);
    if (caption === null && moment.kind === 'event' && NEEDS_CAPTION.has(moment.event.type)) return;
    const isCounting = isCount(caption) && isCount(beats.findLast((beat) => beat.caption !== null)?.caption ?? null);
    const isCrowded = change.after.tally !== null || asleepAt(change.before.lock) >= CROWD - 1;
    beats.push({
      id: moment.id,
      at: moment.at,
      seq: event?.seq ?? null,
      moment: index,
      caption,
      emphasis,
      animation: animationOf(change, beats.at(-1)?.at ?? run.from, {
        isCrowded,
        isSilent: caption === null || isCounting || isKnown(caption),
      }),
      lens: event === null || isCrowded ? null : lensOf(event, bySeq),
    });
  });
  return { run, reported, beats };
}

function emphasisOf({ moment }: MomentChange): Emphasis | null {
  if (moment.kind === 'overdue') return 'overdue';
  if (moment.kind === 'server') return 'dark';
  if (moment.kind === 'client-report') return moment.report.name === 'local-waits' ? 'stuck' : 'plain';
  if (moment.kind === 'fault')
    return moment.fault.name === 'killed' || moment.fault.name === 'frozen' ? 'dark' : 'plain';
  const { event } = moment;
  if (event.type === 'lock.refused' && event.asleep) return 'asleep';
  // polls have no beat, except after a wake-up: there are too many, and dense runs are thinned out
  if (isPoll(event)) return event.type === 'lock.refused' && event.wokenBy !== undefined ? 'refused' : null;
  if (event.type === 'lock.acquired' || event.type === 'permits.acquired') {
    if (event.wokenBy === 'message') return 'woken';
    if (event.wokenBy === 'own-timer') return 'own-timer';
  }
  if (event.type === 'lock.learned') return event.fencingToken === undefined ? null : 'plain';
  if (event.kind === 'latch' || event.kind === 'semaphore' || event.kind === 'expirable-semaphore') {
    if (event.type === 'waiter.subscribed') return 'asleep';
    if (event.type === 'waiter.unsubscribed') return event.kind === 'latch' ? 'woken' : null;
  }
  return EMPHASIS[event.type] ?? null;
}

function lensOf(event: LockEvent, bySeq: ReadonlyMap<number, LockEvent>): Beat['lens'] {
  if (event.type !== 'lock.acquired' && event.type !== 'permits.acquired') return null;
  if (event.wokenBy !== 'message') return null;
  const message = (event.because ?? []).map((seq) => bySeq.get(seq)).find((e) => e?.type === 'wakeup.published');
  if (!message) return null;
  const release = (message.because ?? []).find((seq) => bySeq.has(seq)) ?? null;
  return { release, message: message.seq, granted: event.seq };
}
