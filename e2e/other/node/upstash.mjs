import { createServer } from 'node:http';
import { Lock } from '@upstash/lock';
import { Redis as RestClient } from '@upstash/redis';
import Redis from 'ioredis';
import { drive } from './driven.mjs';

/** A waiter attempts again every 200 ms, a `try` never. */
const PATIENCE = { lock: { attempts: 300, delay: 200 }, try: { attempts: 1, delay: 0 } };

/**
 * Upstash's front end: it takes one or several commands as JSON over HTTP. Its results are in base64, as the client
 * requests.
 */
async function frontEnd(client) {
  const encoded = (value) => {
    if (Array.isArray(value)) return value.map(encoded);
    return typeof value === 'string' && value !== 'OK' ? Buffer.from(value).toString('base64') : value;
  };
  const answer = ([command, ...args]) =>
    client.call(command, ...args).then(
      (result) => ({ result: encoded(result) }),
      (error) => ({ error: error.message }),
    );
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const isPipeline = Array.isArray(body[0]);
    const reply = isPipeline ? await Promise.all(body.map(answer)) : await answer(body);
    response.statusCode = reply.error ? 400 : 200;
    response.end(JSON.stringify(reply));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}`;
}

await drive('@upstash/lock 0.2.1', async ({ url, name }) => {
  const client = new Redis(url, { connectionName: name });
  await client.ping();
  const redis = new RestClient({ url: await frontEnd(client), token: 'any', enableTelemetry: false });
  const held = new Map();
  return async (actor, operation, id, [lease]) => {
    const place = `${actor} ${id}`;
    switch (operation) {
      case 'lock':
      case 'try': {
        const lock = new Lock({ redis, id, lease, retry: PATIENCE[operation] });
        const isHeld = await lock.acquire();
        if (isHeld) held.set(place, lock);
        return isHeld ? 'ok' : 'false';
      }
      case 'extend':
        return String(await held.get(place).extend(lease));
      case 'unlock':
        return String(await held.get(place).release());
      case 'owner':
        return held.get(place).config.UUID;
      default:
        throw new Error(`no such operation: ${operation}`);
    }
  };
});
