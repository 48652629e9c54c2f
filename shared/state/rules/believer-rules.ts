import type { RedisTime } from '../../base/time.ts';
import type { EventOf, LockEvent } from '../../events/event.ts';
import { lockWith } from '../copies.ts';
import type { BelieverState, LockState } from '../lock-state.ts';
import type { Rules } from '../rule.ts';
import { withoutHold } from './holding-rules.ts';

/** Believers: holders that still think they hold a lock of which the current master has no record. */
export const BELIEVER_RULES: Rules<'lock.lost'> = { 'lock.lost': lost };

/** How many believers of one lock are kept: the newest ones. */
const MOST_BELIEVERS = 100;

function lost(lock: LockState, event: EventOf<'lock.lost'>): LockState {
  const { holder: id, mode, at, expiresAt, seq: lostSeq, group } = event;
  const known = lock.holders.find((holder) => holder.id === id && holder.mode === mode);
  const believer: BelieverState = {
    id,
    mode,
    since: known?.since ?? null,
    lostAt: at,
    until: expiresAt ?? null,
    lostSeq,
    ...(group === undefined ? undefined : { group }),
  };
  const others = lock.believers.filter((other) => other.id !== id || other.mode !== mode);
  return lockWith(withoutHold(lock, id, mode, event), { believers: [...others, believer].slice(-MOST_BELIEVERS) });
}

/**
 * Returns the believers that are left after an event of their lock.
 *
 * - An attempt or an unlock of a believer drops it: its thread then knows whether it holds the lock.
 * - A believer whose lease would have run out is dropped.
 * - A refused renewal does not drop a believer: only the client's library learns of it.
 */
export function withoutBelievers(believers: readonly BelieverState[], event: LockEvent): readonly BelieverState[] {
  if (believers.length === 0) return believers;
  const awareHolder = SHOWS_ITS_HOLD.has(event.type) && 'holder' in event ? event.holder : undefined;
  const left = believers.filter((believer) => believer.id !== awareHolder && stillBelieves(believer, event.at));
  return left.length === believers.length ? believers : left;
}

/** Whether the lease of a lost hold would still run; true if its end is not known. No event reports this end. */
export function stillBelieves({ until }: { readonly until: number | null }, now: RedisTime): boolean {
  return until === null || until > now;
}

/** Events of a holder after which it knows whether it holds the lock. */
const SHOWS_ITS_HOLD: ReadonlySet<LockEvent['type']> = new Set([
  'lock.acquired',
  'lock.reentered',
  'lock.refused',
  'lock.partially-released',
  'lock.released',
  'unlock.refused',
]);
