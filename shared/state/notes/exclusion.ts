import { type Millis, millisBetween, type RedisTime } from '../../base/time.ts';
import type { EventType, LockEvent } from '../../events/event.ts';
import { KINDS } from '../../events/kinds/kinds.ts';
import { isHandover } from '../handovers.ts';
import type { LockFacts } from '../lock-facts.ts';

/**
 * After these events, two threads may have thought that they hold the lock at the same time, so counting begins again.
 */
const ENDS_EXCLUSION: ReadonlySet<EventType> = new Set<EventType>([
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

/**
 * The hand-overs of an exclusive lock since the last event of a type in `ENDS_EXCLUSION`: a release, then the
 * acquisition by a waiter.
 */
export type Exclusion = {
  readonly since: RedisTime;
  readonly handovers: number;
  /** The shortest time from the release to the acquisition, and the `seq`s of both. */
  readonly tightestMs: Millis;
  readonly seqs: readonly [released: number, acquired: number];
};

/** Counts the hand-overs from an orderly release to a thread that waited, and keeps the shortest one. */
export function exclusionAfter(
  exclusion: Exclusion | undefined,
  { freed }: LockFacts,
  event: LockEvent,
): Exclusion | undefined {
  if (ENDS_EXCLUSION.has(event.type)) return undefined;
  if (!KINDS[event.kind].isExclusive || !isHandover(event) || freed?.by !== 'lock.released') return exclusion;
  const { at, seq } = event;
  const gapMs = millisBetween(freed.at, at);
  const first = exclusion ?? { since: freed.at, handovers: 0, tightestMs: gapMs, seqs: [freed.seq, seq] as const };
  const tightest = gapMs < first.tightestMs ? { tightestMs: gapMs, seqs: [freed.seq, seq] as const } : undefined;
  return { ...first, ...tightest, handovers: first.handovers + 1 };
}
