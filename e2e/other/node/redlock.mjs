import Redis from 'ioredis';
import { drive } from './driven.mjs';

/**
 * The retries of one call. `lock` repeats such calls until it has the lock, `try-again` makes one, and `try` does not
 * retry.
 */
const PATIENCE = { retryCount: 10, retryDelay: 200, retryJitter: 100 };

/**
 * Drives one version of node-redlock. Their APIs differ, so `lock(redlock, resource, ttlMs)` and `unlock(lock)` call
 * them. An error with the name `refusal` means that another client has the lock.
 */
export function driveRedlock(library, Redlock, { lock, unlock, refusal }) {
  const refused = (error) => {
    if (error.name !== refusal) throw error;
  };
  return drive(library, async ({ url, name }) => {
    const client = new Redis(url, { connectionName: name });
    await client.ping();
    const waiting = new Redlock([client], PATIENCE);
    const once = new Redlock([client], { ...PATIENCE, retryCount: 0 });
    const held = new Map();
    return async (actor, operation, resource, [ttlMs]) => {
      const place = `${actor} ${resource}`;
      switch (operation) {
        case 'lock':
          for (;;) {
            const acquired = await lock(waiting, resource, ttlMs).catch(refused);
            if (!acquired) continue;
            held.set(place, acquired);
            return 'ok';
          }
        case 'try':
        case 'try-again': {
          const acquired = await lock(operation === 'try' ? once : waiting, resource, ttlMs).catch(refused);
          if (acquired) held.set(place, acquired);
          return acquired ? 'ok' : 'false';
        }
        case 'extend':
          held.set(place, await held.get(place).extend(ttlMs));
          return 'ok';
        case 'unlock':
          await unlock(held.get(place));
          return 'ok';
        case 'owner':
          return held.get(place).value;
        default:
          throw new Error(`no such operation: ${operation}`);
      }
    };
  });
}
