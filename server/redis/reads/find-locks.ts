import { binaryFromText, textFromBinary } from '../../../shared/base/bytes-text.ts';
import { lockChannel, lockOfChannel, lockOfQueueKey, queueKey } from '../../../shared/events/names/names.ts';
import { fieldsFromInfo } from '../connection/info-fields.ts';
import { isTooLong } from '../connection/reply.ts';
import { steadyMs } from '../connection/surroundings.ts';
import { judgeHashes } from './hash-locks.ts';
import type { Ask, TooLarge } from './key-sizes.ts';
import { ScanShare } from './scan-share.ts';
import { ScanStep } from './scan-step.ts';
import { tokenLocksAmong } from './token-keys.ts';

/** The names of all queues of fair locks begin with this. */
const ANY_QUEUE = 'redisson_lock_queue:';
/** A pattern that matches all channels of locks. */
const ANY_CHANNEL = 'redisson_*';
/**
 * PUBSUB CHANNELS blocks Redis while it goes through every channel: with more channels than this, the command is not
 * sent.
 */
const MOST_CHANNELS = 10_000;
/**
 * A command with a longer key name costs Redis more than a whole step of the scan, so such hashes are looked at last.
 */
const LONG_NAME = 4096;
/** How many characters of such names are kept for later. If there are more, further hashes are not put off. */
const MOST_CHARACTERS_LEFT = 16 * 1024 * 1024;

type ScanOptions = {
  /** Whether a lock of this name is watched. */
  isWanted(name: string): boolean;
  onFound(names: readonly string[], type: LockType): Promise<void>;
  /** Called with a hash that may be a lock, but is too large to find out. */
  onTooLarge(name: string, why: TooLarge): void;
  isStopped(): boolean;
};

/** The type of a key that shows a lock: its hash, its string, or the list of the waiters of a fair one. */
type LockType = 'hash' | 'string' | 'list';

/** One pass of SCAN through all keys. */
type Pass = { readonly type: LockType; readonly glob: string };

/**
 * Looks for keys that look like locks: hashes in which every field is one that a lock may have, strings with the name
 * and value of a lock, and queues of fair locks, whose hash may be gone. `ask` keeps to a budget, so a pass has no time
 * limit.
 *
 * SCAN's own guarantee is enough: a key that stays for the whole pass is found.
 */
export class LockFinder {
  readonly #ask: Ask;
  /** Names to look for, as bytes. If empty: any hash, and strings that are named like a lock. */
  readonly #globs: readonly string[];
  readonly #isSharded: boolean;
  readonly #step = new ScanStep();
  /** Commands a second: the lowest rate that Redis reported since the scan began; infinite while unknown. */
  opsPerSecond = Number.POSITIVE_INFINITY;
  /** Undefined until a scan begins. */
  #share: ScanShare | undefined;
  /** Whether the server has too many channels to list them, or does not report how many it has. */
  hasTooManyChannels = false;

  constructor(ask: Ask, globs: readonly string[], isSharded = false) {
    this.#isSharded = isSharded;
    this.#ask = ask;
    this.#globs = globs.map(binaryFromText);
  }

  /** The databases that have keys, and `own`; only `own` if INFO is refused. */
  async databases(own: number): Promise<number[]> {
    const [info] = await this.#ask(['INFO', 'keyspace']);
    if (typeof info !== 'string') {
      const [, size] = await this.#ask(['SELECT', String(own)], ['DBSIZE']);
      this.#begin(typeof size === 'number' ? size : 0);
      return [own];
    }
    const lines = [...info.matchAll(/^db(\d+):keys=(\d+)/gm)];
    this.#begin(lines.reduce((sum, [, , keys]) => sum + Number(keys), 0));
    const found = lines.map(([, db]) => Number(db));
    return [...new Set([own, ...found])];
  }

  /** How much of the scan under way is done, from 0 to 1. */
  get share(): number {
    return this.#share?.share ?? 0;
  }

  /** `keys`: how many keys all databases have. */
  #begin(keys: number): void {
    this.#share = new ScanShare(keys, this.#passes().map(nameOf));
  }

  /**
   * Takes the text of INFO stats during a scan. Only a lower rate counts: a higher one may be our own commands, and
   * right after a start the rate may still be that of traffic that has ended.
   */
  hear(text: string): void {
    this.opsPerSecond = Math.min(this.opsPerSecond, opsIn(fieldsFromInfo(text)));
  }

  /**
   * Locks that clients wait for, by name, with one of their channels: they need not exist as keys. Empty if the server
   * has too many channels.
   */
  async waitedFor(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const [stats] = await this.#ask(['INFO', 'stats']);
    const fields = fieldsFromInfo(stats);
    this.opsPerSecond = opsIn(fields);
    const channels = Number(fields.get('pubsub_channels') ?? Number.POSITIVE_INFINITY);
    const inShards = Number(fields.get('pubsubshard_channels') ?? 0); // servers before 7.0 do not report it
    this.hasTooManyChannels = Math.max(channels, inShards) > MOST_CHANNELS;
    if (this.hasTooManyChannels) return found;
    const words = this.#isSharded ? ['CHANNELS', 'SHARDCHANNELS'] : ['CHANNELS'];
    const replies = await this.#ask(...words.map((word) => ['PUBSUB', word, ANY_CHANNEL]));
    for (const binary of replies.flatMap((channels) => (Array.isArray(channels) ? channels : []))) {
      if (typeof binary !== 'string') continue;
      const channel = textFromBinary(binary);
      const target = lockOfChannel(channel);
      if (target) found.set(target.name, target.waiter === undefined ? channel : lockChannel(target.name));
    }
    return found;
  }

  /**
   * Goes once through the keys of a database and reports the names that look like locks as it finds them. Returns false
   * if the server refused to list them.
   */
  async scan(db: number, options: ScanOptions): Promise<boolean> {
    const long: string[] = [];
    for (const { type, glob } of this.#passes()) {
      if (!(await this.#pass(db, type, glob, options, type === 'hash' ? long : []))) return false;
    }
    while (long.length > 0 && !options.isStopped()) await this.#report(db, 'hash', long.splice(0, 1), options);
    return true;
  }

  /**
   * The passes. Patterns are prefixes only: a star in the middle costs Redis milliseconds for each name of a megabyte.
   */
  #passes(): Pass[] {
    const isNamed = this.#globs.length > 0;
    const any = isNamed ? this.#globs : ['*'];
    const queues = isNamed ? this.#globs.flatMap((glob) => [queueKey(glob), `${ANY_QUEUE}${glob}`]) : [`${ANY_QUEUE}*`];
    const globs = { hash: any, string: any, list: queues };
    return (['hash', 'string', 'list'] as const).flatMap((type) =>
      [...new Set(globs[type].map(prefixGlob))].map((glob) => ({ type, glob })),
    );
  }

  /** One pass of SCAN; false if it was refused. Long names are added to `long`, for later, while there is room. */
  async #pass(db: number, type: LockType, glob: string, options: ScanOptions, long: string[]): Promise<boolean> {
    let room = type === 'hash' ? MOST_CHARACTERS_LEFT - lengthOf(long) : 0;
    let cursor = '0';
    let isOver = false;
    while (!isOver && !options.isStopped()) {
      const began = steadyMs();
      const [, reply] = await this.#ask(
        ['SELECT', String(db)],
        ['SCAN', cursor, 'MATCH', glob, 'COUNT', String(this.#step.count), 'TYPE', type],
      );
      if (!Array.isArray(reply) || typeof reply[0] !== 'string') return false;
      if (isTooLong(reply) && this.#step.count > 1) {
        this.#step.learn(Number.POSITIVE_INFINITY, 0); // the same keys again, fewer at once
        continue;
      }
      const looked = this.#step.count;
      cursor = reply[0];
      isOver = cursor === '0';
      // A name that was too long to keep is not a string here. It is left out: a lock's name is shorter.
      const keys = (Array.isArray(reply[1]) ? reply[1] : []).filter((key) => typeof key === 'string');
      this.#step.learn(lengthOf(keys), steadyMs() - began);
      const now: string[] = [];
      for (const key of keys) {
        if (type !== 'list' && !options.isWanted(textFromBinary(key))) continue;
        if (key.length <= LONG_NAME || key.length > room) now.push(key);
        else {
          long.push(key);
          room -= key.length;
        }
      }
      const found = await this.#report(db, type, now, options);
      this.#share?.stepped(nameOf({ type, glob }), looked, found);
    }
    return true;
  }

  /** Reports those of these keys that look like locks. Returns how many they are. */
  async #report(db: number, type: LockType, keys: readonly string[], options: ScanOptions): Promise<number> {
    const names = await this.#locksAmong(db, type, keys, options);
    if (names.length > 0) await options.onFound(names, type);
    return names.length;
  }

  async #locksAmong(db: number, type: LockType, keys: readonly string[], options: ScanOptions): Promise<string[]> {
    switch (type) {
      case 'hash': {
        const verdicts = await judgeHashes(this.#ask, db, keys);
        return keys.flatMap((key, index) => {
          const verdict = verdicts[index];
          if (typeof verdict === 'object') options.onTooLarge(textFromBinary(key), verdict);
          return verdict === 'lock' ? [textFromBinary(key)] : [];
        });
      }
      case 'string':
        return (await tokenLocksAmong(this.#ask, db, keys, this.#globs.length > 0)).map(textFromBinary);
      case 'list':
        return keys.flatMap((key) => lockOfQueueKey(textFromBinary(key)) ?? []).filter(options.isWanted);
    }
  }
}

function nameOf({ type, glob }: Pass): string {
  return `${type} ${glob}`;
}

/** A pattern that matches at least the names of this glob: the part before its first special character, and a star. */
function prefixGlob(glob: string): string {
  return `${/^(?:\\[\s\S]|[^*?[\\])*/.exec(glob)?.[0] ?? ''}*`;
}

function lengthOf(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + name.length, 0);
}

function opsIn(fields: ReadonlyMap<string, string>): number {
  return Number(fields.get('instantaneous_ops_per_sec') ?? Number.POSITIVE_INFINITY);
}
