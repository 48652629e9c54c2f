import { binaryFromText } from '../../shared/base/bytes-text.ts';

/**
 * Decides from a MONITOR line's bytes, without making a string, whether the line can matter.
 *
 *   1795218454.496776 [0 127.0.0.1:49168] "GET" "session:7"      other: no lock can be touched by it
 *   1795218454.496776 [0 127.0.0.1:49168] "DEL" "orders:42"      matters only if the key is a known lock
 *   1795218454.496776 [0 lua] "hincrby" "orders:42" …            matters while a script is open
 */
export type Interest = 'other' | 'client' | 'script';

const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = 32;
const CLOSE = 93;
const COLON = 58;
const DASH = 45;
const DASHES = [8, 13, 18, 23];
/** `1795218454.496776 [0 ` at least. */
const SHORTEST_HEAD = 20;

/** Always wanted: scripts, subscriptions, whole-database commands, names of connections, our own marks. */
const ALWAYS = [
  ...['EVAL', 'EVALSHA', 'EVAL_RO', 'EVALSHA_RO', 'FCALL', 'FCALL_RO', 'SCRIPT'],
  ...['SUBSCRIBE', 'SSUBSCRIBE', 'UNSUBSCRIBE', 'SUNSUBSCRIBE', 'RESET', 'QUIT'],
  ...['FLUSHDB', 'FLUSHALL', 'SWAPDB', 'CLIENT', 'HELLO', 'ECHO'],
];
/** Wanted when one of the keys is a known lock. */
const KEYED = [
  ...['DEL', 'UNLINK', 'HDEL', 'EXPIRE', 'PEXPIRE', 'EXPIREAT', 'PEXPIREAT', 'PERSIST'],
  ...['RENAME', 'MOVE', 'SET', 'SETEX', 'PSETEX', 'RESTORE'],
];
/** Wanted on a lock channel. */
const CHANNELLED = ['PUBLISH', 'SPUBLISH'];
const MANY_KEYS = new Set(['DEL', 'UNLINK', 'RENAME'].map(hashOfName));
/** A script that gives a holder its field makes its key a lock, known before the script is understood. */
const HOLDING = new Set(['HINCRBY', 'HSET'].map(hashOfName));

type Rule = 'always' | 'keyed' | 'channelled';
const RULES = new Map<number, Rule>([
  ...ALWAYS.map((name) => [hashOfName(name), 'always'] as const),
  ...KEYED.map((name) => [hashOfName(name), 'keyed'] as const),
  ...CHANNELLED.map((name) => [hashOfName(name), 'channelled'] as const),
]);
const CHANNEL_PREFIX = Buffer.from('redisson_lock__channel');

export class LineFilter {
  /** Hashes of known lock names in the form MONITOR prints. A false hit costs a parse, nothing else. */
  readonly #known = new Set<number>();

  /** From now on lines that touch this key matter. */
  addKey(name: string): void {
    const printed = Buffer.from(printedForm(binaryFromText(name)), 'latin1');
    this.#known.add(hashOf(printed, 0, printed.length));
  }

  interestOf(buffer: Buffer, start: number, end: number): Interest {
    let quote = buffer.indexOf(QUOTE, start + SHORTEST_HEAD);
    while (quote !== -1 && !(buffer[quote - 1] === SPACE && buffer[quote - 2] === CLOSE)) {
      quote = buffer.indexOf(QUOTE, quote + 1); // the path of a socket may hold one
    }
    if (quote === -1 || quote >= end) return 'other';
    // ` lua] "`: a space, then l, u, a
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
    if (isScript) {
      if (HOLDING.has(hash)) this.#learnHeldKey(buffer, argument, end);
      return 'script';
    }
    const rule = RULES.get(hash);
    if (rule === undefined) return 'other';
    if (rule === 'always') return 'client';
    if (rule === 'channelled') return hasPrefix(buffer, argument, end) ? 'client' : 'other';
    return this.#hasKnownKey(buffer, argument, end, MANY_KEYS.has(hash)) ? 'client' : 'other';
  }

  #learnHeldKey(buffer: Buffer, from: number, end: number): void {
    const stop = closingQuote(buffer, from, end);
    if (isHolder(buffer, stop + 3, end)) this.#known.add(hashOf(buffer, from, stop));
  }

  #hasKnownKey(buffer: Buffer, from: number, end: number, isMany: boolean): boolean {
    if (this.#known.size === 0) return false;
    let at = from;
    do {
      const stop = closingQuote(buffer, at, end);
      if (this.#known.has(hashOf(buffer, at, stop))) return true;
      at = stop + 3;
    } while (isMany && at < end);
    return false;
  }
}

/** `uuid:thread`, by the places of its dashes and its colon. */
function isHolder(buffer: Buffer, at: number, end: number): boolean {
  return at + 37 < end && buffer[at + 36] === COLON && DASHES.every((place) => buffer[at + place] === DASH);
}

function hasPrefix(buffer: Buffer, at: number, end: number): boolean {
  return (
    at + CHANNEL_PREFIX.length <= end &&
    buffer.compare(CHANNEL_PREFIX, 0, CHANNEL_PREFIX.length, at, at + CHANNEL_PREFIX.length) === 0
  );
}

function closingQuote(buffer: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && buffer[at] !== QUOTE) at += buffer[at] === BACKSLASH ? 2 : 1;
  return Math.min(at, end);
}

function hashOf(buffer: Buffer, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (buffer[at] ?? 0)) | 0;
  return hash;
}

function hashOfName(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 31) + (name.charCodeAt(at) & 0xdf)) | 0;
  return hash;
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\x07': '\\a', '\b': '\\b' };

/** Bytes between quotes as Redis prints them (`sdscatrepr` in its source). */
export function printedForm(binary: string): string {
  return binary.replace(/[^\x20-\x7e]|["\\]/g, (char) => {
    if (char === '"' || char === '\\') return `\\${char}`;
    return SHORT[char] ?? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}
