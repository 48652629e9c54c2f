import type { RedisUrl } from '../../shared/base/redis-url.ts';
import { isTokenKind, KINDS } from '../../shared/events/kinds/kinds.ts';
import { queueKey, timeoutsKey, waiterChannel } from '../../shared/events/names/names.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import {
  type CommandConnection,
  ConnectionLost,
  openCommandConnection,
} from '../redis/connection/command-connection.ts';
import { channelOf, type ForceRelease, forceRelease } from './force-scripts.ts';
import { CHANGED, guardedWords, LEASE_MOVED } from './held-guard.ts';
import { channelOfNext, type QueueHead, removeHeadWords } from './remove-head.ts';

/** Why a lock cannot be released by force. */
type Unsafe = 'free' | 'kind' | 'library' | 'group' | 'guessed' | 'modes';

/** A release by force, ready to be sent. `endsAt`: when the lease ends, in epoch ms; negative: it has no end. */
type Plan = {
  readonly lock: Lock;
  readonly force: ForceRelease;
  readonly endsAt: number;
  readonly words: readonly string[];
};

/**
 * The removal of the head of a queue, ready to be sent. `channel`: where the next head gets a message; null: no message
 * is sent.
 */
type HeadPlan = QueueHead & { readonly words: readonly string[]; readonly channel: string | null };

/**
 * The outcome. `changed`: the lock had changed, so it was not released. `unknown`: the connection broke before the
 * answer.
 */
type Outcome = 'released' | 'changed' | 'unknown';

const READY_MS = 5000;
/**
 * A releaser cuts its connection this long after its creation: a Redis that does not answer must not hold up later
 * requests. A command that was sent may still run when Redis answers again.
 */
const WITHIN_MS = 15_000;
/**
 * If the lease is renewed after it was read and before the release, nothing is released, and both are repeated. The
 * release is sent at most this often.
 */
const TRIES = 20;
/** The channels of this many waiters of a fair lock are looked at. */
const MOST_CHANNELS = 100;

/** Libraries whose waiters poll: they need no message. `redlock` is node-redlock. */
const POLLING = new Set([
  'redis-py',
  'redlock',
  'redlock-rb',
  'redlock-net',
  'sesamecare-redlock',
  'redsync',
  'shedlock',
  'redislock',
  'redis-semaphore',
  'aioredlock',
  'pottery',
  'laravel',
  'redlock-universal',
  'upstash',
  'lock4j',
  'celery-singleton',
  'celery-once',
  'warlock',
]);

/** Why it is not safe to release this lock by force; undefined: it is. */
export function unsafeReason({ kind, kindKnown, library, held, holders, moreHolders }: Lock): Unsafe | undefined {
  if (!held || holders.length === 0) return 'free';
  if (holders.some(({ group }) => group !== undefined)) return 'group';
  if (kindKnown === false) return 'guessed';
  if (moreHolders !== undefined) return 'modes';
  if (isTokenKind(kind)) return POLLING.has(library ?? '') ? undefined : 'library';
  if (forceRelease({ name: '', kind, mode: 'exclusive', publish: 'PUBLISH', nowMs: 0 }) === null) return 'kind';
  if (library !== 'redisson') return 'library';
  // a writer that also reads has two holds, and no command of Redisson shows which of them it releases
  return new Set(holders.map(({ mode }) => mode)).size > 1 ? 'modes' : undefined;
}

/**
 * Sends a release by force on a private connection, with the scripts of `forceRelease`, only while the lock has the
 * holders of the plan; or the removal of the head of a queue. Its methods reject with the error of Redis, or
 * `ConnectionLost`. Before a release is sent again, the lease is read again.
 */
export class Releaser {
  readonly #connection: CommandConnection;
  readonly #timer: NodeJS.Timeout;

  constructor(server: RedisUrl, db: number) {
    this.#connection = openCommandConnection({ url: server, db, name: 'lockscope-release', isOnce: true });
    this.#timer = setTimeout(() => this.#connection.cut(), WITHIN_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#connection.close();
  }

  /**
   * Reads the lease and the channels that the waiters listen to, and returns the command that would release the lock.
   */
  async plan(lock: Lock): Promise<Plan> {
    await this.#connection.whenReady(READY_MS);
    const { name, kind, holders } = lock;
    const channel = channelOf(lock);
    const isSharded = await this.#hasShardListeners(listenedTo(lock, channel));
    const [endsAt, nowMs] = await this.#endOf(name);
    const [first] = holders;
    const mode = first?.mode === 'read' || first?.mode === 'write' ? first.mode : 'exclusive';
    const publish = isSharded ? 'SPUBLISH' : 'PUBLISH';
    const force = forceRelease({ name, kind, mode, publish, nowMs });
    if (!force) throw new Error(`a ${kind} cannot be released`);
    return { lock, force, endsAt, words: guardedWords(force, lock, endsAt) };
  }

  /**
   * What would remove the head of a fair lock's queue; `changed`: `head` is not the head; `listened`: a connection
   * listens to its channel, so it is not dead.
   */
  async planHead({ name }: Lock, head: string): Promise<HeadPlan | 'changed' | 'listened'> {
    await this.#connection.whenReady(READY_MS);
    const [first, next = null] = (await this.#connection.call('LRANGE', queueKey(name), '0', '1')) as string[];
    if (first !== head) return 'changed';
    if (await this.#hasListeners(waiterChannel(name, head))) return 'listened';
    const score = ((await this.#connection.call('ZSCORE', timeoutsKey(name), head)) as string | null) ?? '';
    const isFree = Number(await this.#connection.call('EXISTS', name)) === 0;
    const isSharded = next !== null && (await this.#hasShardListeners([waiterChannel(name, next)]));
    const queue = { head, score, next, isFree };
    const words = removeHeadWords(name, queue, isSharded ? 'SPUBLISH' : 'PUBLISH');
    return { ...queue, words, channel: channelOfNext(name, queue) };
  }

  /** Removes the head; the script itself compares it with the plan. */
  async sendHead({ words }: HeadPlan): Promise<'removed' | 'changed' | 'unknown'> {
    const reply = await this.#sent(words);
    if (reply === 'unknown') return reply;
    return reply === 1 ? 'removed' : 'changed';
  }

  /**
   * Releases the lock; the script itself compares its holders and its lease with the plan. `isSameHold` is called after
   * each read of the lease; it returns false if the holders acquired the lock again since the plan was made.
   */
  async send(plan: Plan, isSameHold: () => Promise<boolean> = async () => true): Promise<Outcome> {
    const { lock, force } = plan;
    let { words } = plan;
    for (let n = 0; n < TRIES; n++) {
      if (!(await isSameHold())) return 'changed';
      const reply = await this.#sent(words);
      if (reply === 'unknown') return reply;
      if (reply !== LEASE_MOVED) return reply === CHANGED ? 'changed' : 'released';
      const [endsAt] = await this.#endOf(lock.name);
      words = guardedWords(force, lock, endsAt);
    }
    return 'changed';
  }

  /** What the script returned; `unknown`: the connection broke before the answer. */
  async #sent([command = '', ...args]: readonly string[]): Promise<number | 'unknown'> {
    if (!this.#connection.isReady()) throw new ConnectionLost('no connection to Redis: nothing was sent');
    const reply = await this.#connection.call(command, ...args).catch((error: unknown) => {
      if (error instanceof ConnectionLost) return 'unknown' as const;
      throw error;
    });
    return reply === 'unknown' ? reply : Number(reply);
  }

  /** When the lease of a key ends (negative: it has none), and what time it is, in epoch ms. */
  async #endOf(name: string): Promise<[endsAt: number, nowMs: number]> {
    const [seconds, micros] = (await this.#connection.call('TIME')) as [string, string];
    const nowMs = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
    const leftMs = Number(await this.#connection.call('PTTL', name));
    return [leftMs < 0 ? leftMs : nowMs + leftMs, nowMs];
  }

  async #hasListeners(channel: string): Promise<boolean> {
    const [, count] = (await this.#connection.call('PUBSUB', 'NUMSUB', channel)) as [string, number];
    return Number(count) > 0 || (await this.#hasShardListeners([channel]));
  }

  /**
   * Whether connections listen to one of these channels as a sharded channel; false if Redis refuses the question, as
   * a server without sharded channels does.
   */
  async #hasShardListeners(channels: readonly string[]): Promise<boolean> {
    if (channels.length === 0) return false;
    const reply = await this.#connection.call('PUBSUB', 'SHARDNUMSUB', ...channels).catch(() => []);
    return Array.isArray(reply) && reply.some((count, n) => n % 2 === 1 && Number(count) > 0);
  }
}

/** The channels that the known waiters of a lock listen to. */
function listenedTo({ name, kind, waiters }: Lock, channel: string | null): string[] {
  if (channel === null) return [];
  return KINDS[kind].hasQueue ? waiters.slice(0, MOST_CHANNELS).map(({ id }) => waiterChannel(name, id)) : [channel];
}
