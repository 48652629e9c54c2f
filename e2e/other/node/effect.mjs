import { Effect, Exit, Option, Scope } from 'effect';
import { DistributedSemaphore, RedisBacking } from 'effect-distributed-lock';
import Redis from 'ioredis';
import { drive } from './driven.mjs';

await drive('effect-distributed-lock 0.0.11', async ({ url, name }) => {
  const client = new Redis(url, { connectionName: name });
  await client.ping();
  const backing = RedisBacking.layer(client);
  const run = (effect) => Effect.runPromise(Effect.provide(effect, backing));
  const held = new Map();
  return async (actor, operation, key, [ttl]) => {
    const heldKey = `${actor} ${key}`;
    switch (operation) {
      case 'lock':
      case 'try': {
        const scope = await Effect.runPromise(Scope.make());
        const identifier = crypto.randomUUID();
        const semaphore = await run(DistributedSemaphore.make(key, { limit: 1, ttl: `${ttl} millis` }));
        const options = { identifier };
        const take = operation === 'try' ? semaphore.tryTake(1, options) : Effect.asSome(semaphore.take(1, options));
        const taken = await run(Scope.extend(take, scope));
        if (Option.isSome(taken)) held.set(heldKey, { scope, identifier });
        return Option.isSome(taken) ? 'ok' : 'false';
      }
      case 'unlock':
        await run(Scope.close(held.get(heldKey).scope, Exit.void));
        return 'ok';
      case 'owner':
        return `${held.get(heldKey).identifier}_0`;
      default:
        throw new Error(`no such operation: ${operation}`);
    }
  };
});
