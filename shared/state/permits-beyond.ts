import type { EventOf } from '../events/event.ts';
import { lockWith } from './copies.ts';
import type { LockState } from './lock-state.ts';

type WithNumbers = EventOf<
  'permits.acquired' | 'permits.refused' | 'permits.released' | 'permits.expired' | 'permits.renewed'
>;

/**
 * Notes that more permits are out than exist, from the acquisition that took one too many until fewer are out.
 *
 * - Releases beyond the permits that were taken raise the number of permits. So the limit is the number before these
 *   releases.
 * - In a sorted set, the number of free permits is below 0 only after one client allowed more permits than another.
 * - If the number was lowered while permits are out, nothing is noted, because no permit was taken since.
 *
 *   3 exist ── released twice ──▶ 4 ── 4 taken ──▶ 4 out of 3
 */
export function withBeyond(lock: LockState, event: WithNumbers): LockState {
  const { available, total } = event;
  if (available === undefined || total === undefined) return lock;
  const { beyond, raised } = lock;
  const out = total - available;
  const limit = raised ? raised.before : total;
  if (limit === 0 || out <= limit) {
    return beyond?.to === null ? lockWith(lock, { beyond: { ...beyond, to: event.at } }) : lock;
  }
  if (beyond?.to === null) return out > beyond.out ? lockWith(lock, { beyond: { ...beyond, out } }) : lock;
  if (event.type !== 'permits.acquired') return lock;
  const { at: since, seq, holder: by = null } = event;
  return lockWith(lock, { beyond: { since, seq, to: null, limit, out, by, ...(raised && { isRaised: true }) } });
}
