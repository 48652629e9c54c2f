import { Redlock } from '@sesamecare-oss/redlock';
import { driveRedlock } from './redlock.mjs';

await driveRedlock('@sesamecare-oss/redlock 1.4.0', Redlock, {
  lock: (redlock, resource, ttlMs) => redlock.acquire([resource], ttlMs),
  unlock: (lock) => lock.release(),
  refusal: 'ExecutionError',
});
