import { textFromBinary } from '../../shared/base/bytes-text.ts';
import { lockOfChannel, parseHolder } from '../../shared/events/names.ts';
import { RedisError, type Reply } from './resp-scanner.ts';

type Ask = (...commands: (readonly string[])[]) => Promise<Reply[]>;

/** Keys looked at per SCAN step, and the pause after it: a scan must not be felt. */
const STEP = 200;
const PAUSE_MS = 10;
/** A hash with more fields than this is no lock, and is not read. */
const MOST_FIELDS = 256;

/**
 * Looks for lock-shaped keys: hashes whose every field is a holder. Bounded and paced; goes on where it stopped.
 *
 * SCAN's own guarantee is enough: a key that stays for the whole pass is found.
 */
export class LockFinder {
  readonly #ask: Ask;
  readonly #globs: readonly string[];
  readonly #cursors = new Map<number, string>();

  constructor(ask: Ask, globs: readonly string[]) {
    this.#ask = ask;
    this.#globs = globs.length > 0 ? globs : ['*'];
  }

  /** Databases that hold keys. `own` alone where INFO is refused. */
  async databases(own: number): Promise<number[]> {
    const [info] = await this.#ask(['INFO', 'keyspace']);
    if (typeof info !== 'string') return [own];
    const found = [...info.matchAll(/^db(\d+):/gm)].map((match) => Number(match[1]));
    return [...new Set([own, ...found])];
  }

  /** Names of locks that somebody listens for: they need not exist as keys. */
  async waitedFor(): Promise<string[]> {
    const [channels] = await this.#ask(['PUBSUB', 'CHANNELS', 'redisson_lock__channel*']);
    if (!Array.isArray(channels)) return [];
    const names = channels.map((channel) => lockOfChannel(textFromBinary(String(channel)))?.name);
    return [...new Set(names.filter((name) => name !== undefined))];
  }

  /** Goes through up to `budget` keys of a database and gives the names that look like locks. */
  async scan(db: number, budget: number, isStopped: () => boolean): Promise<string[]> {
    const found: string[] = [];
    for (const glob of this.#globs) {
      let left = budget;
      let cursor = this.#cursors.get(db) ?? '0';
      do {
        const [, reply] = await this.#ask(
          ['SELECT', String(db)],
          ['SCAN', cursor, 'MATCH', glob, 'COUNT', String(STEP), 'TYPE', 'hash'],
        );
        if (!Array.isArray(reply) || reply instanceof RedisError) return found;
        cursor = String(reply[0]);
        const keys = Array.isArray(reply[1]) ? reply[1].map(String) : [];
        found.push(...(await this.#locksAmong(db, keys)));
        left -= STEP;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      } while (cursor !== '0' && left > 0 && !isStopped());
      this.#cursors.set(db, cursor);
    }
    return found;
  }

  async #locksAmong(db: number, keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return [];
    const lengths = await this.#ask(['SELECT', String(db)], ...keys.map((key) => ['HLEN', key]));
    const small = keys.filter((_, index) => {
      const length = lengths[index + 1];
      return typeof length === 'number' && length > 0 && length <= MOST_FIELDS;
    });
    if (small.length === 0) return [];
    const fields = await this.#ask(['SELECT', String(db)], ...small.map((key) => ['HKEYS', key]));
    return small
      .filter((_, index) => {
        const names = fields[index + 1];
        return (
          Array.isArray(names) && names.length > 0 && names.every((name) => parseHolder(String(name)) !== undefined)
        );
      })
      .map(textFromBinary);
  }
}
