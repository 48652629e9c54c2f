import type { Operation } from './protocol.ts';

/** An operation as text, for example `tryLock orders:42, wait 2000 ms`. */
export function inWords({ action, lock, waitMs, leaseMs }: Operation): string {
  const short = lock.length > 60 ? `${lock.slice(0, 60)}…` : lock;
  const wait = waitMs === undefined ? '' : `, wait ${waitMs} ms`;
  const lease = leaseMs === undefined ? '' : `, lease ${leaseMs} ms`;
  return `${action} ${short}${wait}${lease}`;
}
