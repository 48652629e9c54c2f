import { textOfLines } from './kept-bytes.ts';

/** How the bytes of a text are to be read. */
export type Encoding = 'utf-8' | 'utf-16' | 'windows-1252';

/** At most this many bytes wait for the end of their line. */
const LONGEST_KEPT = 4 * 1024 * 1024;
/** At most this many parts of a line are kept as they arrived. A short part takes more memory than its bytes. */
const MOST_PARTS = 1000;
/** The encoding is recognised by this many bytes at the beginning. */
const HEAD_BYTES = 512;
const NO_BYTES = new Uint8Array(0);

/**
 * Decodes the bytes of a text as they arrive: UTF-8, UTF-16 with or without a mark, otherwise Windows-1252. Every end
 * of a line (`\r\n`, `\r`, `\r\r\n` of a terminal) becomes `\n`. NULs, which a log has where it was cut while it was
 * written, are left out.
 */
export class TextBytes {
  encoding: Encoding = 'utf-8';
  readonly #keepsBytes: boolean;
  /** The beginning of a line whose bytes are kept. */
  #line: Uint8Array[] = [];
  #lineLength = 0;
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  #head: Uint8Array = NO_BYTES;
  /** Whether the text so far ends in `\r`. */
  #isReturn = false;

  /**
   * `keepsBytes`: no line is read as Windows-1252. In a line that is not UTF-8, each byte above 7F becomes a character
   * from U+DC80 to U+DCFF.
   */
  constructor(keepsBytes = false) {
    this.#keepsBytes = keepsBytes;
  }

  /** Returns the text of the next bytes. */
  add(bytes: Uint8Array): string {
    if (this.#decoder) return this.#plain(this.#decoded(bytes));
    const head = this.#head.length === 0 ? bytes : joined([this.#head, bytes]);
    this.#head = head.subarray(firstByte(head));
    return this.#head.length < HEAD_BYTES ? '' : this.#begin();
  }

  /** Returns the rest of the text. */
  end(): string {
    const begun = this.#decoder ? '' : this.#begin();
    const text = begun + this.#plain(this.#decoded(NO_BYTES, false));
    const last = this.#isReturn ? '\n' : '';
    this.#isReturn = false;
    return text + last;
  }

  #begin(): string {
    const head = this.#head;
    this.#head = NO_BYTES;
    const label = labelOf(head);
    if (label !== 'utf-8') this.encoding = 'utf-16';
    this.#decoder = new TextDecoder(label);
    return this.#plain(this.#decoded(head));
  }

  #decoded(bytes: Uint8Array, stream = true): string {
    if (this.#keepsBytes && this.encoding === 'utf-8') return this.#kept(bytes, stream);
    const text = this.#decoder?.decode(bytes, { stream }) ?? '';
    if (this.encoding === 'utf-16' || !text.includes(UNREADABLE) || !isOther(text)) return text;
    this.encoding = 'windows-1252';
    return fromWindows1252(bytes);
  }

  #kept(bytes: Uint8Array, stream: boolean): string {
    const end = bytes.lastIndexOf(10) + 1;
    this.#lineLength += bytes.length;
    if (stream && end === 0 && this.#lineLength < LONGEST_KEPT) {
      this.#line.push(bytes.slice());
      if (this.#line.length > MOST_PARTS) this.#line = [joined(this.#line)];
      return '';
    }
    const all = joined([...this.#line, bytes]);
    const to = !stream ? all.length : end > 0 ? all.length - bytes.length + end : endOfCharacters(all);
    this.#line = [all.subarray(to)];
    this.#lineLength = all.length - to;
    return textOfLines(all.subarray(0, to));
  }

  #plain(text: string): string {
    const kept = text.includes('\0') ? text.replaceAll('\0', '') : text;
    if (!kept.includes('\r') && !this.#isReturn) return kept;
    const whole = this.#isReturn ? `\r${kept}` : kept;
    this.#isReturn = whole.endsWith('\r');
    return (this.#isReturn ? whole.replace(/\r+$/, '') : whole).replace(/\r+\n|\r/g, '\n');
  }
}

/** Decodes the bytes of a whole text. */
export function textOfBytes(bytes: Uint8Array): { readonly text: string; readonly encoding: Encoding } {
  const decoder = new TextBytes();
  const text = decoder.add(bytes) + decoder.end();
  return { text, encoding: decoder.encoding };
}

const UNREADABLE = '\ufffd';

/**
 * The characters of the bytes 80 to 9F in Windows-1252: quotes, dashes and others. The decoder of Node.js 20 returns
 * control characters for these bytes.
 */
const UPPER =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

export function fromWindows1252(bytes: Uint8Array): string {
  const text = new TextDecoder('latin1').decode(bytes);
  return text.replace(/[\x80-\x9f]/g, (letter) => UPPER[letter.charCodeAt(0) - 0x80] ?? letter);
}

/** Whether most characters beyond ASCII are not UTF-8. A cut may damage a few characters of a text in UTF-8. */
function isOther(text: string): boolean {
  let unreadable = 0;
  let readable = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) unreadable++;
    else if (code > 127) readable++;
  }
  return unreadable > readable;
}

/** The place of the first byte after the NULs at the beginning. Fewer than four stay: they may belong to UTF-16. */
function firstByte(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && bytes[at] === 0) at++;
  return at < 4 ? 0 : at - (at % 2);
}

/** UTF-16 by its mark, or because every other byte of its ASCII characters is a NUL. */
function labelOf(head: Uint8Array): string {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const nulls = [0, 0];
  const size = Math.min(head.length, HEAD_BYTES);
  for (let at = 0; at < size; at++) if (head[at] === 0) nulls[at % 2] = (nulls[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nulls;
  if (odd > size / 6 && even * 8 < odd) return 'utf-16le';
  return even > size / 6 && odd * 8 < even ? 'utf-16be' : 'utf-8';
}

/** Where the last complete character of UTF-8 ends. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= 0 && at > bytes.length - 4; at--) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue; // a later byte of its character
    const size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return at + size > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
