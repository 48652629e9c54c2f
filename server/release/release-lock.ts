import type { RedisUrl } from '../../shared/base/redis-url.ts';
import { isTokenKind, KINDS } from '../../shared/events/kinds/kinds.ts';
import { fieldOf, isLockField, queueKey, timeoutsKey, waiterChannel } from '../../shared/events/names/names.ts';
import type { Lock } from '../../shared/wire/lock.ts';
import { type CommandConnection, ConnectionLost, openCommandConnection } from '../redis/command-connection.ts';
import { channelOf, type ForceRelease, forceRelease } from './force-scripts.ts';
import { channelOfNext, type QueueHead, removeHeadWords } from './remove-head.ts';

/** Why a lock cannot be released by force. */
export type Unsafe = 'free' | 'kind' | 'library' | 'group' | 'guessed' | 'modes';

/** A release by force, ready to be sent. */
export type Plan = { readonly lock: Lock; readonly force: ForceRelease };

/** The removal of the head of a queue, ready to be sent. `channel`: where the next head gets a message; null: it gets none. */
export type HeadPlan = QueueHead & { readonly words: readonly string[]; readonly channel: string | null };

/** What came of it. `changed`: the lock did, so it was not released. `unknown`: the connection broke before the answer. */
export type Outcome = 'released' | 'changed' | 'unknown';

const READY_MS = 5000;
/** A lease that is renewed between the look and the release makes Redis refuse; it is tried again. */
const TRIES = 20;
/** A hash may have this many fields beside its holders, for example `mode`. Larger ones are not read. */
const MOST_OTHER_FIELDS = 10;
/** Longer values are not read: they are not tokens of locks. */
const LONGEST_TOKEN = 10_000;
/** The channels of this many waiters of a fair lock are looked at. */
const MOST_CHANNELS = 100;

/** Libraries whose waiters poll: they need no message. `redlock` is node-redlock. */
const POLLING = new Set([
  'redis-py',
  'redlock',
  'redlock-rb',
  'redlock-net',
  'redsync',
  'shedlock',
  'redislock',
  'aioredlock',
  'pottery',
  'laravel',
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
  // a writer that also reads: neither handle of Redisson says what it would release
  return new Set(holders.map(({ mode }) => mode)).size > 1 ? 'modes' : undefined;
}

/**
 * Sends a release by force on a connection of its own, exactly as Redisson does, only while the lock has the same holders
 * as `lock`. Rejects with the error of Redis, or `ConnectionLost`. It never sends a command twice without a look between.
 */
export class Releaser {
  readonly #connection: CommandConnection;

  constructor(server: RedisUrl, db: number) {
    this.#connection = openCommandConnection({ url: server, db, name: 'lockscope-release' });
  }

  close(): void {
    this.#connection.close();
  }

  /** The commands that would be sent, after a look at which channels the waiters listen to. */
  async plan(lock: Lock): Promise<Plan> {
    await this.#connection.whenReady(READY_MS);
    const { name, kind, holders } = lock;
    const channel = channelOf(lock);
    const isSharded = await this.#hasShardListeners(listenedTo(lock, channel));
    const [seconds] = (await this.#connection.call('TIME')) as [string, string];
    const [first] = holders;
    const mode = first?.mode === 'read' || first?.mode === 'write' ? first.mode : 'exclusive';
    const publish = isSharded ? 'SPUBLISH' : 'PUBLISH';
    const force = forceRelease({ name, kind, mode, publish, nowMs: Number(seconds) * 1000 });
    if (!force) throw new Error(`a ${kind} cannot be released`);
    return { lock, force };
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
  async sendHead({ words: [command = '', ...args] }: HeadPlan): Promise<'removed' | 'changed' | 'unknown'> {
    const reply = await this.#connection.call(command, ...args).catch((error: unknown) => {
      if (error instanceof ConnectionLost) return 'lost';
      throw error;
    });
    if (reply === 'lost') return 'unknown';
    return Number(reply) === 1 ? 'removed' : 'changed';
  }

  /** `isStill`: asked while Redis watches the key; false if the holders acquired the lock again since the plan was made. */
  async send({ lock, force }: Plan, isStill: () => Promise<boolean> = async () => true): Promise<Outcome> {
    const [command = '', ...args] = force.words;
    for (let n = 0; n < TRIES; n++) {
      await this.#connection.call('WATCH', lock.name);
      if (!(await this.#isHeldAsShown(lock)) || !(await isStill())) {
        await this.#connection.call('UNWATCH');
        return 'changed';
      }
      await this.#connection.call('MULTI');
      await this.#connection.call(command, ...args);
      const replies = await this.#connection.call('EXEC').catch((error: unknown) => {
        if (error instanceof ConnectionLost) return 'lost';
        throw error;
      });
      if (replies === 'lost') return 'unknown';
      if (replies === null) continue; // the key changed in between
      const [reply] = replies as unknown[];
      if (reply instanceof Error) throw reply;
      return Number(reply) === 1 ? 'released' : 'changed';
    }
    return 'changed';
  }

  async #isHeldAsShown({ name, kind, holders }: Lock): Promise<boolean> {
    if (isTokenKind(kind)) return await this.#hasToken(name, holders[0]?.id);
    const size = Number(await this.#connection.call('HLEN', name));
    if (size > holders.length + MOST_OTHER_FIELDS) return false;
    const fields = ((await this.#connection.call('HKEYS', name)) as string[]).filter(
      (field) => isLockField(field) && field !== 'mode',
    );
    const shown = new Set(holders.map(({ id, mode }) => fieldOf(id, holdModeOf(mode))));
    return fields.length === shown.size && fields.every((field) => shown.has(field));
  }

  async #hasToken(name: string, token: string | undefined): Promise<boolean> {
    const size = Number(await this.#connection.call('STRLEN', name));
    return size <= LONGEST_TOKEN && (await this.#connection.call('GET', name)) === token;
  }

  async #hasListeners(channel: string): Promise<boolean> {
    const [, count] = (await this.#connection.call('PUBSUB', 'NUMSUB', channel)) as [string, number];
    return Number(count) > 0 || (await this.#hasShardListeners([channel]));
  }

  /** Whether connections listen to one of these channels as a sharded one; false where the server has none. */
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

function holdModeOf(mode: Lock['holders'][number]['mode']): 'exclusive' | 'read' | 'write' {
  return mode === 'read' || mode === 'write' ? mode : 'exclusive';
}
