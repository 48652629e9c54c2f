import type { ConnectionPool } from '../connection-pool.ts';
import { prefixName } from '../names.ts';
import { script } from '../scripts.ts';
import { PUBLISH } from './lock-protocol.ts';

/** KEYS permits, channel · ARGV number, publish word, end. 1: set; 0: it had already been set. */
const SET = script(`
if redis.call('get', KEYS[1]) ~= false then return 0 end
redis.call('set', KEYS[1], ARGV[1])
redis.call(ARGV[2], KEYS[2], ARGV[1])
if ARGV[3] then redis.call('pexpireat', KEYS[1], ARGV[3]) end
return 1
`);

/** KEYS permits · ARGV number. 1: acquired; 0: too few are free. */
const TAKE = script(`
local free = redis.call('get', KEYS[1])
if free == false or tonumber(free) < tonumber(ARGV[1]) then return 0 end
redis.call('decrby', KEYS[1], ARGV[1])
return 1
`);

/** KEYS permits, channel · ARGV number, publish word. */
const GIVE = script(`
redis.call(ARGV[2], KEYS[2], redis.call('incrby', KEYS[1], ARGV[1]))
`);

/** The channel to which released permits are published. */
export function permitsChannel(name: string): string {
  return prefixName('redisson_sc', name);
}

/** `RedissonSemaphore`: a number of permits without owners. Any thread may release permits that another acquired. */
export class Semaphore {
  readonly #pool: ConnectionPool;

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
  }

  /** True if the number of permits was not set yet. The semaphore expires at `endsAt`, in ms since the epoch. */
  async trySetPermits(name: string, permits: number, endsAt?: number): Promise<boolean> {
    const args = [permits, PUBLISH, ...(endsAt === undefined ? [] : [endsAt])];
    return (await this.#pool.script(SET, [name, permitsChannel(name)], args)) === 1;
  }

  /** Null: acquired. Otherwise -1: permits do not become free by themselves. */
  async attempt(name: string, permits: number): Promise<number | null> {
    return (await this.#pool.script(TAKE, [name], [permits])) === 1 ? null : -1;
  }

  async release(name: string, permits: number): Promise<void> {
    await this.#pool.script(GIVE, [name, permitsChannel(name)], [permits, PUBLISH]);
  }
}
