import { textFromBinary, textFromBytes } from '../base/bytes-text.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { redisTime } from '../base/time.ts';
import type { RejectedReason } from './rejected-reason.ts';
import type { LineSignal } from './signal.ts';

export type RejectedLine = { readonly line: string; readonly reason: RejectedReason };

/**
 * Reads one MONITOR line (latin-1, without the leading `+`).
 *
 *   1795218454.496776 [0 127.0.0.1:49168] "EXISTS" "orders:42"
 *   1795218454.496776 [0 lua] "exists" "orders:42"
 *
 * The address may be IPv4, IPv6 or `unix:/path`. Redis escapes quotes, backslashes and everything that is not printable
 * ASCII. `isUnescaped`: this server does not escape quotes and backslashes.
 */
export function parseMonitorLine(line: string, isUnescaped = false): Result<LineSignal, RejectedLine> {
  const dot = line.indexOf('.');
  const open = line.indexOf(' ', dot);
  const space = line.indexOf(' ', open + 2);
  const close = endOfHead(line, space);
  if (dot < 1 || open < dot || line.charCodeAt(open + 1) !== BRACKET || space < open + 2 || close < space) {
    return reject(line, 'head');
  }
  const seconds = digits(line, 0, dot);
  const micros = digits(line, dot + 1, open);
  const db = digits(line, open + 2, space);
  if (Number.isNaN(seconds + micros + db)) return reject(line, 'head');
  const decoders = isUnescaped ? [decodeUnescapedWords, decodeWords] : [decodeWords, decodeUnescapedWords];
  const words = decoders[0]?.(line, close + 2) ?? decoders[1]?.(line, close + 2);
  if (words === undefined) return reject(line, 'words');
  const isScript = close - space === 4 && line.startsWith('lua', space + 1);
  const client = isScript ? null : line.slice(space + 1, close);
  return ok({ kind: 'line', at: redisTime(seconds * 1_000_000 + micros), db, client, words });
}

/** The position of the bracket before the first word; -1 if it is missing. The path of a socket may contain quotes. */
function endOfHead(line: string, from: number): number {
  let quote = line.indexOf('"', from);
  while (quote !== -1 && !(line.charCodeAt(quote - 1) === SPACE && line.charCodeAt(quote - 2) === CLOSE)) {
    quote = line.indexOf('"', quote + 1);
  }
  return quote === -1 ? -1 : quote - 2;
}

/** The number from `from` to before `to`; NaN if there is anything but digits. */
function digits(line: string, from: number, to: number): number {
  let number = from < to ? 0 : Number.NaN;
  for (let at = from; at < to; at++) {
    const digit = line.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

const BEYOND_ASCII = /[^\x00-\x7f]/;

/**
 * Returns the quoted words from `from` to the end of the line. Undefined: a quote is missing, or anything but one space
 * is between two words.
 */
export function decodeWords(line: string, from: number): string[] | undefined {
  const words: string[] = [];
  let at = from;
  let slash = line.indexOf('\\', from);
  while (at < line.length) {
    if (line.charCodeAt(at) !== QUOTE) return undefined;
    let end = line.indexOf('"', at + 1);
    if (end === -1) return undefined;
    if (slash === -1 || slash > end) {
      const word = line.slice(at + 1, end);
      words.push(BEYOND_ASCII.test(word) ? textFromBinary(word) : word); // Valkey 8.1.0 writes bytes as they are
    } else {
      end = closingQuote(line, slash);
      if (end === -1) return undefined;
      words.push(textFromBytes(unescaped(line, at + 1, end)));
      slash = line.indexOf('\\', end);
    }
    if (end + 1 < line.length && line.charCodeAt(end + 1) !== SPACE) return undefined;
    at = end + 2; // the quote and the space
  }
  return words;
}

/**
 * Returns the words of a line whose quotes and backslashes are not escaped: Valkey 8.1.0 and 8.1.1 write such lines
 * (issue 2035 there). A word that contains `" "` looks like two words. A backslash and an `n` look like a line break:
 * they are read as one if the word has an escaped byte, or if each of its backslashes begins an escape.
 */
function decodeUnescapedWords(line: string, from: number): string[] | undefined {
  if (line.charCodeAt(from) !== QUOTE || line.length < from + 2 || !line.endsWith('"')) return undefined;
  const words = line.slice(from + 1, -1).split('" "');
  // no command has a quote in its name, so something other than `" "` is between the words
  if (words[0]?.includes('"')) return undefined;
  return words.map((word) => (hasEscapes(word) ? textFromBytes(bytesOfWord(word)) : textFromBinary(word)));
}

/** An escaped byte. */
const HAS_BYTES = /\\x[0-9a-f]{2}/;

/**
 * Whether a word has escapes, in a line without escaped quotes and backslashes: it has an escaped byte, or each of its
 * backslashes begins an escape.
 */
function hasEscapes(word: string): boolean {
  return word.includes('\\') && (HAS_BYTES.test(word) || !/\\(?![nrtab])/.test(word));
}

/** The number of random bytes in the id of a Redisson permit. */
const ID_BYTES = 16;

/**
 * Returns the bytes of a word that has escapes, in a line without escaped quotes and backslashes. A backslash that
 * begins no escape is text. A backslash before a letter, such as `\n`, is text as well if the word has escaped bytes,
 * and only then has the length of a permit id.
 */
function bytesOfWord(word: string): Uint8Array {
  const bytes = bytesOfEscapes(word, /\\(?!x[0-9a-f]{2}|[nrtab])/g);
  if (bytes.length >= ID_BYTES || !HAS_BYTES.test(word)) return bytes;
  const withLetters = bytesOfEscapes(word, /\\(?!x[0-9a-f]{2})/g);
  return withLetters.length === ID_BYTES ? withLetters : bytes;
}

/** The bytes of a word. `text` matches the backslashes that are text. */
function bytesOfEscapes(word: string, text: RegExp): Uint8Array {
  const escaped = word.replace(text, '\\\\');
  return unescaped(escaped, 0, escaped.length);
}

const QUOTE = 34;
const SPACE = 32;
const ZERO = 48;
const BRACKET = 91;
const CLOSE = 93;
const BACKSLASH = 92;

/** The position of the closing quote of a word that has a backslash at `slash`; -1 if it is missing. */
function closingQuote(line: string, slash: number): number {
  let end = line.indexOf('"', slash);
  while (end !== -1 && isEscapedAt(line, end, slash)) end = line.indexOf('"', end + 1);
  return end;
}

/** Whether an odd number of backslashes, none before `from`, is right before `at`. */
function isEscapedAt(line: string, at: number, from: number): boolean {
  let slash = at - 1;
  while (slash >= from && line.charCodeAt(slash) === BACKSLASH) slash--;
  return (at - 1 - slash) % 2 === 1;
}

const LETTER_X = 120;
/** The byte that `n`, `r`, `t`, `a` or `b` after a backslash means, by character code; 0 for any other character. */
const SHORT_ESCAPES = new Uint8Array(256);
[...'nrtab'].forEach((letter, n) => {
  SHORT_ESCAPES[letter.charCodeAt(0)] = [10, 13, 9, 7, 8][n] ?? 0;
});
/** The value of a hexadecimal digit, by its character code; -1 for any other character. */
const HEX_DIGITS = new Int8Array(256).fill(-1);
[...'0123456789abcdefABCDEF'].forEach((digit) => {
  HEX_DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16);
});

const encoder = new TextEncoder();
/** Bytes read past the end of a word. They are 0, so never hexadecimal digits. */
const PADDING = 3;

/**
 * Returns the bytes of a word from `from` to before `end`, in linear time: an argument may be megabytes of escapes.
 *
 * A backslash that begins no escape is left out, except at the end.
 */
function unescaped(line: string, from: number, end: number): Uint8Array {
  const bytes = bytesOf(line, from, end);
  const size = end - from;
  let length = 0;
  for (let at = 0; at < size; at++) {
    const byte = bytes[at] ?? 0;
    if (byte !== BACKSLASH || at + 1 === size) {
      bytes[length++] = byte;
      continue;
    }
    const next = bytes[++at] ?? 0;
    const high = next === LETTER_X ? (HEX_DIGITS[bytes[at + 1] ?? 0] ?? -1) : -1;
    const low = high < 0 ? -1 : (HEX_DIGITS[bytes[at + 2] ?? 0] ?? -1);
    if (low >= 0) {
      bytes[length++] = high * 16 + low;
      at += 2;
    } else bytes[length++] = SHORT_ESCAPES[next] || next;
  }
  return bytes.subarray(0, length);
}

/** The characters of a line from `from` to before `end` as bytes, followed by padding. */
function bytesOf(line: string, from: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - from + PADDING);
  const ascii = bytes.subarray(0, end - from);
  // Redis prints ASCII only; if a line has another character, `encodeInto` needs more bytes, so it does not read all
  const { read } = encoder.encodeInto(line.slice(from, end), ascii);
  if (read < ascii.length) for (let at = from; at < end; at++) ascii[at - from] = line.charCodeAt(at);
  return bytes;
}

/** Characters shown of one word: the name of a lock may have megabytes. */
const MOST_SHOWN = 2048;
/** Words shown of one line: a DEL may have 100,000 keys. */
const MOST_WORDS = 500;

/** Returns a line in the form of MONITOR, to show the signals behind an event. Long words and long lines are cut. */
export function formatLine(signal: LineSignal): string {
  const micros = String(signal.at % 1_000_000).padStart(6, '0');
  const head = `${Math.floor(signal.at / 1_000_000)}.${micros} [${signal.db} ${signal.client ?? 'lua'}]`;
  const words = signal.words.slice(0, MOST_WORDS).map((word) => JSON.stringify(cutWord(word)));
  const more = signal.words.length - words.length;
  return `${head} ${words.join(' ')}${more > 0 ? ` … and ${more} more` : ''}`;
}

/** Returns a word as it is shown: if it is longer than 2048 characters, the first 2048 and its length. */
export function cutWord(word: string): string {
  return word.length <= MOST_SHOWN ? word : `${word.slice(0, MOST_SHOWN)}… (${word.length} characters)`;
}

function reject(line: string, reason: RejectedReason) {
  return fail({ line: line.slice(0, 200), reason });
}
