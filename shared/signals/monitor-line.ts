import { textFromBinary, textFromBytes } from '../base/bytes-text.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { redisTime } from '../base/time.ts';
import type { LineSignal } from './signal.ts';

export type RejectedLine = { readonly line: string; readonly reason: string };

/**
 * Reads one MONITOR line (latin-1, without the leading `+`).
 *
 *   1795218454.496776 [0 127.0.0.1:49168] "EXISTS" "orders:42"
 *   1795218454.496776 [0 lua] "exists" "orders:42"
 *
 * The address may be IPv4, IPv6 or `unix:/path`. Redis escapes what is not printable ASCII, quotes and backslashes;
 * `isUnescaped`: the last two this server leaves as they are.
 */
export function parseMonitorLine(line: string, isUnescaped = false): Result<LineSignal, RejectedLine> {
  const dot = line.indexOf('.');
  const open = line.indexOf(' ', dot);
  const space = line.indexOf(' ', open + 2);
  const close = endOfHead(line, space);
  if (dot < 1 || open < dot || line.charCodeAt(open + 1) !== BRACKET || space < open + 2 || close < space) {
    return reject(line, 'unreadable head');
  }
  const seconds = digits(line, 0, dot);
  const micros = digits(line, dot + 1, open);
  const db = digits(line, open + 2, space);
  if (Number.isNaN(seconds + micros + db)) return reject(line, 'unreadable head');
  const decoders = isUnescaped ? [decodeUnescapedWords, decodeWords] : [decodeWords, decodeUnescapedWords];
  const words = decoders[0]?.(line, close + 2) ?? decoders[1]?.(line, close + 2);
  if (words === undefined) return reject(line, 'unreadable arguments');
  const isScript = close - space === 4 && line.startsWith('lua', space + 1);
  const client = isScript ? null : line.slice(space + 1, close);
  return ok({ kind: 'line', at: redisTime(seconds * 1_000_000 + micros), db, client, words });
}

/** Where the bracket before the first word stands; -1 when there is none. Quotes may stand in the path of a socket. */
function endOfHead(line: string, from: number): number {
  let quote = line.indexOf('"', from);
  while (quote !== -1 && !(line.charCodeAt(quote - 1) === SPACE && line.charCodeAt(quote - 2) === CLOSE)) {
    quote = line.indexOf('"', quote + 1);
  }
  return quote === -1 ? -1 : quote - 2;
}

/** The number that stands from `from` to before `to`; NaN where something else than digits does. */
function digits(line: string, from: number, to: number): number {
  let number = from < to ? 0 : Number.NaN;
  for (let at = from; at < to; at++) {
    const digit = line.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

/** The quoted words from `from` to the end of the line; undefined when a quote is missing. */
export function decodeWords(line: string, from: number): string[] | undefined {
  const words: string[] = [];
  let at = from;
  let slash = line.indexOf('\\', from);
  while (at < line.length) {
    if (line.charCodeAt(at) !== QUOTE) return undefined;
    let end = line.indexOf('"', at + 1);
    if (end === -1) return undefined;
    if (slash === -1 || slash > end) {
      words.push(line.slice(at + 1, end));
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
 * The words of a line whose quotes and backslashes were left as they are: Valkey 8.1.0 and 8.1.1 do so (issue 2035
 * there). A word that itself contains `" "` cannot be told from two, nor a backslash and an `n` from a line's end: it
 * is the latter in bytes, and where no other backslash stands.
 */
function decodeUnescapedWords(line: string, from: number): string[] | undefined {
  if (line.charCodeAt(from) !== QUOTE || line.length < from + 2 || !line.endsWith('"')) return undefined;
  return line
    .slice(from + 1, -1)
    .split('" "')
    .map((word) => (hasEscapes(word) ? textFromBytes(unescapedHere(word)) : textFromBinary(word)));
}

/** Whether a word of such a line has escapes: any other backslash shows that all of them are text. */
function hasEscapes(word: string): boolean {
  return word.includes('\\') && (/\\x[0-9a-f]{2}/.test(word) || !/\\(?![nrtab])/.test(word));
}

/** In such a word a backslash that begins no escape is text. */
function unescapedHere(word: string): Uint8Array {
  const escaped = word.replace(/\\(?!x[0-9a-f]{2}|[nrtab])/g, '\\\\');
  return unescaped(escaped, 0, escaped.length);
}

const QUOTE = 34;
const SPACE = 32;
const ZERO = 48;
const BRACKET = 91;
const CLOSE = 93;
const BACKSLASH = 92;

/** Where the word ends in which a backslash is at `slash`; -1 if its quote is missing. */
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
/** The byte of what follows a backslash, by its character code: `n r t a b`; 0 for any other character. */
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
/** Bytes read past a word's end, which are never hexadecimal digits. */
const PADDING = 3;

/**
 * The bytes of a word from `from` to before `end`. Linear: an argument may be megabytes of escapes.
 *
 * A backslash before any other character is left out.
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

/** The characters of a line from `from` to before `end` as bytes, with padding behind them. */
function bytesOf(line: string, from: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - from + PADDING);
  const ascii = bytes.subarray(0, end - from);
  // Redis prints ASCII only. For another character `encodeInto` needs two bytes, so the last one does not fit.
  const { read } = encoder.encodeInto(line.slice(from, end), ascii);
  if (read < ascii.length) for (let at = from; at < end; at++) ascii[at - from] = line.charCodeAt(at);
  return bytes;
}

/** Characters of a word that are shown: a lock's name may have megabytes. */
const MOST_SHOWN = 2048;
/** Words of a line that are shown: one DEL may have a hundred thousand keys. */
const MOST_WORDS = 500;

/** The line as MONITOR would print it, for showing the signals behind an event; long words are cut. */
export function formatLine(signal: LineSignal): string {
  const micros = String(signal.at % 1_000_000).padStart(6, '0');
  const head = `${Math.floor(signal.at / 1_000_000)}.${micros} [${signal.db} ${signal.client ?? 'lua'}]`;
  const words = signal.words.slice(0, MOST_WORDS).map((word) => JSON.stringify(cutWord(word)));
  const more = signal.words.length - words.length;
  return `${head} ${words.join(' ')}${more > 0 ? ` … and ${more} more` : ''}`;
}

/** The word as it is shown: its first 2048 characters and its length if it is longer. */
export function cutWord(word: string): string {
  return word.length <= MOST_SHOWN ? word : `${word.slice(0, MOST_SHOWN)}… (${word.length} characters)`;
}

function reject(line: string, reason: string) {
  return fail({ line: line.slice(0, 200), reason });
}
