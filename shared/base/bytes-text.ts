import { byteEscapes, writeEscaped } from './byte-escapes.ts';

/**
 * Redis names are bytes; people and JSON need text. These functions convert one into the other without loss.
 *
 * Bytes that are valid UTF-8 become that text. Anything else is written as redis-cli shows it: `\xNN` for a byte above
 * 127 and `\\` for a backslash. Valid text that contains something like `\xNN` is written that way too, so that two
 * names never become the same text.
 *
 * `binary` is a string with one character per byte (latin-1), as the parsers take it from frames. Names and arguments
 * may be megabytes of any bytes, so every step here takes linear time and works on arrays of bytes.
 */

const ESCAPE = /\\x[0-9a-f]{2}/;
const BEYOND_ASCII = /[^\x00-\x7f]/;
const BACKSLASH = 92;
const LETTER_X = 120;
const HEX = Uint8Array.from([...'0123456789abcdef'], (digit) => digit.charCodeAt(0));

const ESCAPED = byteEscapes((byte) => {
  if (byte > 127) return `\\x${byte.toString(16)}`;
  return byte === BACKSLASH ? '\\\\' : String.fromCharCode(byte);
});
/** The value of a lower-case hexadecimal digit, by character code; -1 for any other character. */
const LOWER_HEX = new Int8Array(256).fill(-1);
HEX.forEach((code, value) => {
  LOWER_HEX[code] = value;
});
/** Arguments per call: many more would overflow the stack. */
const CHUNK = 8192;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Returns the text for these bytes. */
export function textFromBinary(binary: string): string {
  for (let i = 0; i < binary.length; i++) {
    if (binary.charCodeAt(i) > 127) return textFromBytes(bytesFromBinary(binary));
  }
  return ESCAPE.test(binary) ? escaped(bytesFromBinary(binary)) : binary;
}

/** Returns the text for these bytes in an array, as `textFromBinary` does for a string. */
export function textFromBytes(bytes: Uint8Array): string {
  try {
    const text = strict.decode(bytes);
    return ESCAPE.test(text) ? escaped(bytes) : text;
  } catch {
    return escaped(bytes);
  }
}

/** Returns the bytes from which `textFromBinary` made this text, one character per byte. */
export function binaryFromText(text: string): string {
  const isEscaped = ESCAPE.test(text);
  if (!isEscaped && !BEYOND_ASCII.test(text)) return text;
  const bytes = encoder.encode(text);
  return binaryFromBytes(isEscaped ? withoutEscapes(bytes) : bytes);
}

/** Returns the bytes as a string with one character per byte. */
function binaryFromBytes(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) {
    parts.push(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + CHUNK)));
  }
  return parts.join('');
}

/** Every byte above 127 escaped, every backslash doubled. */
function escaped(bytes: Uint8Array): string {
  const text = new Uint8Array(bytes.length * 4);
  const found = strict.decode(text.subarray(0, writeEscaped(bytes, ESCAPED, text)));
  // a text without `\xNN` would be read back as plain text, so its first backslash is written as `\x5c`
  return ESCAPE.test(found) ? found : found.replace('\\\\', '\\x5c');
}

/** The reverse of `escaped`, in place. */
function withoutEscapes(bytes: Uint8Array): Uint8Array {
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at] ?? 0;
    if (byte === BACKSLASH && bytes[at + 1] === BACKSLASH) at++;
    else if (byte === BACKSLASH && bytes[at + 1] === LETTER_X) {
      const high = LOWER_HEX[bytes[at + 2] ?? 0] ?? -1;
      const low = LOWER_HEX[bytes[at + 3] ?? 0] ?? -1;
      if (high >= 0 && low >= 0) {
        byte = high * 16 + low;
        at += 3;
      }
    }
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}

function bytesFromBinary(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
