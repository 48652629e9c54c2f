import type { ConnectionPool } from './connection-pool.ts';
import { keysOf } from './kinds/all-kinds.ts';
import { PUBLISH, RELEASED } from './kinds/way-of-locking.ts';
import { lockChannel } from './names.ts';
import { keysFrom, type Marks, OWN, ownArguments } from './own-script.ts';
import type { Operation } from './protocol.ts';

/** A key that the operation would use was made by another client, on a Redis that is not the demo's. */
export class KeyInUse extends Error {
  override readonly name = 'KeyInUse';
}

/** Throws `KeyInUse` if one of a lock's keys is not the demo's. */
export async function expectOurs(pool: ConnectionPool, { kind = 'lock', lock }: Operation, own: Marks): Promise<void> {
  const [foreign] = await foreignOf(pool, 'look', keysOf(kind, lock), own);
  if (foreign !== undefined) throw new KeyInUse(`another client made the key ${foreign}; it stays as it is`);
}

/** Frees a lock if clients of the demo hold it, and wakes its waiters. */
export async function freeOurs(pool: ConnectionPool, lock: string, own: Marks): Promise<boolean> {
  if ((await foreignOf(pool, 'delete', [lock], own)).length > 0) return false;
  await pool.command(PUBLISH, lockChannel(lock), RELEASED);
  return true;
}

/** Looks at these keys, or deletes them, and returns those that are not the demo's: they stay. */
export async function foreignOf(
  pool: ConnectionPool,
  does: 'look' | 'delete',
  keys: readonly string[],
  own: Marks,
): Promise<string[]> {
  return keysFrom(await pool.script(OWN, keys, ownArguments(does, own)));
}
