import { binaryFromText, textFromBinary } from '../../../shared/base/bytes-text.ts';
import { tokenLockFrom } from '../../../shared/events/libraries/token-found.ts';
import { PROBE_CHANNEL, SENTINEL_CHANNEL } from '../../../shared/replication/effect-groups.ts';

/** Commands about whole databases. */
const OF_DATABASES = new Set(['FLUSHDB', 'FLUSHALL', 'SWAPDB', 'SELECT']);
/** Commands whose arguments are all keys. */
const OF_MANY_KEYS = new Set(['DEL', 'UNLINK']);
/** Commands whose second argument is a key that they write. */
const OF_TWO_KEYS = new Set(['RENAME', 'RENAMENX', 'COPY', 'LMOVE', 'RPOPLPUSH', 'SMOVE', 'BITOP']);
/** Commands that write the key after STORE or STOREDIST. */
const STORING = new Set(['SORT', 'GEORADIUS', 'GEORADIUSBYMEMBER']);
/** Commands with keys and values in turn, and how many arguments come before these. */
const BEFORE_PAIRS: Readonly<Record<string, number>> = { MSET: 0, MSETNX: 0, MSETEX: 1 };
/** Commands that make a key a lock, if they write the field of a holder or the mode of a read-write lock. */
const HOLDING = new Set(['HINCRBY', 'HSET', 'HMSET']);

/** Names of keys and channels that Redisson derives begin like this. */
const OWN_NAME = Buffer.from('redisson_');
/** Other channels that matter. */
const OTHER_CHANNELS = [SENTINEL_CHANNEL, PROBE_CHANNEL].map((name) => Buffer.from(name));
/** The field of a read-write lock that is not a holder. */
const MODE = Buffer.from('mode');
/** `uuid:thread`: where its dashes are, and its colon. */
const DASHES = [8, 13, 18, 23];
const COLON_AT = 36;
const [DASH, COLON] = [45, 58];
/** Replaces a command with an argument that is too long to keep: what its key contains is not known after it. */
const UNREADABLE = 'RESTORE';
/** A longer value is not taken for a token. */
const MOST_OF_TOKEN = 160;
/** SET with a lease has at least this many arguments. */
const SET_WITH_LEASE = 4;
/** Number of bits for known names. Another name with the same hash costs a closer look. */
const KNOWN_SIZE = 1 << 20;

/** Decides from the bytes of an effect whether it can matter to a lock. Nearly all effects of an application cannot. */
export class EffectFilter {
  /** Whether the user asked for keys by name: then more strings are treated as tokens. */
  isNamed = false;
  readonly #known = new Uint8Array(KNOWN_SIZE / 8);

  /** From now on effects on this key matter. */
  addKey(name: string): void {
    this.#know(Buffer.from(binaryFromText(name), 'latin1'));
  }

  #know(key: Buffer): void {
    const bit = hashOf(key);
    this.#known[bit >> 3] = (this.#known[bit >> 3] ?? 0) | (1 << (bit & 7));
  }

  /**
   * The name and the arguments as text, or `undefined` if the effect cannot matter. Of a command that sets many keys,
   * only the keys that matter are left, without their values. Where an argument was too long to keep (null):
   *
   *   DEL null k, LMOVE null k …   the keys that were kept: DEL k; RESTORE k for the key of any other command
   *   BITOP AND k null             the same command with an empty word in its place, as only the key that it writes matters
   */
  wordsOf(name: string, args: readonly (Buffer | null)[]): readonly string[] | undefined {
    const start = BEFORE_PAIRS[name];
    if (start !== undefined) return this.#pairsOf(name, args, start);
    if (!this.#matters(name, args)) return undefined;
    const kept = args.filter((arg) => arg !== null);
    if (kept.length === args.length || OF_MANY_KEYS.has(name)) return [name, ...kept.map(textOf)];
    if (name === 'BITOP' || STORING.has(name)) return [name, ...args.map(textOf)];
    return [UNREADABLE, textOf(kept[0])];
  }

  /** MSET with the keys that matter, and empty values. */
  #pairsOf(name: string, args: readonly (Buffer | null)[], start: number): readonly string[] | undefined {
    const end = name === 'MSETEX' ? start + 2 * Number(textOf(args[0])) : args.length;
    const keys = args.slice(start, end).filter((key, n) => n % 2 === 0 && this.#isKnown(key));
    return keys.length > 0 ? ['MSET', ...keys.flatMap((key) => [textOf(key), ''])] : undefined;
  }

  #matters(name: string, args: readonly (Buffer | null)[]): boolean {
    if (OF_DATABASES.has(name)) return true;
    const [first, second] = args;
    if (name === 'PUBLISH' || name === 'SPUBLISH') {
      return begins(first, OWN_NAME) || OTHER_CHANNELS.some((channel) => begins(first, channel));
    }
    if (OF_MANY_KEYS.has(name) || STORING.has(name)) return args.some((key) => this.#isKnown(key));
    if (this.#isKnown(first) || (OF_TWO_KEYS.has(name) && this.#isKnown(second))) return true;
    const isTaking = this.#mayTake(name, args);
    if (isTaking && first) this.#know(first); // its lease follows
    return isTaking || begins(first, OWN_NAME);
  }

  /**
   * Whether an effect may be that of an acquisition: the field of a holder, the mode of a read-write lock, or a token.
   */
  #mayTake(name: string, args: readonly (Buffer | null)[]): boolean {
    const [, second, third] = args;
    if (HOLDING.has(name)) return isHolder(second) || isHolder(third) || second?.equals(MODE) === true;
    if (name !== 'SET' || args.length < SET_WITH_LEASE || !second || second.length > MOST_OF_TOKEN) return false;
    return tokenLockFrom(textOf(args[0]), textOf(second), true, this.isNamed) !== undefined;
  }

  #isKnown(key: Buffer | null | undefined): boolean {
    if (!key) return false;
    const bit = hashOf(key);
    return ((this.#known[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }
}

function hashOf(bytes: Buffer): number {
  let hash = 0;
  for (let at = 0; at < bytes.length; at++) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
  return hash & (KNOWN_SIZE - 1);
}

function begins(bytes: Buffer | null | undefined, prefix: Buffer): boolean {
  return (
    bytes != null && bytes.length >= prefix.length && bytes.compare(prefix, 0, prefix.length, 0, prefix.length) === 0
  );
}

/** Whether a word begins as `uuid:thread` does. */
function isHolder(bytes: Buffer | null | undefined): boolean {
  return bytes != null && bytes[COLON_AT] === COLON && DASHES.every((at) => bytes[at] === DASH);
}

function textOf(bytes: Buffer | null | undefined): string {
  return bytes ? textFromBinary(bytes.toString('latin1')) : '';
}
