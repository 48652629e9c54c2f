import type { OrderedFeed } from '../redis/ordered-feed.ts';
import type { ServerMemory } from './server-memory.ts';

export const NOT_MASTER = 'it is a replica now, and nobody has told of its master yet';

/** Not a failure: the connection ends because the master is another one. */
export class MasterChange extends Error {}

/** What a server became while it was watched; undefined while it is what it was. */
export function newRole(
  { role: now }: ServerMemory,
  { capabilities: { role } }: OrderedFeed,
): 'master' | 'replica' | undefined {
  const isMaster = now === 'master';
  if (now === undefined || isMaster === (role === 'master')) return undefined;
  return isMaster ? 'master' : 'replica';
}
