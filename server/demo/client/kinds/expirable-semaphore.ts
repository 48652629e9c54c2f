import { randomBytes } from '../../../redis/connection/surroundings.ts';
import { lockMillis } from '../clock.ts';
import type { ConnectionPool } from '../connection-pool.ts';
import { suffixName } from '../names.ts';
import { script } from '../scripts.ts';
import { PUBLISH } from './lock-protocol.ts';
import { permitsChannel } from './semaphore.ts';

/** The deadline of a permit that never expires. */
const NEVER = 922_337_203_685_477;

/**
 * KEYS permits, deadlines, channel · ARGV number, deadline, now, never, publish word, ids.
 * Reclaims expired permits first. 1: acquired; `:time`: the next deadline; nil: no permit in use expires.
 */
const TAKE = script(`
local over = redis.call('zrangebyscore', KEYS[2], 0, ARGV[3], 'limit', 0, ARGV[1])
if #over > 0 then
  redis.call('zrem', KEYS[2], unpack(over))
  local free = redis.call('incrby', KEYS[1], #over)
  if tonumber(free) > 0 then redis.call(ARGV[5], KEYS[3], free) end
end
local free = redis.call('get', KEYS[1])
if free ~= false and tonumber(free) >= tonumber(ARGV[1]) then
  redis.call('decrby', KEYS[1], ARGV[1])
  for n = 6, #ARGV do redis.call('zadd', KEYS[2], ARGV[2], ARGV[n]) end
  local left = redis.call('pttl', KEYS[1])
  if left > 0 then redis.call('pexpire', KEYS[2], left) end
  return 1
end
local next = redis.call('zrange', KEYS[2], 0, 0, 'WITHSCORES')
if next[1] ~= nil and next[2] ~= ARGV[4] then return ':' .. next[2] end
return nil
`);

/** KEYS permits, channel, deadlines · ARGV id, 1, now, publish word. 1: released; 0: the permit had expired before. */
const GIVE = script(`
local ends = redis.call('zscore', KEYS[3], ARGV[1])
if redis.call('zrem', KEYS[3], ARGV[1]) ~= 1 then return 0 end
redis.call(ARGV[4], KEYS[2], redis.call('incrby', KEYS[1], ARGV[2]))
return tonumber(ends) > tonumber(ARGV[3]) and 1 or 0
`);

/** The sorted set with the deadline of each permit. */
export function deadlinesKey(name: string): string {
  return suffixName(name, 'timeout');
}

/** `RedissonPermitExpirableSemaphore`: each permit has an id, and may expire. */
export class ExpirableSemaphore {
  readonly #pool: ConnectionPool;
  /** Ids of the permits each thread acquired, oldest first. */
  readonly #taken = new Map<string, Buffer[]>();

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
  }

  /** Null: acquired. Otherwise the ms until the next permit expires, or -1 if no permit expires. */
  async attempt(thread: number, name: string, leaseMs: number | undefined): Promise<number | null> {
    const id = randomBytes(16);
    const now = lockMillis();
    const keys = [name, deadlinesKey(name), permitsChannel(name)];
    const ends = leaseMs === undefined ? NEVER : now + leaseMs;
    const reply = await this.#pool.script(TAKE, keys, [1, ends, now, NEVER, PUBLISH, id]);
    if (reply === 1) {
      this.#taken.set(`${thread} ${name}`, [...this.#of(thread, name), id]);
      return null;
    }
    return typeof reply === 'string' ? Math.max(0, Number(reply.slice(1)) - lockMillis()) : -1;
  }

  /** Releases the thread's oldest permit. False if the permit has expired, `undefined` if the thread has none. */
  async release(thread: number, name: string): Promise<boolean | undefined> {
    const [id, ...rest] = this.#of(thread, name);
    if (!id) return undefined;
    this.#taken.set(`${thread} ${name}`, rest);
    const keys = [name, permitsChannel(name), deadlinesKey(name)];
    return (await this.#pool.script(GIVE, keys, [id, 1, lockMillis(), PUBLISH])) === 1;
  }

  forget(): void {
    this.#taken.clear();
  }

  #of(thread: number, name: string): Buffer[] {
    return this.#taken.get(`${thread} ${name}`) ?? [];
  }
}
