import type { ConnectionPool } from '../connection-pool.ts';
import { script } from '../scripts.ts';
import { PUBLISH } from './lock-protocol.ts';

const OPENED = '0';
const SET_AGAIN = '1';

/** KEYS count, channel · ARGV message, count, publish word, end. 1: set; 0: it had already been set. */
const SET = script(`
if redis.call('exists', KEYS[1]) == 1 then return 0 end
redis.call('set', KEYS[1], ARGV[2])
redis.call(ARGV[3], KEYS[2], ARGV[1])
if ARGV[4] then redis.call('pexpireat', KEYS[1], ARGV[4]) end
return 1
`);

/** KEYS count, channel · ARGV message, publish word. */
const COUNT_DOWN = script(`
local left = redis.call('decr', KEYS[1])
if left <= 0 then redis.call('del', KEYS[1]) end
if left == 0 then redis.call(ARGV[2], KEYS[2], ARGV[1]) end
`);

/** The channel to which the opening of a latch is published. */
export function latchChannel(name: string): string {
  return `redisson_countdownlatch__channel__{${name}}`;
}

/** `RedissonCountDownLatch`: `await` returns once the count is zero. */
export class Latch {
  readonly #pool: ConnectionPool;

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
  }

  /** True if the count was not set yet. The latch expires at `endsAt`, in ms since the epoch. */
  async trySetCount(name: string, count: number, endsAt?: number): Promise<boolean> {
    const args = [SET_AGAIN, count, PUBLISH, ...(endsAt === undefined ? [] : [endsAt])];
    return (await this.#pool.script(SET, [name, latchChannel(name)], args)) === 1;
  }

  async countDown(name: string): Promise<void> {
    await this.#pool.script(COUNT_DOWN, [name, latchChannel(name)], [OPENED, PUBLISH]);
  }

  /** Null: the latch is open. Otherwise -1, because it never opens by itself. */
  async attempt(name: string): Promise<number | null> {
    const count = await this.#pool.command('GET', name);
    return count === null || Number(count) <= 0 ? null : -1;
  }
}
