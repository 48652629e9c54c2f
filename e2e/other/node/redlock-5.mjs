import Redis from 'ioredis';
import Redlock from 'redlock-5';
import { drive } from './driven.mjs';

const PATIENCE = { retryCount: 10, retryDelay: 200, retryJitter: 100 };

await drive('node-redlock 5.0.0-beta.2', async ({ url, name }) => {
  const client = new Redis(url, { connectionName: name });
  await client.ping();
  const waiting = new Redlock([client], PATIENCE);
  const held = new Map();
  return async (actor, operation, resource, [ttlMs]) => {
    const place = `${actor} ${resource}`;
    switch (operation) {
      case 'lock':
        for (;;) {
          const lock = await waiting.acquire([resource], ttlMs).catch(refused);
          if (!lock) continue;
          held.set(place, lock);
          return 'ok';
        }
      case 'try': {
        const lock = await waiting.acquire([resource], ttlMs, { retryCount: 0 }).catch(refused);
        if (lock) held.set(place, lock);
        return lock ? 'ok' : 'false';
      }
      case 'extend':
        held.set(place, await held.get(place).extend(ttlMs));
        return 'ok';
      case 'unlock':
        await held.get(place).release();
        return 'ok';
      case 'owner':
        return held.get(place).value;
      default:
        throw new Error(`no such operation: ${operation}`);
    }
  };
});

function refused(error) {
  if (error.name !== 'ExecutionError') throw error;
}
