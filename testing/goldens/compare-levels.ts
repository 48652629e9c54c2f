import { type Millis, millisBetween, plusMillis, type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import type { LockKey } from '../../shared/events/mirror/lock-key.ts';
import { SAME_END } from '../../shared/events/mirror/lock-key.ts';
import { fieldOf } from '../../shared/events/names/names.ts';
import type { LockState } from '../../shared/state/lock-state.ts';
import type { Played } from './level-events.ts';

/** How a hold ended, if that was seen. */
const ENDINGS: Readonly<Partial<Record<LockEvent['type'], string>>> = {
  'lock.released': 'released',
  'lock.force-released': 'force-released',
  'lock.deleted': 'deleted',
  'lock.evicted': 'evicted',
  'db.flushed': 'flushed',
  'lease.expired': 'expired',
};
/** An ending of an unknown kind. It may be any ending in `LOOK_ALIKE`, because these look the same. */
const UNKNOWN = 'unknown';
const LOOK_ALIKE: ReadonlySet<string> = new Set(['released', 'force-released', 'deleted', 'flushed', 'evicted']);

/**
 * Compares what is reported at level `events` with what happened. Returns each difference: `+` is reported and did not
 * happen, `-` happened and was not reported although the holders of the lock were known 2 ms before. With client
 * tracking, there are no differences of the second sort: two changes between two reads look like one.
 */
export function compareLevels({ heardBy, happened, reported, since = redisTime(0) }: Played): string[] {
  const knownSince = new Map<string, RedisTime>();
  for (const { type, lock, at } of reported) {
    const isHold = type === 'lock.found' || type === 'lock.acquired';
    if (isHold && !knownSince.has(lock)) knownSince.set(lock, at);
  }
  const truth = storiesOf(happened);
  const problems: string[] = [];
  for (const [lock, story] of storiesOf(reported)) {
    const left = (truth.get(lock) ?? []).filter(({ at }) => at >= since);
    for (const { text } of story) {
      const place = left.findLastIndex((each) => isSame(each.text, text));
      if (place === -1) problems.push(`+ ${lock}: ${text}`);
      else left.splice(place, 1);
    }
    if (heardBy === 'tracking') continue;
    const from = knownSince.get(lock);
    if (from === undefined) continue;
    for (const { text, at } of left) if (at > plusMillis(from, 2)) problems.push(`- ${lock}: ${text}`);
  }
  return problems;
}

/** Locks that were acquired but have no reported event. Locks with tokens are left out. */
export function unreportedLocks({ happened, reported }: Played): string[] {
  const known = new Set(reported.map(({ lock }) => lock));
  const acquired = happened.filter(({ type, kind }) => type === 'lock.acquired' && kind !== 'token-lock');
  return [...new Set(acquired.map(({ lock }) => lock))].filter((lock) => !known.has(lock));
}

type Reported = { readonly at: RedisTime; readonly text: string };

/** The part of each lock's story that level `events` can show, in short: `lock.acquired A exclusive ×1`. */
function storiesOf(events: readonly LockEvent[]): Map<string, Reported[]> {
  const stories = new Map<string, Reported[]>();
  const ends = new Map<string, RedisTime | null>();
  for (const event of events) {
    const { lock, at } = event;
    const story = stories.get(lock) ?? [];
    stories.set(lock, story);
    story.push(...textsOf(event, ends.get(lock)).map((text) => ({ at, text })));
    if ('expiresAt' in event && event.expiresAt !== undefined) ends.set(lock, event.expiresAt);
  }
  return stories;
}

function textsOf(event: LockEvent, endBefore: RedisTime | null | undefined): string[] {
  switch (event.type) {
    case 'lock.acquired': // with fields, the hold count is only seen later
      return [`${event.type} ${event.holder} ${event.mode} ×${event.holdCount ?? 1}`];
    case 'lock.partially-released':
      return [`${event.type} ${event.holder} ${event.mode} ×${event.holdCount}`];
    case 'lock.reentered': // a string with a token has no count: only its client knows about a re-entry
      if (event.kind === 'token-lock') return endMoved(endBefore, event.expiresAt);
      return [`${event.type} ${event.holder} ${event.mode} ×${event.holdCount}`];
    case 'lease.renewed':
    case 'lease.shortened':
      return endMoved(endBefore, event.expiresAt);
    case 'lock.released':
      return [`ended ${event.holder} ${event.how === 'unknown' ? UNKNOWN : 'released'}`];
    default: {
      const how = ENDINGS[event.type];
      if (how === undefined) return [];
      const { holders, holder } = event as { holders?: readonly string[]; holder?: string }; // as every ending has these fields
      return (holders ?? (holder === undefined ? [] : [holder])).map((each) => `ended ${each} ${how}`);
    }
  }
}

function endMoved(before: RedisTime | null | undefined, after: RedisTime | null | undefined): string[] {
  const by = movedBy(before, after);
  if (Math.abs(by) <= SAME_END) return [];
  return [after === null || by > 0 ? 'a later end' : 'an earlier end'];
}

/** By how many ms the end moved; infinite if there is no end before or after, or if it is not known. */
function movedBy(before: RedisTime | null | undefined, after: RedisTime | null | undefined): Millis {
  if (before === after) return 0;
  if (before === null) return Number.NEGATIVE_INFINITY;
  if (before === undefined || after == null) return Number.POSITIVE_INFINITY;
  return millisBetween(before, after);
}

function isSame(happened: string, reported: string): boolean {
  if (happened === reported) return true;
  if (!reported.endsWith(UNKNOWN)) return false;
  const how = happened.slice(happened.lastIndexOf(' ') + 1);
  return LOOK_ALIKE.has(how) && happened.slice(0, -how.length) === reported.slice(0, -UNKNOWN.length);
}

/** Compares the reported holders of a lock, and the end of its lease, with those in Redis right after a read. */
export function compareHolders(truth: LockKey | undefined, reports: LockState | undefined, at: RedisTime): string[] {
  const isOver = truth?.expiresAt != null && truth.expiresAt <= at;
  const held = [...((!isOver && truth?.holders) || [])].filter(([holder]) => !isOverInPart(truth, holder, at));
  const wanted = held.map(([field, { mode, count }]) => `${field} ${mode} ×${count}`);
  const shown = (reports?.holders ?? []).map(({ id, mode, holdCount }) => `${fieldOf(id, mode)} ${mode} ×${holdCount}`);
  if (wanted.sort().join() !== shown.sort().join()) return [`held by ${wanted}, reported: ${shown}`];
  if (!truth || !reports || held.length === 0 || truth.expiresAt === undefined) return [];
  const off = movedBy(truth.expiresAt, reports.expiresAt);
  return Math.abs(off) > SAME_END + 1 ? [`the lease ends ${off} ms off`] : [];
}

/** Returns, as text, each holder that did not acquire the lock between the beginning of watching and its `since`. */
export function wrongSince({ happened, since = redisTime(0) }: Played, reports: LockState | undefined): string[] {
  const wrong = reports?.holders.filter((holder) => {
    const limit = holder.since === null ? 0 : plusMillis(holder.since, 2);
    const isAcquisition = (event: LockEvent) => event.type === 'lock.acquired' && event.holder === holder.id;
    return limit !== 0 && !happened.some((each) => isAcquisition(each) && each.at <= limit && each.at >= since);
  });
  return (wrong ?? []).map(({ id, since: at }) => `${id} holds since ${at}, which nobody saw`);
}

/** Whether all values of this holder of a group lock have expired, although they are still in the hash. */
function isOverInPart(truth: LockKey | undefined, holder: string, at: RedisTime): boolean {
  const values = truth?.mirrors?.values?.heldBy(holder) ?? [];
  return values.length > 0 && values.every(({ expiresAt }) => expiresAt !== null && expiresAt <= at);
}
