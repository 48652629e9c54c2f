import Redlock from 'redlock-4';
import { driveRedlock } from './redlock.mjs';

await driveRedlock('node-redlock 4.2.0', Redlock, {
  lock: (redlock, resource, ttlMs) => redlock.lock(resource, ttlMs),
  unlock: (lock) => lock.unlock(),
  refusal: 'LockError',
});
