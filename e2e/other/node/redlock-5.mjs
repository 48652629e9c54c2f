import Redlock from 'redlock-5';
import { driveRedlock } from './redlock.mjs';

await driveRedlock('node-redlock 5.0.0-beta.2', Redlock, {
  lock: (redlock, resource, ttlMs) => redlock.acquire([resource], ttlMs),
  unlock: (lock) => lock.release(),
  refusal: 'ExecutionError',
});
