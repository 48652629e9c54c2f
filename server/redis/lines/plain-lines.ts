import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LineSignal } from '../../../shared/signals/signal.ts';
import { microsAt, wordsAt } from './line-head.ts';
import { WordCache } from './word-cache.ts';

const QUOTE = 34;
const DOT = 46;
const SPACE = 32;
const ZERO = 48;
const BRACKET = 91;
const BACKSLASH = 92;
const LAST_ASCII = 127;
/** Where the parts of `1795218454.496776 [0 ` are. */
const [DOT_AT, SPACE_AT, BRACKET_AT, DB_AT] = [10, 17, 18, 19];
const MOST_DIGITS = 6;
/** A longer line is not read here: looking at each byte is slower than searching in a string. Such lines are rare. */
const LONGEST = 4096;

/** The fields of a line, without where it is archived. */
type PlainLine = Pick<LineSignal, 'db' | 'client' | 'words'> & { readonly at: RedisTime };

/**
 * Reads MONITOR lines without escapes from their bytes. Nearly all lines of lock clients have none.
 *
 * Words are flat strings: a part of a larger string would keep the whole line in memory. Words that repeat (commands,
 * hashes of scripts, names of locks, holders, addresses) come from a cache, so most lines make no string.
 */
export class PlainLines {
  readonly #words = new WordCache();

  /**
   * Returns the same as `parseMonitorLine`; undefined if a word has an escape or a byte beyond ASCII, if the line has
   * more than 4096 bytes, or if it does not have the usual form.
   */
  parse(buffer: Buffer, start: number, end: number): PlainLine | undefined {
    if (end - start > LONGEST) return undefined;
    const micros = microsAt(buffer, start);
    if (Number.isNaN(micros) || buffer[start + DOT_AT] !== DOT || buffer[start + SPACE_AT] !== SPACE) return undefined;
    if (buffer[start + BRACKET_AT] !== BRACKET) return undefined;
    let db = 0;
    let at = start + DB_AT;
    for (let code = buffer[at] ?? 0; code !== SPACE; code = buffer[++at] ?? 0) {
      if (code < ZERO || code > ZERO + 9 || at - start - DB_AT >= MOST_DIGITS) return undefined;
      db = db * 10 + code - ZERO;
    }
    if (at === start + DB_AT) return undefined;
    const address = at + 1;
    at = wordsAt(buffer, address + 2, end);
    const words = this.#wordsFrom(buffer, at, end);
    if (words === undefined) return undefined;
    const client = this.#words.word(buffer, address, at - 2);
    return { at: redisTime(micros), db, client: client === 'lua' ? null : client, words };
  }

  #wordsFrom(buffer: Buffer, first: number, end: number): string[] | undefined {
    if (first >= end) return undefined;
    const words: string[] = [];
    for (let at = first; at < end; ) {
      if (buffer[at] !== QUOTE) return undefined;
      const from = ++at;
      let hash = 0;
      for (let code = buffer[at]; code !== QUOTE; code = buffer[++at]) {
        if (code === BACKSLASH || code === undefined || code > LAST_ASCII || at >= end) return undefined;
        hash = (Math.imul(hash, 31) + code) | 0;
      }
      if (at >= end || (at + 1 < end && buffer[at + 1] !== SPACE)) return undefined;
      words.push(this.#words.hashed(buffer, from, at, hash));
      at += 2; // the quote and the space
    }
    return words;
  }
}
