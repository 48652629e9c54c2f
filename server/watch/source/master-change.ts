import type { ServerRole } from '../../../shared/base/server-role.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import type { FailoverDetector } from './failover-detector.ts';

export const NOT_MASTER = 'it is a replica now, and its new master is not known yet';

/** Not a failure: the connection ends because another server is the master now, or this server's role has changed. */
export class MasterChange extends Error {}

/** The new role of a watched server; `undefined` if its role has not changed. */
export function newRole(
  { role: now }: FailoverDetector,
  { capabilities: { role } }: OrderedFeed,
): ServerRole | undefined {
  return now === role ? undefined : now;
}
