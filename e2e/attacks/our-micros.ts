import type { RunningRedis } from '../support/servers/redis.ts';

/** Commands of the application and of the test itself, and EXEC, whose time is the sum of the commands in it. */
const NOT_OURS = new Set([
  'set',
  'get',
  'hset',
  'expire',
  'exec',
  'eval',
  'exists',
  'hincrby',
  'pexpire',
  'config|get',
  'config|resetstat',
  'slowlog|get',
  'slowlog|reset',
]);

/**
 * The most that all calls of CLIENT LIST may take while there are too many clients to list them, in µs. At each start,
 * Lockscope tries whether it may send CLIENT LIST, for one client that does not exist: 7 µs. A list of 3,000 clients
 * took 2,600 to 12,600 µs.
 */
export const MOST_FOR_CLIENT_LIST = 1000;

/** µs that Redis spent on each command that only Lockscope sends. */
export async function ourMicros(
  command: RunningRedis['command'],
): Promise<Map<string, { calls: number; micros: number }>> {
  const stats = String(await command('INFO', 'commandstats'));
  const found = [...stats.matchAll(/^cmdstat_([^:]+):calls=(\d+),usec=(\d+)/gm)];
  const ours = found.filter(([, name = '']) => !NOT_OURS.has(name));
  return new Map(ours.map(([, name = '', calls, micros]) => [name, { calls: Number(calls), micros: Number(micros) }]));
}
