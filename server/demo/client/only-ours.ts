import type { ConnectionPool } from './connection-pool.ts';
import { keysOf } from './kinds/all-kinds.ts';
import { PUBLISH, RELEASED } from './kinds/lock-protocol.ts';
import { lockChannel } from './names.ts';
import { keysFrom, type Marks, OWN, ownArguments } from './own-script.ts';
import type { Operation } from './protocol.ts';

/** On a shared Redis, another client created a key that the operation would use. */
class KeyInUse extends Error {
  override readonly name = 'KeyInUse';
}

/** Rejects with `KeyInUse` if a key of the lock does not belong to the demo. */
export async function expectOurs(pool: ConnectionPool, { kind = 'lock', lock }: Operation, own: Marks): Promise<void> {
  const [foreign] = await foreignOf(pool, 'look', keysOf(kind, lock), own);
  if (foreign !== undefined) throw new KeyInUse(`another client created the key ${foreign}; it was not changed`);
}

/** Frees a lock unless another client holds it, and wakes its waiters. False if another client holds it. */
export async function freeOurs(pool: ConnectionPool, lock: string, own: Marks): Promise<boolean> {
  if ((await foreignOf(pool, 'delete', [lock], own)).length > 0) return false;
  await pool.command(PUBLISH, lockChannel(lock), RELEASED);
  return true;
}

/** Checks or deletes these keys. Returns the keys that do not belong to the demo; they are never deleted. */
export async function foreignOf(
  pool: ConnectionPool,
  does: 'look' | 'delete',
  keys: readonly string[],
  own: Marks,
): Promise<string[]> {
  return keysFrom(await pool.script(OWN, keys, ownArguments(does, own)));
}
