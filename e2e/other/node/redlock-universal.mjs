import Redis from 'ioredis';
import { createLock, IoredisAdapter } from 'redlock-universal';
import { drive } from './driven.mjs';

/** A waiter attempts again every 200 ms, a `try` never. */
const PATIENCE = { lock: { retryAttempts: 300, retryDelay: 200 }, try: { retryAttempts: 0 } };

await drive('redlock-universal 0.8.5', async ({ url, name }) => {
  const client = new Redis(url, { connectionName: name });
  await client.ping();
  const adapter = new IoredisAdapter(client);
  const held = new Map();
  return async (actor, operation, key, [ttl]) => {
    const place = `${actor} ${key}`;
    switch (operation) {
      case 'lock':
      case 'try': {
        const lock = createLock({ adapter, key, ttl, ...PATIENCE[operation] });
        const handle = await lock.acquire().catch((error) => {
          if (error.name !== 'LockAcquisitionError') throw error;
        });
        if (handle) held.set(place, { lock, handle });
        return handle ? 'ok' : 'false';
      }
      case 'extend': {
        const { lock, handle } = held.get(place);
        return String(await lock.extend(handle, ttl));
      }
      case 'unlock': {
        const { lock, handle } = held.get(place);
        return String(await lock.release(handle));
      }
      case 'owner':
        return held.get(place).handle.value;
      default:
        throw new Error(`no such operation: ${operation}`);
    }
  };
});
