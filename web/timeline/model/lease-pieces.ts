import { type Millis, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { isOfLock, type LockEvent } from '../../../shared/events/event.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import type { LockStep } from '../../../shared/state/replay/lock-replay.ts';
import type { LeasePiece } from './marks.ts';

type Draft = { -readonly [Key in keyof LeasePiece]: LeasePiece[Key] };

/** Events after which a held lock has a new piece, even if the lease in the state stays the same. */
const SETS_LEASE: ReadonlySet<LockEvent['type']> = new Set([
  'lock.acquired',
  'lock.reentered',
  'lock.partially-released',
  'lease.renewed',
  'lease.shortened',
  'lock.found',
  'drift.healed',
]);

/**
 * The lease of one lock over time, as straight falling pieces.
 *
 *   event   acquired   renewed   renewed      released
 *   piece   ╲________╲╱________╲╱_____________│
 *
 * A piece ends where a blind spot begins. The returned `leaseMs` is the longest lease, in ms.
 * `steps` are the events, each with the lock after it. `base` is the lock before the first event.
 */
export function leasePiecesFrom(
  steps: readonly LockStep[],
  base?: LockState,
): { pieces: LeasePiece[]; leaseMs: Millis } {
  const first = base && base.holders.length + base.holdersBeyond > 0 ? pieceOf(base) : undefined;
  const pieces: Draft[] = first ? [first] : [];
  let open = first;
  let leaseMs = base?.leaseMs ?? 0;

  const close = (at: RedisTime, endedBy: LeasePiece['endedBy']) => {
    if (open) {
      open.to = redisTime(Math.max(at, open.from));
      open.endedBy = endedBy;
    }
    open = undefined;
  };

  for (const { event, lock } of steps) {
    if (event.type === 'blind-spot.began') {
      close(event.at, 'unseen');
      continue;
    }
    if (!isOfLock(event) || !lock) continue;
    const isHeld = lock.holders.length + lock.holdersBeyond > 0;
    if (!isHeld) {
      close(event.at, event.type === 'lease.expired' ? 'expired' : 'freed');
    } else if (SETS_LEASE.has(event.type) || (event.type === 'lock.learned' && event.expiresAt !== undefined)) {
      close(event.at, 'renewed');
      const whole = lock.leaseMs ?? (lock.expiresAt === null ? 0 : (lock.expiresAt - event.at) / 1000);
      leaseMs = Math.max(leaseMs, whole);
      const holders = lock.holders.map((holder) => holder.id);
      open = { from: event.at, to: null, ...endOf(lock), endedBy: null, holders };
      pieces.push(open);
    }
  }
  return { pieces, leaseMs };
}

/** The open piece of a held lock. It begins when the lease was last set, as far as that is known. */
function pieceOf(lock: LockState): Draft {
  const { holders, changedAt } = lock;
  const setAt = Math.max(...holders.map(({ leaseSetAt, firstAt }) => leaseSetAt ?? firstAt ?? changedAt));
  const from = Number.isFinite(setAt) ? redisTime(setAt) : changedAt;
  return { from, to: null, ...endOf(lock), endedBy: null, holders: holders.map(({ id }) => id) };
}

function endOf({ expiresAt, neverEnds }: LockState): Pick<LeasePiece, 'expiresAt' | 'isEndKnown'> {
  return { expiresAt, isEndKnown: expiresAt !== null || neverEnds };
}

/** The TTL at an instant of a piece, as a share of the longest lease: 0 to 1. Without a known end: 1. */
export function shareLeft(piece: LeasePiece, at: RedisTime, leaseMs: Millis): number {
  if (piece.expiresAt === null || leaseMs <= 0) return 1;
  return Math.min(1, Math.max(0, (piece.expiresAt - at) / 1000 / leaseMs));
}
