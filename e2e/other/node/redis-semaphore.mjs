import Redis from 'ioredis';
import { Mutex } from 'redis-semaphore';
import { drive } from './driven.mjs';

/** Automatic renewals would keep every lease, so they are off: the stories decide when a lease is renewed. */
const BY_HAND = { refreshInterval: 0, retryInterval: 200 };
/** A `try` gives up before a second attempt. */
const PATIENCE_MS = { lock: 60_000, try: 50 };

await drive('redis-semaphore 5.8.0', async ({ url, name }) => {
  const client = new Redis(url, { connectionName: name });
  await client.ping();
  const held = new Map();
  return async (actor, operation, key, [lockTimeout]) => {
    const place = `${actor} ${key}`;
    switch (operation) {
      case 'lock':
      case 'try': {
        const mutex = new Mutex(client, key, { ...BY_HAND, acquireTimeout: PATIENCE_MS[operation], lockTimeout });
        const isHeld = operation === 'try' ? await mutex.tryAcquire() : await mutex.acquire().then(() => true);
        if (isHeld) held.set(place, mutex);
        return isHeld ? 'ok' : 'false';
      }
      case 'unlock':
        await held.get(place).release();
        return 'ok';
      case 'owner':
        return held.get(place).identifier;
      default:
        throw new Error(`no such operation: ${operation}`);
    }
  };
});
