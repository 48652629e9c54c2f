import { textFromBinary } from '../../shared/base/bytes-text.ts';
import { isGroupLockFieldName, isGroupValue } from '../../shared/events/group-lock-names.ts';
import {
  CHANNEL_PATTERNS,
  isLockField,
  lockChannel,
  lockOfChannel,
  lockOfQueueKey,
  queueKey,
} from '../../shared/events/names.ts';
import { RedisError, type Reply } from './resp-scanner.ts';
import { LOCK_WORD_GLOB, tokenLocksAmong } from './token-keys.ts';

type Ask = (...commands: (readonly string[])[]) => Promise<Reply[]>;

/** Keys looked at per SCAN step. */
const STEP = 500;
/** After a step the scan rests this many times as long as the step took, but this long at least: it must not be felt. */
const REST = 4;
const SHORTEST_REST_MS = 2;
/** A hash with more fields than this is not read: so many at once do not read under one lock. */
const MOST_FIELDS = 4096;
/** What the names of all queues of fair locks begin with. */
const ANY_QUEUE = 'redisson_lock_queue:';

type ScanOptions = {
  onFound(names: readonly string[], type: LockType): Promise<void>;
  isStopped(): boolean;
};

/** What shows a lock: its own key, a hash or a string, or the list of those who wait for a fair one. As SCAN calls them. */
export type LockType = 'hash' | 'string' | 'list';

/**
 * Looks for lock-shaped keys: hashes whose every field is one that a lock may have, strings whose name and value are a
 * lock's, and queues of fair locks, which may be free. Bounded and paced; goes on where it stopped.
 *
 * SCAN's own guarantee is enough: a key that stays for the whole pass is found.
 */
export class LockFinder {
  readonly #ask: Ask;
  /** Names to look for; none: any hash, and strings that are named like a lock. */
  readonly #globs: readonly string[];
  readonly #isSharded: boolean;
  /** Where the scan of a database and pattern goes on. */
  readonly #cursors = new Map<string, string>();

  constructor(ask: Ask, globs: readonly string[], isSharded = false) {
    this.#isSharded = isSharded;
    this.#ask = ask;
    this.#globs = globs;
  }

  /** Databases that hold keys. `own` alone where INFO is refused. */
  async databases(own: number): Promise<number[]> {
    const [info] = await this.#ask(['INFO', 'keyspace']);
    if (typeof info !== 'string') return [own];
    const found = [...info.matchAll(/^db(\d+):/gm)].map((match) => Number(match[1]));
    return [...new Set([own, ...found])];
  }

  /** Locks that somebody listens for, by name, with one of their channels: they need not exist as keys. */
  async waitedFor(): Promise<Map<string, string>> {
    const words = this.#isSharded ? ['CHANNELS', 'SHARDCHANNELS'] : ['CHANNELS'];
    const replies = await this.#ask(
      ...words.flatMap((word) => CHANNEL_PATTERNS.map((pattern) => ['PUBSUB', word, pattern])),
    );
    const found = new Map<string, string>();
    for (const binary of replies.flatMap((channels) => (Array.isArray(channels) ? channels : []))) {
      const channel = textFromBinary(String(binary));
      const target = lockOfChannel(channel);
      if (target) found.set(target.name, target.waiter === undefined ? channel : lockChannel(target.name));
    }
    return found;
  }

  /** Goes through up to `budget` keys of a database and hands over the names that look like locks as it finds them. */
  async scan(db: number, budget: number, options: ScanOptions): Promise<void> {
    const isNamed = this.#globs.length > 0;
    for (const glob of isNamed ? this.#globs : ['*']) await this.#pass(db, 'hash', glob, budget, options);
    for (const glob of isNamed ? this.#globs : [LOCK_WORD_GLOB]) await this.#pass(db, 'string', glob, budget, options);
    const queues = isNamed ? this.#globs.flatMap((glob) => [queueKey(glob), `${ANY_QUEUE}${glob}`]) : [`${ANY_QUEUE}*`];
    for (const glob of new Set(queues)) await this.#pass(db, 'list', glob, budget, options);
  }

  async #pass(db: number, type: LockType, glob: string, budget: number, options: ScanOptions): Promise<void> {
    const place = `${db}/${type}/${glob}`;
    let left = budget;
    do {
      const began = performance.now();
      const [, reply] = await this.#ask(
        ['SELECT', String(db)],
        ['SCAN', this.#cursors.get(place) ?? '0', 'MATCH', glob, 'COUNT', String(STEP), 'TYPE', type],
      );
      if (!Array.isArray(reply)) return;
      this.#cursors.set(place, String(reply[0]));
      const keys = Array.isArray(reply[1]) ? reply[1].map(String) : [];
      const names = await this.#namesAmong(db, type, keys);
      const restMs = Math.max(SHORTEST_REST_MS, (performance.now() - began) * REST);
      if (names.length > 0) await options.onFound(names, type);
      left -= STEP;
      await new Promise((resolve) => setTimeout(resolve, restMs));
    } while (this.#cursors.get(place) !== '0' && left > 0 && !options.isStopped());
  }

  #namesAmong(db: number, type: LockType, keys: readonly string[]): Promise<string[]> | string[] {
    switch (type) {
      case 'hash':
        return this.#locksAmong(db, keys);
      case 'string':
        return this.#tokenLocksAmong(db, keys);
      case 'list':
        return keys.flatMap((key) => lockOfQueueKey(textFromBinary(key)) ?? []);
    }
  }

  async #tokenLocksAmong(db: number, keys: readonly string[]): Promise<string[]> {
    return (await tokenLocksAmong(this.#ask, db, keys, this.#globs.length > 0)).map(textFromBinary);
  }

  async #locksAmong(db: number, keys: readonly string[]): Promise<string[]> {
    const likely = await this.#withHolderAmongFields(db, keys);
    if (likely.length === 0) return [];
    const [, ...fields] = await this.#ask(['SELECT', String(db)], ...likely.map((key) => ['HKEYS', key]));
    const isLock = (names: Reply | undefined) =>
      Array.isArray(names) &&
      names.every((name) => isLockField(String(name)) || isGroupLockFieldName(String(name))) &&
      names.some((name) => name !== 'mode' && !isGroupValue(String(name)));
    return likely.filter((_, index) => isLock(fields[index])).map(textFromBinary);
  }

  /** Most hashes of an application are no locks: one field of each, and their number, tell. */
  async #withHolderAmongFields(db: number, keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return [];
    const looks = keys.flatMap((key) => [
      ['HLEN', key],
      ['HRANDFIELD', key],
    ]);
    const [, ...seen] = await this.#ask(['SELECT', String(db)], ...looks);
    return keys.filter((_, index) => {
      const [length, field] = [seen[index * 2], seen[index * 2 + 1]];
      if (typeof length !== 'number' || length === 0 || length > MOST_FIELDS) return false;
      if (isGroupLockFieldName(String(field))) return true;
      return field instanceof RedisError || isLockField(String(field)); // Redis before 6.2 does not know the command
    });
  }
}
