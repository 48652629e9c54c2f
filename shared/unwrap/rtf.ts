import { fromWindows1252 } from './text-bytes.ts';

/*
 * What text programs save as RTF. The ends of its lines mean nothing, except after a backslash:
 *
 *   {\rtf1\ansi\deff0 {\fonttbl {\f0 Courier;}}
 *   "worker-1" #31 prio=5 \'93x\'94\par \tab at shop.Prices.load(Prices.java:40)\par
 */

/** Whether the first line of a text begins RTF. */
export function isRtf(line: string): boolean {
  return /^\uFEFF?\s{0,99}\{\\rtf\d/.test(line);
}

const CONTROLS = /\\(?:'([\da-f]{2})|u(-?\d{1,5}) ?\??|([a-z]{1,32})(?:-?\d{1,10})? ?|([^a-z])|$)|[{}]/gi;
const WORDS: Readonly<Record<string, string>> = { par: '\n', line: '\n', row: '\n', tab: '\t', cell: '\t' };

/** A line of RTF as text. */
export function withoutRtf(line: string): string {
  return line.replace(CONTROLS, (whole, hex?: string, code?: string, word?: string, letter?: string) => {
    if (hex !== undefined) return fromWindows1252(Uint8Array.of(Number.parseInt(hex, 16)));
    if (code !== undefined) return String.fromCharCode(Number(code) & 0xffff);
    if (word !== undefined) return WORDS[word] ?? '';
    if (letter !== undefined) return letter === '~' ? ' ' : letter;
    return whole === '\\' ? '\n' : '';
  });
}
