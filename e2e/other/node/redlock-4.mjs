import Redis from 'ioredis';
import Redlock from 'redlock-4';
import { drive } from './driven.mjs';

const PATIENCE = { retryCount: 10, retryDelay: 200, retryJitter: 100 };

await drive('node-redlock 4.2.0', async ({ url, name }) => {
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
          const lock = await waiting.lock(resource, ttlMs).catch(refused);
          if (!lock) continue;
          held.set(place, lock);
          return 'ok';
        }
      case 'try': {
        const lock = await once.lock(resource, ttlMs).catch(refused);
        if (lock) held.set(place, lock);
        return lock ? 'ok' : 'false';
      }
      case 'extend':
        await held.get(place).extend(ttlMs);
        return 'ok';
      case 'unlock':
        await held.get(place).unlock();
        return 'ok';
      case 'owner':
        return held.get(place).value;
      default:
        throw new Error(`no such operation: ${operation}`);
    }
  };
});

function refused(error) {
  if (error.name !== 'LockError') throw error;
}
