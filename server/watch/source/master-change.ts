import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import type { FailoverDetector } from './failover-detector.ts';

export const NOT_MASTER = 'it is a replica now, and nobody has told of its master yet';

/** Not a failure: the connection ends because the master is another one. */
export class MasterChange extends Error {}

/** What a server became while it was watched; undefined while it is what it was. */
export function newRole(
  { role: now }: FailoverDetector,
  { capabilities: { role } }: OrderedFeed,
): 'master' | 'replica' | undefined {
  const isMaster = now === 'master';
  if (now === undefined || isMaster === (role === 'master')) return undefined;
  return isMaster ? 'master' : 'replica';
}
