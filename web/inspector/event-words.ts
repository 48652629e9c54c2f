import { assertNever } from '../../shared/base/assert-never.ts';
import { millisBetween } from '../../shared/base/time.ts';
import type {
  EventType,
  FoundHolder,
  HoldMode,
  KeyContent,
  LockEvent,
  RefusalReason,
} from '../../shared/events/event.ts';
import { durationText } from '../ui/time-text.ts';

/** The shape an event is drawn with; see the legend of `EventGlyph`. */
export type GlyphShape =
  | 'acquired'
  | 'reentered'
  | 'refused'
  | 'released'
  | 'partly-released'
  | 'taken-away'
  | 'renewed'
  | 'not-renewed'
  | 'expired'
  | 'asleep'
  | 'awake'
  | 'queued'
  | 'left'
  | 'message'
  | 'blind'
  | 'sighted'
  | 'found'
  | 'drift';

type EventWords = { readonly word: string; readonly glyph: GlyphShape };

/** Each event type in one or two words, with its shape. */
export const EVENT_WORDS: Readonly<Record<EventType, EventWords>> = {
  'lock.acquired': { word: 'acquired', glyph: 'acquired' },
  'lock.reentered': { word: 're-entered', glyph: 'reentered' },
  'lock.refused': { word: 'refused', glyph: 'refused' },
  'lock.partially-released': { word: 'partial release', glyph: 'partly-released' },
  'lock.released': { word: 'released', glyph: 'released' },
  'unlock.refused': { word: 'unlock refused', glyph: 'refused' },
  'lock.force-released': { word: 'force-released', glyph: 'taken-away' },
  'lock.deleted': { word: 'deleted', glyph: 'taken-away' },
  'lock.evicted': { word: 'evicted', glyph: 'taken-away' },
  'db.flushed': { word: 'database flushed', glyph: 'taken-away' },
  'lease.renewed': { word: 'renewed', glyph: 'renewed' },
  'renewal.refused': { word: 'renewal refused', glyph: 'not-renewed' },
  'lease.expired': { word: 'expired', glyph: 'expired' },
  'waiter.subscribed': { word: 'subscribed', glyph: 'asleep' },
  'waiter.unsubscribed': { word: 'unsubscribed', glyph: 'awake' },
  'waiter.queued': { word: 'queued', glyph: 'queued' },
  'waiter.dequeued': { word: 'left the queue', glyph: 'left' },
  'wakeup.published': { word: 'wake-up message', glyph: 'message' },
  'blind-spot.began': { word: 'blind spot began', glyph: 'blind' },
  'blind-spot.ended': { word: 'blind spot ended', glyph: 'sighted' },
  'lock.found': { word: 'found', glyph: 'found' },
  'drift.healed': { word: 'drift healed', glyph: 'drift' },
};

/** What an event says beyond its word, in plain words. */
export function detailFromEvent(event: LockEvent): string {
  return detailParts(event)
    .filter((part) => part !== '')
    .join(', ');
}

function detailParts(event: LockEvent): string[] {
  switch (event.type) {
    case 'lock.acquired':
    case 'lock.reentered':
      return [
        modeText(event.mode),
        event.holdCount !== undefined && event.holdCount > 1 ? `holds ×${event.holdCount}` : '',
        leaseText(event.leaseMs),
        wokenText(event.wokenBy),
        event.waitedMs === undefined ? '' : `waited ${durationText(event.waitedMs)}`,
        event.fencingToken === undefined ? '' : `fencing token ${event.fencingToken}`,
      ];
    case 'lock.refused':
      return [
        event.reason === 'error' ? 'told an error' : toldText(event.ttlMs),
        modeText(event.mode),
        event.attempt > 1 ? `attempt ${event.attempt}` : '',
        event.asleep ? 'sleeps now' : '',
        wokenText(event.wokenBy),
      ];
    case 'lock.partially-released':
      return [
        event.holdCount === undefined ? 'still held' : `still holds ×${event.holdCount}`,
        modeText(event.mode),
        leaseText(event.leaseMs),
      ];
    case 'lock.released':
      return ['hold count 0', modeText(event.mode)];
    case 'unlock.refused':
      return [refusalText(event.reason), event.callerSawSuccess ? 'yet its caller was told success' : ''];
    case 'lock.force-released':
    case 'lock.deleted':
    case 'lock.evicted':
    case 'db.flushed':
      return [event.command === undefined ? '' : `by ${event.command}`, lostText(event.holder, event.holders)];
    case 'lease.renewed':
      return [
        event.leaseMs === undefined ? 'lease refilled' : `lease refilled to ${durationText(event.leaseMs)}`,
        event.cause === 'command' ? 'by a plain command, not a watchdog' : '',
        event.batch !== undefined && event.batch > 1 ? `one of ${event.batch} in one run` : '',
      ];
    case 'renewal.refused':
      return [refusalText(event.reason)];
    case 'lease.expired':
      return ['the lease ran out, Redis took the lock back', modeText(event.mode)];
    case 'waiter.subscribed':
      return ['listens for the wake-up message'];
    case 'waiter.unsubscribed':
      return ['listens no more'];
    case 'waiter.queued':
      return [
        `position ${event.position}`,
        event.deadline === null ? '' : `for ${durationText(millisBetween(event.at, event.deadline))} at most`,
      ];
    case 'waiter.dequeued':
      return [DEQUEUED[event.reason]];
    case 'wakeup.published':
      return [`message ${event.message}`];
    case 'blind-spot.began':
      return ['not watching', event.reason];
    case 'blind-spot.ended':
      return [`not watched for ${durationText(millisBetween(event.from, event.at))}`, event.reason];
    case 'lock.found':
      return [`held by ${holdersText(event.holders)}, since before anybody watched`];
    case 'drift.healed':
      return [
        `believed ${contentText(event.expected)}`,
        `found ${contentText(event.found)}`,
        event.cause === 'blind-spot' ? 'changed while nobody watched' : 'unexplained',
      ];
    default:
      return assertNever(event);
  }
}

const DEQUEUED = {
  'gave-up': 'gave up waiting',
  'presumed-gone': 'did not come back when it should have',
  evicted: 'its time in the queue was over',
} as const;

function modeText(mode: HoldMode): string {
  return mode === 'exclusive' ? '' : `to ${mode}`;
}

function leaseText(leaseMs: number | null | undefined): string {
  if (leaseMs === undefined) return '';
  return leaseMs === null ? 'no lease' : `lease ${durationText(leaseMs)}`;
}

function toldText(ttlMs: number | null): string {
  return ttlMs === null ? 'told it is held, time left unknown' : `told ${durationText(ttlMs)} left`;
}

function wokenText(wokenBy: 'message' | 'own-timer' | undefined): string {
  if (wokenBy === undefined) return '';
  return wokenBy === 'message' ? 'woken by message' : 'woken by its own timer';
}

function refusalText(reason: RefusalReason): string {
  switch (reason) {
    case 'not-owner':
      return 'somebody else holds the lock';
    case 'expired':
      return 'its hold had expired before';
    case 'no-lock':
      return 'nobody holds the lock';
    case 'error':
      return 'told an error, though it holds the lock';
    default:
      return assertNever(reason);
  }
}

function lostText(holder: string | undefined, holders: readonly string[] | undefined): string {
  const count = holders?.length ?? (holder === undefined ? 0 : 1);
  if (count === 0) return 'nobody was known to hold it';
  return count === 1 ? 'its holder lost it' : `${count} holders lost it`;
}

function holdersText(holders: readonly FoundHolder[]): string {
  if (holders.length === 0) return 'nobody';
  const shown = holders.slice(0, 3).map(({ holder, holdCount }) => `${holder} ×${holdCount}`);
  return holders.length > 3 ? `${shown.join(' and ')} and ${holders.length - 3} more` : shown.join(' and ');
}

function contentText(content: KeyContent | null): string {
  return content === null ? 'no lock' : `held by ${holdersText(content.holders)}`;
}
