import type { RedisTime } from '../../shared/base/time.ts';
import type { Interpreter } from '../../shared/events/interpreter.ts';
import type { ClientRow } from '../../shared/signals/signal.ts';
import type { Presence } from './worker-messages.ts';

/** A living Redisson client pings every 30 s (`protocol.md` 3.4): all its connections silent longer than this is odd. */
const IDLE_SECONDS = 35;

/**
 * Name and liveness of every client that holds or waits, from CLIENT LIST.
 *
 *   connected   one of its connections is there and was used lately
 *   idle        all that are there have been silent for over 35 s: paused, or cut off without a sign
 *   unknown     it was seen on the server before a failover, and not since
 *   gone        none of the connections it was ever seen on is there
 */
export function presenceFromClients(interpreter: Interpreter, rows: readonly ClientRow[], at: RedisTime): Presence[] {
  const byAddress = new Map(rows.map((row) => [row.address, row]));
  return interpreter.clients.all().map(({ uuid, addresses, name, isUnplaced, lastSeen }) => {
    const present = addresses.map((address) => byAddress.get(address)).filter((row) => row !== undefined);
    // Seen after the list was made: it cannot be missing from it.
    if (lastSeen > at - 1_000_000) return { client: uuid, name, presence: 'connected' };
    if (isUnplaced) return { client: uuid, name, presence: 'unknown' };
    if (present.length === 0) return { client: uuid, name, presence: 'gone' };
    const idle = Math.min(...present.map((row) => row.idleSeconds));
    return { client: uuid, name, presence: idle > IDLE_SECONDS ? 'idle' : 'connected' };
  });
}
