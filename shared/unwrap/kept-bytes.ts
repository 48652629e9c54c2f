/*
 * Lines that are not UTF-8, although each byte in them counts. MONITOR of Valkey 8.1.0 writes the bytes of keys as they are:
 *
 *   1795000000.000037 [0 10.0.0.7:51422] "GET" "a\xff"        the byte FF becomes the character U+DCFF, which no text has alone
 */

const KEPT = /[\udc80-\udcff]/;
const ALL_KEPT = /[\udc80-\udcff]/g;
const RUNS_OF_KEPT = /([\udc80-\udcff]+)/;
const FIRST = 0xdc00;
const END_OF_LINE = 10;

/** Decodes whole lines. */
export function textOfLines(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  if (!text.includes('\ufffd')) return text;
  const lines: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(END_OF_LINE, from);
    const to = end < 0 ? bytes.length : end + 1;
    lines.push(textOfLine(bytes.subarray(from, to)));
    from = to;
  }
  return lines.join('');
}

function textOfLine(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  if (!text.includes('\ufffd')) return text;
  let kept = '';
  for (const byte of bytes) kept += String.fromCharCode(byte < 128 ? byte : FIRST + byte);
  return kept;
}

/** Whether bytes of a line were kept. */
export function hasKeptBytes(line: string): boolean {
  return KEPT.test(line);
}

/** A line with each byte that was kept as the text that `decode` makes of it. */
export function withoutKeptBytes(line: string, decode: (bytes: Uint8Array) => string): string {
  return line.replace(ALL_KEPT, (kept) => decode(Uint8Array.of(kept.charCodeAt(0) - FIRST)));
}

/** A line as its bytes, one a character. `encode`: the bytes of a text. */
export function binaryOfLine(line: string, encode: (text: string) => string): string {
  if (!hasKeptBytes(line)) return encode(line);
  const parts = line.split(RUNS_OF_KEPT);
  return parts
    .map((part, n) => (n % 2 === 0 ? encode(part) : withoutKeptBytes(part, ([byte = 0]) => String.fromCharCode(byte))))
    .join('');
}
