import { byteEscapes, writeEscaped } from '../../../shared/base/byte-escapes.ts';
import { binaryFromText } from '../../../shared/base/bytes-text.ts';
import { CHANNEL_PATTERNS, LATCH } from '../../../shared/events/names/names.ts';
import { PERMIT_LIST_END, SIGNAL_PREFIX } from '../../../shared/events/names/signal-lists.ts';
import { commandsByKeys } from '../../../shared/events/recognise/commands/commands.ts';
import { LineSkipper } from '../scan/line-skipper.ts';
import { wordsAt } from './line-head.ts';
import { endsInNx, hasLockWord, isHexToken, isTokenTry, isTokenValue } from './token-try.ts';

/**
 * Whether a MONITOR line can matter, decided from its bytes without making a string.
 *
 *   1795218454.496776 [0 127.0.0.1:49168] "GET" "session:7"      other: it cannot touch a lock
 *   1795218454.496776 [0 127.0.0.1:49168] "DEL" "orders:42"      matters only if the key is a known lock
 *   1795218454.496776 [0 lua] "hincrby" "orders:42" …            matters while a script is open
 */
export type Interest = 'other' | 'client' | 'script';

const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = 32;
const COLON = 58;
const DASH = 45;
const DASHES = [8, 13, 18, 23];
/** A line has at least this many bytes before its first quote, for example `1795218454.496776 [0 `. */
const SHORTEST_HEAD = 20;

/**
 * Always wanted: scripts, subscriptions and their ends, commands on whole databases, names of connections, waits for
 * replicas and the INFO before them, our own marks (ECHO).
 */
const ALWAYS = [
  ...['EVAL', 'EVALSHA', 'EVAL_RO', 'EVALSHA_RO', 'FCALL', 'FCALL_RO', 'SCRIPT'],
  ...['SUBSCRIBE', 'SSUBSCRIBE', 'UNSUBSCRIBE', 'SUNSUBSCRIBE', 'RESET', 'QUIT'],
  ...['FLUSHDB', 'FLUSHALL', 'SWAPDB', 'CLIENT', 'HELLO', 'ECHO'],
  ...['WAIT', 'WAITAOF', 'INFO'],
];
/** Wanted when one of the keys is a known lock: any of them for `MANY_KEYS`, the first for the others. */
const MANY_KEYS = commandsByKeys('any');
const KEYED = [...commandsByKeys('first'), ...MANY_KEYS];
/**
 * Wanted if the line is short enough for a lock. The command moves a key of any kind here from another server of the
 * cluster.
 */
const IMPORTING = ['RESTORE-ASKING'];
const MOST_IMPORTED = 2048;
/** Wanted for the key of an unlock latch: its deletion shows that a client got the answer to its unlock. */
const DELETING = ['DEL'];
/** Wanted on a lock channel. */
const CHANNELLED = ['PUBLISH', 'SPUBLISH'];
/**
 * A script that writes the field of a holder makes its key a lock, known here before the script is interpreted. A plain
 * command that does so shows that the hash is not Redisson's.
 */
const HOLDING = ['HINCRBY', 'HSET'];
/**
 * Wanted with NX, as the locks of many libraries use it: if a lease is set, or if the value or the name are those of a
 * lock.
 */
const TRYING = ['SET', 'MSETEX'];
/** Wanted for a key with the name of a lock: nothing else shows that, because these commands set no lease. */
const NAMED = ['SETNX', 'MSETNX', 'INCR', 'INCRBY', 'ZADD', 'SADD', 'HSETNX'];
/** As `NAMED`, for the field of a hash. */
const FIELD_NAMED = ['HINCRBY', 'HSETNX'];
/** Wanted with FNX, which sets a field only if absent: `HSETEX orders FNX PX 5000 …`. */
const FIELD_TRYING = ['HSETEX'];
/**
 * Wanted if the list has the name of a lock, of a list that wakes waiters (`lock-signal:orders`), or of a list of
 * permits (`mails:AVAILABLE`).
 */
const WAITING = ['BLPOP', 'BRPOP'];

const WANTED_ALWAYS = 1;
const WANTED_BY_KEY = 2;
const WANTED_BY_ANY_KEY = 4;
const WANTED_BY_CHANNEL = 8;
const GIVES_HOLD = 16;
const WANTED_AS_TRY = 32;
const WANTED_IF_SHORT = 64;
const WANTED_IF_LATCH = 128;
const WANTED_IF_NAMED = 256;
const WANTED_IF_FIELD_NAMED = 512;
const WANTED_IF_SIGNAL = 1024;
const WANTED_IF_FNX = 2048;
/** The rules for a command, by the last bits of its name's hash. Another name with the same bits costs a parse. */
const RULES = new Uint16Array(4096);
addRule(ALWAYS, WANTED_ALWAYS);
addRule(KEYED, WANTED_BY_KEY);
addRule(MANY_KEYS, WANTED_BY_ANY_KEY);
addRule(CHANNELLED, WANTED_BY_CHANNEL);
addRule(HOLDING, GIVES_HOLD);
addRule(TRYING, WANTED_AS_TRY);
addRule(IMPORTING, WANTED_IF_SHORT);
addRule(DELETING, WANTED_IF_LATCH);
addRule(NAMED, WANTED_IF_NAMED);
addRule(FIELD_NAMED, WANTED_IF_FIELD_NAMED);
addRule(WAITING, WANTED_IF_SIGNAL);
addRule(FIELD_TRYING, WANTED_IF_FNX);

/** Number of bits for known names. With 100,000 locks, one other name in eighty looks known and costs a parse. */
const KNOWN_SIZE = 1 << 23;
const NEAR_SIZE = 1 << 16;
/** The letters of FNX. */
const FNX = [70, 78, 88];
const LATCH_PREFIX = Buffer.from(LATCH);
const SIGNAL = Buffer.from(SIGNAL_PREFIX);
const PERMITS_END = Buffer.from(PERMIT_LIST_END);
const CHANNEL_PREFIXES = CHANNEL_PATTERNS.map((pattern) => Buffer.from(pattern.slice(0, -1)));

const NOTHING_SKIPPED = { count: 0, last: 0 };

export class LineFilter {
  /** A bit for each hash of a known lock's name in the form MONITOR prints. */
  #known = new Uint8Array(KNOWN_SIZE / 8);
  /**
   * As `#known`, by fewer bits of the hash: most names are not in it, and unlike `#known` it fits into the cache of a
   * processor.
   */
  #near = new Uint8Array(NEAR_SIZE / 8);
  #hash = 0;
  #skipper: LineSkipper | undefined;

  /** From now on lines that touch this key matter. */
  addKey(name: string): void {
    const printed = Buffer.from(`${printedForm(binaryFromText(name))}"`, 'latin1');
    this.#hashWord(printed, 0, printed.length);
    this.#know();
  }

  /**
   * The memory that a connection has to read into, so that lines can be skipped; `undefined` if this Node cannot skip
   * any.
   */
  get room(): Buffer | undefined {
    this.#skipper ??= LineSkipper.open({ rules: RULES, known: this.#known, near: this.#near });
    if (!this.#skipper) return undefined;
    this.#known = this.#skipper.known;
    this.#near = this.#skipper.near;
    return this.#skipper.room;
  }

  /**
   * Skips lines that cannot matter, from `from` on, while they have the same second as the line at `previous`, which
   * cannot matter either. Returns the place of the first byte that is left, and leaves in `skipped` what was skipped.
   */
  skip(read: Buffer, previous: number, from: number): number {
    return this.#skipper ? this.#skipper.skip(read, previous, from) : from;
  }

  /** How many lines the last call of `skip` has skipped, and where the last one begins. */
  get skipped(): { readonly count: number; readonly last: number } {
    return this.#skipper ?? NOTHING_SKIPPED;
  }

  interestOf(buffer: Buffer, start: number, end: number): Interest {
    const quote = wordsAt(buffer, start + SHORTEST_HEAD, end);
    if (quote >= end) return 'other';
    // Before the quote is ` lua] `: here the space, l, u and a are compared.
    const isScript =
      buffer[quote - 3] === 97 && buffer[quote - 4] === 117 && buffer[quote - 5] === 108 && buffer[quote - 6] === SPACE;
    let at = quote + 1;
    let hash = 0;
    let code = buffer[at] ?? QUOTE;
    while (code !== QUOTE && at < end) {
      hash = (Math.imul(hash, 31) + (code & 0xdf)) | 0;
      code = buffer[++at] ?? QUOTE;
    }
    const argument = at + 3;
    const rule = RULES[hash & (RULES.length - 1)] ?? 0;
    if (isScript) {
      if (rule & GIVES_HOLD) this.#learnHeldKey(buffer, argument, end);
      else if (rule & WANTED_AS_TRY) this.#learnTokenKey(buffer, argument, end, true);
      return 'script';
    }
    if (rule & WANTED_ALWAYS) return 'client';
    if (rule & WANTED_IF_SHORT && end - start < MOST_IMPORTED) return 'client';
    if (rule & WANTED_IF_LATCH && beginsWith(LATCH_PREFIX, buffer, argument, end)) return 'client';
    if (rule & WANTED_BY_CHANNEL && hasPrefix(buffer, argument, end)) return 'client';
    if (rule & WANTED_BY_KEY && this.#hasKnownKey(buffer, argument, end, rule)) return 'client';
    if (rule & WANTED_AS_TRY && this.#isTry(buffer, argument, end)) {
      this.#learnTokenKey(buffer, argument, end);
      return 'client';
    }
    if (rule & WANTED_IF_NAMED && this.#isNamedLock(buffer, argument, end)) return 'client';
    if (rule & WANTED_IF_SIGNAL && this.#isWaitList(buffer, argument, end)) return 'client';
    if (rule & WANTED_IF_FNX && this.#isFieldTry(buffer, argument, end)) return 'client';
    if (rule & WANTED_IF_FIELD_NAMED && this.#isFieldNamedLock(buffer, argument, end)) return 'client';
    return 'other';
  }

  #isWaitList(buffer: Buffer, from: number, end: number): boolean {
    if (beginsWith(SIGNAL, buffer, from, end)) return true;
    const stop = this.#hashWord(buffer, from, end);
    if (hasLockWord(buffer, from, stop)) return true;
    const place = stop - PERMITS_END.length;
    return place > from && beginsWith(PERMITS_END, buffer, place, end);
  }

  #isFieldTry(buffer: Buffer, from: number, end: number): boolean {
    const option = this.#hashWord(buffer, from, end) + 3;
    return option + 3 < end && FNX.every((letter, n) => ((buffer[option + n] ?? 0) & 0xdf) === letter);
  }

  #isFieldNamedLock(buffer: Buffer, from: number, end: number): boolean {
    const field = this.#hashWord(buffer, from, end) + 3;
    return field < end && hasLockWord(buffer, field, this.#hashWord(buffer, field, end));
  }

  /** Whether a SET attempts a lock: with NX and a lease, or with NX alone if value or name are those of a lock. */
  #isTry(buffer: Buffer, from: number, end: number): boolean {
    if (isTokenTry(buffer, from, end)) return true;
    if (!endsInNx(buffer, end)) return false;
    const value = this.#hashWord(buffer, from, end) + 3;
    return isTokenValue(buffer, value, end) || isHexToken(buffer, value, end) || this.#isNamedLock(buffer, from, end);
  }

  /**
   * Whether a key may have the name of a lock. Remembers such a key: EXPIRE or DEL may follow before the line is
   * interpreted.
   */
  #isNamedLock(buffer: Buffer, from: number, end: number): boolean {
    const stop = this.#hashWord(buffer, from, end);
    if (!hasLockWord(buffer, from, stop)) return false;
    this.#know();
    return true;
  }

  #learnHeldKey(buffer: Buffer, from: number, end: number): void {
    const stop = this.#hashWord(buffer, from, end);
    if (isHolder(buffer, stop + 3, end)) this.#know();
  }

  /** Remembers a key whose value is a token, since plain commands on it may follow before the line is interpreted. */
  #learnTokenKey(buffer: Buffer, from: number, end: number, isScript = false): void {
    const value = this.#hashWord(buffer, from, end) + 3;
    if (isTokenValue(buffer, value, end) || (isScript && isHexToken(buffer, value, end))) this.#know();
  }

  #hasKnownKey(buffer: Buffer, from: number, end: number, rule: number): boolean {
    let at = from;
    do {
      at = this.#hashWord(buffer, at, end) + 3;
      if (isSet(this.#near, this.#hash & (NEAR_SIZE - 1)) && isSet(this.#known, this.#hash & (KNOWN_SIZE - 1)))
        return true;
    } while (rule & WANTED_BY_ANY_KEY && at < end);
    if ((rule & GIVES_HOLD) === 0 || !isHolder(buffer, at, end)) return false;
    this.#know();
    return true;
  }

  #know(): void {
    setBit(this.#known, this.#hash & (KNOWN_SIZE - 1));
    setBit(this.#near, this.#hash & (NEAR_SIZE - 1));
  }

  /** Stores the hash of the word from `from` to its closing quote in `#hash`. Returns the place of that quote. */
  #hashWord(buffer: Buffer, from: number, end: number): number {
    let hash = 0;
    let at = from;
    while (at < end) {
      const code = buffer[at] ?? QUOTE;
      if (code === QUOTE) break;
      hash = (Math.imul(hash, 31) + code) | 0;
      if (code === BACKSLASH) hash = (Math.imul(hash, 31) + (buffer[++at] ?? 0)) | 0;
      at++;
    }
    this.#hash = hash;
    return Math.min(at, end);
  }
}

function isSet(bits: Uint8Array, bit: number): boolean {
  return ((bits[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
}

function setBit(bits: Uint8Array, bit: number): void {
  bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7));
}

/** Whether a word begins as `uuid:thread` does. Checks where the dashes and the colon are. */
function isHolder(buffer: Buffer, at: number, end: number): boolean {
  return at + 37 < end && buffer[at + 36] === COLON && DASHES.every((place) => buffer[at + place] === DASH);
}

function hasPrefix(buffer: Buffer, at: number, end: number): boolean {
  return CHANNEL_PREFIXES.some((prefix) => beginsWith(prefix, buffer, at, end));
}

function beginsWith(prefix: Buffer, buffer: Buffer, at: number, end: number): boolean {
  return at + prefix.length <= end && buffer.compare(prefix, 0, prefix.length, at, at + prefix.length) === 0;
}

function addRule(names: readonly string[], rule: number): void {
  for (const name of names) {
    const place = hashOfName(name) & (RULES.length - 1);
    RULES[place] = (RULES[place] ?? 0) | rule;
  }
}

function hashOfName(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 31) + (name.charCodeAt(at) & 0xdf)) | 0;
  return hash;
}

/** What Redis writes for each byte between quotes (`sdscatrepr` in its source). */
const PRINTED = byteEscapes((code) => {
  const char = String.fromCharCode(code);
  const short = '\n\r\t\x07\b'.indexOf(char);
  if (char === '"' || char === '\\') return `\\${char}`;
  if (short >= 0) return `\\${'nrtab'[short]}`;
  return code >= 32 && code < 127 ? char : `\\x${code.toString(16).padStart(2, '0')}`;
});

/** Bytes between quotes as Redis prints them. */
export function printedForm(binary: string): string {
  if (!/[^\x20-\x7e]|["\\]/.test(binary)) return binary;
  const bytes = Buffer.from(binary, 'latin1');
  const printed = Buffer.allocUnsafe(bytes.length * 4);
  return printed.toString('latin1', 0, writeEscaped(bytes, PRINTED, printed));
}
