import type { LockEvent } from '../../../shared/events/event.ts';
import type { PointKind, PointMark, Taken } from './marks.ts';

/** The points of one event: none, one, or one for each holder that lost its hold or permit. */
export function pointsFromEvent(event: LockEvent): PointMark[] {
  switch (event.type) {
    case 'lease.renewed':
      return event.holder === undefined ? [] : [point(event, 'renewed', event.holder)];
    case 'lock.reentered':
      return [point(event, 'reentered', event.holder, event.holdCount ?? null)];
    case 'lock.partially-released':
      return [point(event, 'partly-released', event.holder, event.holdCount ?? null)];
    case 'lock.released':
      return [point(event, 'released', event.holder, 0)];
    case 'lock.refused':
      return [point(event, 'refused', event.holder)];
    case 'unlock.refused':
      return [point(event, 'unlock-refused', event.holder)];
    case 'renewal.refused':
      return [point(event, 'renewal-refused', event.holder)];
    case 'lease.expired':
      return event.holder === undefined ? [] : [point(event, 'expired', event.holder)];
    case 'lock.lost':
      return [point(event, 'taken-away', event.holder, null, 'lost')];
    case 'lock.force-released':
    case 'lock.deleted':
    case 'lock.evicted':
    case 'db.flushed': {
      const holders = event.holders ?? (event.holder === undefined ? [] : [event.holder]);
      return holders.map((holder) => point(event, 'taken-away', holder, null, TAKEN[event.type]));
    }
    default:
      return counterPoint(event);
  }
}

/** Points of semaphores and latches, on the lane of the connection that sent the command, if it is known. */
function counterPoint(event: LockEvent): PointMark[] {
  switch (event.type) {
    case 'permits.set':
      return named(event, 'permits-set', event.holder, event.total ?? event.available ?? null);
    case 'permits.acquired':
      return named(event, 'permits-taken', event.holder, event.permits ?? null);
    case 'permits.refused':
      return named(event, 'permits-refused', event.holder, event.permits);
    case 'permits.released':
      return named(event, 'permits-back', event.holder, event.permits);
    case 'permits.expired':
      return (event.permitIds ?? []).map((id, n) => {
        const mark = point(event, 'permits-expired', id);
        return n === 0 ? mark : { ...mark, id: `e${event.seq}-${n + 1}` };
      });
    case 'latch.set':
      return named(event, 'latch-set', event.holder, event.count);
    case 'latch.counted-down':
      return named(event, 'counted-down', event.holder, event.count ?? null);
    default:
      return [];
  }
}

function named(event: LockEvent, kind: PointKind, holder: string | undefined, count: number | null): PointMark[] {
  return holder === undefined ? [] : [point(event, kind, holder, count)];
}

const TAKEN = {
  'lock.force-released': 'force-released',
  'lock.deleted': 'deleted',
  'lock.evicted': 'evicted',
  'db.flushed': 'flushed',
} as const;

function point(
  event: LockEvent,
  kind: PointKind,
  holder: string,
  count: number | null = null,
  taken: Taken | null = null,
): PointMark {
  return { kind: 'point', point: kind, id: `e${event.seq}`, seq: event.seq, holder, at: event.at, count, taken };
}
