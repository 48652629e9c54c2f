import type { RedisUrl } from '../../shared/base/redis-url.ts';
import { isTokenKind } from '../../shared/events/kinds/kinds.ts';
import { fieldOf, isLockField } from '../../shared/events/names/names.ts';
import type { Lock } from '../../shared/wire/lock.ts';
import { type CommandConnection, openCommandConnection } from '../redis/command-connection.ts';
import { channelOf, type ForceRelease, forceRelease } from './force-scripts.ts';

/** Why a lock cannot be released by force. */
export type Unsafe = 'free' | 'kind' | 'library' | 'group' | 'guessed' | 'modes';

/** A release by force, ready to be sent. */
export type Plan = { readonly lock: Lock; readonly force: ForceRelease };

/** What came of it. `changed`: other holders have the lock now, so nothing was sent. */
export type Outcome = 'released' | 'changed';

const READY_MS = 5000;
/** A lease that is renewed between the look and the release makes Redis refuse; it is tried again. */
const TRIES = 20;

/** Libraries whose waiters poll: they need no message. */
const POLLING = new Set(['redis-py', 'node-redlock', 'redsync', 'shedlock', 'redislock', 'aioredlock', 'pottery']);

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
    const isSharded = channel !== null && (await this.#listeners('SHARDNUMSUB', channel)) > 0;
    const [seconds] = (await this.#connection.call('TIME')) as [string, string];
    const [first] = holders;
    const mode = first?.mode === 'read' || first?.mode === 'write' ? first.mode : 'exclusive';
    const publish = isSharded ? 'SPUBLISH' : 'PUBLISH';
    const force = forceRelease({ name, kind, mode, publish, nowMs: Number(seconds) * 1000 });
    if (!force) throw new Error(`a ${kind} cannot be released`);
    return { lock, force };
  }

  async send({ lock, force }: Plan): Promise<Outcome> {
    const [command = '', ...args] = force.words;
    for (let n = 0; n < TRIES; n++) {
      await this.#connection.call('WATCH', lock.name);
      if (!(await this.#isHeldAsShown(lock))) {
        await this.#connection.call('UNWATCH');
        return 'changed';
      }
      await this.#connection.call('MULTI');
      await this.#connection.call(command, ...args);
      const replies = await this.#connection.call('EXEC');
      if (replies === null) continue; // the key changed in between
      const [reply] = replies as unknown[];
      if (reply instanceof Error) throw reply;
      return Number(reply) === 1 ? 'released' : 'changed';
    }
    return 'changed';
  }

  async #isHeldAsShown({ name, kind, holders }: Lock): Promise<boolean> {
    if (isTokenKind(kind)) return (await this.#connection.call('GET', name)) === holders[0]?.id;
    const fields = ((await this.#connection.call('HKEYS', name)) as string[]).filter(
      (field) => isLockField(field) && field !== 'mode',
    );
    const shown = new Set(holders.map(({ id, mode }) => fieldOf(id, holdModeOf(mode))));
    return fields.length === shown.size && fields.every((field) => shown.has(field));
  }

  /** How many connections listen to a channel; 0 where the server has no such command. */
  async #listeners(how: 'NUMSUB' | 'SHARDNUMSUB', channel: string): Promise<number> {
    const reply = await this.#connection.call('PUBSUB', how, channel).catch(() => []);
    return Array.isArray(reply) ? Number(reply[1] ?? 0) : 0;
  }
}

function holdModeOf(mode: Lock['holders'][number]['mode']): 'exclusive' | 'read' | 'write' {
  return mode === 'read' || mode === 'write' ? mode : 'exclusive';
}
