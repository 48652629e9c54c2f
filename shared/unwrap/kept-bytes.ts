/*
 * Lines that are not UTF-8, although each byte in them counts. MONITOR of Valkey 8.1.0 writes the bytes of keys as they
 * are:
 *
 *   1795000000.000037 [0 10.0.0.7:51422] "GET" "a\xff"        the byte FF becomes the character U+DCFF, which is never alone in a text
 */

const KEPT = /[\udc80-\udcff]/;
const ALL_KEPT = /[\udc80-\udcff]/g;
const RUNS_OF_KEPT = /([\udc80-\udcff]+)/;
const FIRST = 0xdc00;
const END_OF_LINE = 10;
/** Arguments per call: many more would overflow the stack. */
const CHUNK = 8192;
const decoder = new TextDecoder();

/** Decodes whole lines. */
export function textOfLines(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
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
  const text = decoder.decode(bytes);
  if (!text.includes('\ufffd')) return text;
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; from += CHUNK) {
    const codes = Uint16Array.from(bytes.subarray(from, from + CHUNK));
    for (let at = 0; at < codes.length; at++) if ((codes[at] ?? 0) > 127) codes[at] = FIRST + (codes[at] ?? 0);
    parts.push(String.fromCharCode(...codes));
  }
  return parts.join('');
}

export function hasKeptBytes(line: string): boolean {
  return KEPT.test(line);
}

/** A line in which each byte that was kept is replaced by the text that `decode` makes of it. */
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
