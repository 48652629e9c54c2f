import type { ConnectionPool } from '../connection-pool.ts';
import { prefixName } from '../names.ts';
import { script } from '../scripts.ts';
import { PUBLISH } from './way-of-locking.ts';

/** KEYS permits, channel · ARGV number, publish word, end. 1: set; 0: there was a number already. */
const SET = script(`
if redis.call('get', KEYS[1]) ~= false then return 0 end
redis.call('set', KEYS[1], ARGV[1])
redis.call(ARGV[2], KEYS[2], ARGV[1])
if ARGV[3] then redis.call('pexpireat', KEYS[1], ARGV[3]) end
return 1
`);

/** KEYS permits · ARGV number. 1: taken; 0: too few are free. */
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

/** The channel on which permits that came free are announced. */
export function permitsChannel(name: string): string {
  return prefixName('redisson_sc', name);
}

/** `RedissonSemaphore`: a number of permits. Nobody owns one: who gives back need not be who took. */
export class Semaphore {
  readonly #pool: ConnectionPool;

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
  }

  /** True when there was no number yet; it expires at `endsAt`, in ms since the epoch. */
  async trySetPermits(name: string, permits: number, endsAt?: number): Promise<boolean> {
    const args = [permits, PUBLISH, ...(endsAt === undefined ? [] : [endsAt])];
    return (await this.#pool.script(SET, [name, permitsChannel(name)], args)) === 1;
  }

  /** Null: taken; else -1, as nobody can say when some come free. */
  async attempt(name: string, permits: number): Promise<number | null> {
    return (await this.#pool.script(TAKE, [name], [permits])) === 1 ? null : -1;
  }

  async release(name: string, permits: number): Promise<void> {
    await this.#pool.script(GIVE, [name, permitsChannel(name)], [permits, PUBLISH]);
  }
}
