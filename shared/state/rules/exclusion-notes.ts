import { millisBetween } from '../../base/time.ts';
import type { EventType, LockEvent } from '../../events/event.ts';
import { KINDS } from '../../events/kinds/kinds.ts';
import { lockWith } from '../copies.ts';
import type { LockState } from '../lock-state.ts';
import { isHandover } from './handover-rules.ts';

/** After these, two threads may have believed to hold the lock at the same time, so counting begins again. */
const BREAKING: ReadonlySet<EventType> = new Set<EventType>([
  'lease.expired',
  'lock.force-released',
  'lock.deleted',
  'lock.evicted',
  'db.flushed',
  'lock.moved',
  'lock.lost',
  'lock.found',
  'drift.healed',
  'unlock.refused',
  'renewal.refused',
]);

/** Counts the hand-overs from an orderly release to a thread that waited, and keeps the shortest one. */
export function withExclusion(before: LockState, after: LockState, event: LockEvent): LockState {
  const { exclusion } = after;
  if (BREAKING.has(event.type) && exclusion) return lockWith(after, { exclusion: undefined });
  const { freed } = before;
  if (!KINDS[event.kind].isExclusive || !isHandover(event) || freed?.by !== 'lock.released') return after;
  const { at, seq } = event;
  const gapMs = millisBetween(freed.at, at);
  const first = exclusion ?? { since: freed.at, handovers: 0, tightestMs: gapMs, seqs: [freed.seq, seq] as const };
  const tightest = gapMs < first.tightestMs ? { tightestMs: gapMs, seqs: [freed.seq, seq] as const } : undefined;
  return lockWith(after, { exclusion: { ...first, ...tightest, handovers: first.handovers + 1 } });
}
