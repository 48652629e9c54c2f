import { textFromBinary } from '../base/bytes-text.ts';
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
      words.push(textFromBinary(unescaped(line.slice(at + 1, end))));
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
    .map((word) => textFromBinary(word.includes('\\') ? unescapedBytes(word) : word));
}

function unescapedBytes(word: string): string {
  const isText = !/\\x[0-9a-f]{2}/.test(word) && /\\(?![nrtab])/.test(word);
  if (isText) return word;
  return word.replace(/\\(?:x([0-9a-f]{2})|([nrtab]))/g, (_, hex: string | undefined, letter: string) =>
    hex !== undefined ? String.fromCharCode(Number.parseInt(hex, 16)) : (SHORT_ESCAPES[letter] ?? letter),
  );
}

const QUOTE = 34;
const SPACE = 32;
const ZERO = 48;
const BRACKET = 91;
const CLOSE = 93;
const BACKSLASH = 92;

function closingQuote(line: string, from: number): number {
  let at = from;
  while (at < line.length) {
    const code = line.charCodeAt(at);
    if (code === BACKSLASH) at += 2;
    else if (code === QUOTE) return at;
    else at++;
  }
  return -1;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b' };

function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{2})|(.))/gs, (_, hex: string | undefined, other: string) =>
    hex !== undefined ? String.fromCharCode(Number.parseInt(hex, 16)) : (SHORT_ESCAPES[other] ?? other),
  );
}

/** The line as MONITOR would print it, for showing the signals behind an event. */
export function formatLine(signal: LineSignal): string {
  const micros = String(signal.at % 1_000_000).padStart(6, '0');
  const head = `${Math.floor(signal.at / 1_000_000)}.${micros} [${signal.db} ${signal.client ?? 'lua'}]`;
  return `${head} ${signal.words.map((word) => JSON.stringify(word)).join(' ')}`;
}

function reject(line: string, reason: string) {
  return fail({ line: line.slice(0, 200), reason });
}
