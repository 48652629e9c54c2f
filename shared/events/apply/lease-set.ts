import type { RedisTime } from '../../base/time.ts';
import type { LockKey } from '../mirror/lock-key.ts';
import type { Lease } from '../types/lease.ts';
import { leaseFields } from './holding.ts';

const RENEWED = { type: 'lease.renewed', cause: 'watchdog' } as const;
const SHORTENED_BY_HOLDER = { type: 'lease.shortened', cause: 'holder' } as const;

/** Whether a script of the holder's library renews or shortens the lease, as event fields. Call it before `setLease`. */
export function setByHolder(key: LockKey, lease: Lease | null): typeof RENEWED | typeof SHORTENED_BY_HOLDER {
  return endsEarlier(key, leaseFields(lease)?.expiresAt) ? SHORTENED_BY_HOLDER : RENEWED;
}

/** Whether this end is earlier than the known one. `null` means no end, `undefined` an unknown one. */
export function endsEarlier(key: LockKey, expiresAt: RedisTime | null | undefined): boolean {
  if (key.expiresAt === undefined || expiresAt == null) return false;
  return key.expiresAt === null || expiresAt < key.expiresAt;
}
