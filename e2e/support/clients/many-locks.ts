import { patientClient } from '../lockscope/patient-client.ts';

const ACQUIRE =
  "if (redis.call('exists', KEYS[1]) == 0) then redis.call('hincrby', KEYS[1], ARGV[2], 1); redis.call('pexpire', KEYS[1], ARGV[1]); return nil; end; if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then redis.call('hincrby', KEYS[1], ARGV[2], 1); redis.call('pexpire', KEYS[1], ARGV[1]); return nil; end; return redis.call('pttl', KEYS[1]);";
const RELEASE =
  "if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then return nil;end; local counter = redis.call('hincrby', KEYS[1], ARGV[3], -1); if (counter > 0) then redis.call('pexpire', KEYS[1], ARGV[2]); return 0; else redis.call('del', KEYS[1]); redis.call('publish', KEYS[2], ARGV[1]); return 1; end; return nil;";
const AT_ONCE = 100;

/**
 * Acquires and releases `count` locks once each, as Redisson 3.x does: three events a lock. After each hundred locks,
 * it calls `onStep` with the number done and waits `pauseMs`.
 */
export async function addManyLocks(
  port: number,
  count: number,
  { from = 0, pauseMs = 5, onStep = async (_done: number): Promise<void> => {} } = {},
): Promise<void> {
  const client = patientClient({ url: `redis://127.0.0.1:${port}` });
  client.on('error', () => undefined); // a call that fails rejects
  await client.connect();
  try {
    for (let n = 0; n < count; n += AT_ONCE) {
      const calls: Promise<unknown>[] = [];
      for (let k = 0; k < Math.min(AT_ONCE, count - n); k++) {
        const lock = `once:${from + n + k}`;
        const holder = `${String((n + k) % 500).padStart(8, '0')}-d89d-4cda-962c-c6e370a8fee0:${k}`;
        const channel = `redisson_lock__channel:{${lock}}`;
        calls.push(client.sendCommand(['EVAL', ACQUIRE, '1', lock, '30000', holder]));
        calls.push(client.sendCommand(['EVAL', RELEASE, '2', lock, channel, '0', '30000', holder]));
      }
      await Promise.all(calls);
      await onStep(n + AT_ONCE);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  } finally {
    await client.close();
  }
}
