import { setAhead } from '../../../../server/demo/client/clock.ts';
import { ConnectionPool } from '../../../../server/demo/client/connection-pool.ts';
import { waysOfLocking } from '../../../../server/demo/client/kinds/all-kinds.ts';
import { ExpirableSemaphore } from '../../../../server/demo/client/kinds/expirable-semaphore.ts';
import { Latch } from '../../../../server/demo/client/kinds/latch.ts';
import { forceUnlock, renewHolds } from '../../../../server/demo/client/kinds/plain-lock.ts';
import { renewReaders } from '../../../../server/demo/client/kinds/read-write-lock.ts';
import { Semaphore } from '../../../../server/demo/client/kinds/semaphore.ts';
import type { CommandConnection } from '../../../../server/redis/connection/command-connection.ts';
import { MACHINE, surroundWith } from '../../../../server/redis/connection/surroundings.ts';
import { EVERY_KIND, isCounting, type RandomLock } from '../../random/random-lock.ts';
import { type Chance, chanceFrom } from '../../random/seeded.ts';
import type { TriedRedis } from './tried-redis.ts';

/** Leases so different that the comparison never takes one for another: a real run takes less than `SAME_TIME_MS`. */
const LEASES_MS = [400_000, 800_000, 1_200_000] as const;
/** How long a fair lock keeps the place of a waiter; far apart for the same reason. */
const QUEUE_TIMES_MS = [2_000_000, 3_000_000] as const;
/** A client whose clock is this far ahead evicts the waiters of fair locks. */
const AHEAD_MS = 10_000_000;
const THREADS = 3;
/** The share of calls before which their lock expires. Either Redis finds that by itself, or the call does. */
const EXPIRE = 0.06;
/**
 * The lease with which a key is made to expire. Redis 7.0 reads its clock twice in PEXPIRE, and deletes a key whose
 * lease ends between the two: a busy machine may take some ms.
 */
const LAST_MS = 40;
const FOUND_BY_CALL_MS = LAST_MS + 3;
/** Permits are sorted by the ms of their ends, so no two of them begin in the same millisecond. */
const PERMITS_APART_MS = 2;

/** The reply to each call of a sequence, and how many calls were made on a key whose lease had just ended. */
type Outcome = { readonly replies: readonly unknown[]; readonly expiries: number };

type Client = {
  readonly uuid: string;
  readonly pool: ConnectionPool;
  readonly permits: ExpirableSemaphore;
  readonly connection: CommandConnection;
};

/**
 * Runs one call after the other on locks of every kind, by two clients with three threads each. All choices come from
 * the seed, and each call has ended before the next one begins, so two servers have to do the same.
 */
export async function runSequence(redis: TriedRedis, seed: string, calls: number): Promise<Outcome> {
  const chance = chanceFrom(seed, 'sequence');
  const values = chanceFrom(seed, 'values');
  surroundWith({
    ...MACHINE,
    wallMs: redis.wallMs,
    random: values.next,
    randomBytes: (count) => Buffer.from(Array.from({ length: count }, () => values.whole(0, 255))),
  });
  const underWay = new Set<Promise<unknown>>();
  const clients = [1, 2].map((n) => makeClient(redis, n, underWay));
  await Promise.all(clients.flatMap(({ pool, connection }) => [pool.whenReady(5000), connection.whenReady(5000)]));
  const replies: unknown[] = [];
  let expiries = 0;
  try {
    for (let n = 0; n < calls; n++) {
      const client = chance.oneOf(clients);
      const lock = chance.oneOf(EVERY_KIND);
      setAhead(chance.isTrue(0.1) ? AHEAD_MS : 0);
      const isOver = chance.isTrue(EXPIRE);
      const isFoundByCall = isOver && isHeldLock(lock) && chance.isTrue(0.7);
      if (isOver) {
        if (isFoundByCall) expiries++;
        const before = await redis.expired();
        const exists = (await client.connection.call('PEXPIRE', lock.name, LAST_MS)) === 1;
        if (isFoundByCall) await redis.wait(FOUND_BY_CALL_MS);
        else if (exists) await redis.untilExpired(before);
      }
      if (lock.kind === 'expirable-semaphore') await redis.wait(PERMITS_APART_MS);
      const call = isFoundByCall ? attemptOf(client, lock, chance) : callOf(client, lock, chance);
      replies.push(await call.catch(refusalOf));
      await Promise.allSettled([...underWay]);
    }
  } finally {
    setAhead(0);
    surroundWith();
    for (const { pool, connection } of clients) {
      pool.close();
      connection.close();
    }
  }
  return { replies, expiries };
}

/** The text of an error, without the line of the script, which only Redis adds. */
function refusalOf(error: Error): string {
  return error.message.replace(/ script: .*$/, '');
}

function makeClient({ open }: TriedRedis, n: number, underWay: Set<Promise<unknown>>): Client {
  const named = { url: '', name: `client-${n}`, prefix: '' };
  const opened = (): CommandConnection => {
    const connection = open(named);
    return {
      ...connection,
      call(command, ...args) {
        const reply = connection.call(command, ...args);
        const done = () => underWay.delete(reply);
        underWay.add(reply);
        reply.then(done, done);
        return reply;
      },
    };
  };
  const pool = new ConnectionPool(opened, 1);
  return { uuid: `client-${n}-uuid`, pool, permits: new ExpirableSemaphore(pool), connection: open(named) };
}

/** A lock that has a holder. */
type HeldLock = RandomLock & {
  readonly kind: Exclude<RandomLock['kind'], 'semaphore' | 'expirable-semaphore' | 'latch'>;
};

function isHeldLock(lock: RandomLock): lock is HeldLock {
  return !isCounting(lock);
}

function wayOf({ uuid, pool }: Client, { kind: kindOfLock }: HeldLock, chance: Chance) {
  const kind = kindOfLock === 'read-write' ? chance.oneOf(['read-lock', 'write-lock'] as const) : kindOfLock;
  const way = waysOfLocking(pool)[kind];
  const times = { leaseMs: chance.oneOf(LEASES_MS), queueMs: chance.oneOf(QUEUE_TIMES_MS) };
  return { way, kind, holder: way.holderOf(uuid, chance.whole(1, THREADS)), ...times };
}

function attemptOf(client: Client, lock: HeldLock, chance: Chance): Promise<unknown> {
  const { way, ...attempt } = wayOf(client, lock, chance);
  return way.attempt({ lock: lock.name, isWaiting: chance.isTrue(0.7), ...attempt });
}

function callOf(client: Client, lock: RandomLock, chance: Chance): Promise<unknown> {
  const { pool, permits, connection } = client;
  const draw = chance.next();
  if (draw < 0.003 && isHeldLock(lock)) return connection.call('SET', lock.name, 'of another program');
  if (draw < 0.015) return connection.call('DEL', lock.name);
  if (draw < 0.018) return connection.call('FLUSHALL');
  if (isHeldLock(lock)) return onHeld(client, lock, chance);
  if (lock.kind === 'semaphore') return onSemaphore(new Semaphore(pool), lock.name, chance);
  if (lock.kind === 'latch') return onLatch(new Latch(pool), lock.name, chance);
  if (draw < 0.1) return new Semaphore(pool).trySetPermits(lock.name, 3);
  return onExpirable(permits, lock.name, chance);
}

function onHeld(client: Client, lock: HeldLock, chance: Chance): Promise<unknown> {
  const draw = chance.next();
  if (draw < 0.55) return attemptOf(client, lock, chance);
  const { way, kind, holder, leaseMs, queueMs } = wayOf(client, lock, chance);
  if (draw < 0.85) return way.unlock(lock.name, holder, leaseMs);
  if (draw < 0.9 && way.giveUp) return way.giveUp(lock.name, holder, queueMs);
  if (kind === 'lock' && draw < 0.93) return forceUnlock(client.pool, lock.name);
  const renew = way.isShared ? renewReaders : renewHolds;
  const alike = EVERY_KIND.filter((each) => each.kind === lock.kind).map(({ name }) => ({ lock: name, holder }));
  return renew(client.pool, alike, leaseMs);
}

async function onSemaphore(semaphore: Semaphore, name: string, chance: Chance): Promise<unknown> {
  const draw = chance.next();
  if (draw < 0.2) return semaphore.trySetPermits(name, 4);
  if (draw < 0.6) return semaphore.attempt(name, chance.whole(1, 3));
  return semaphore.release(name, chance.whole(1, 2));
}

async function onLatch(latch: Latch, name: string, chance: Chance): Promise<unknown> {
  const draw = chance.next();
  if (draw < 0.3) return latch.trySetCount(name, chance.whole(1, 3));
  return draw < 0.8 ? latch.countDown(name) : latch.attempt(name);
}

function onExpirable(permits: ExpirableSemaphore, name: string, chance: Chance): Promise<unknown> {
  const thread = chance.whole(1, THREADS);
  if (chance.isTrue(0.4)) return permits.release(thread, name);
  return permits.attempt(thread, name, chance.isTrue(0.5) ? chance.oneOf(LEASES_MS) : undefined);
}
