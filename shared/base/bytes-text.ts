/**
 * Redis names are bytes; people and JSON want text. These two functions turn one into the other without loss.
 *
 * Bytes that are valid UTF-8 become that text. Anything else is written the way redis-cli shows it, `\xNN` for a
 * byte that is no character and `\\` for a backslash. A name that is valid text but contains something that looks
 * like `\xNN` is written that way too, so no two names ever become the same text.
 *
 * `binary` is a string with one character per byte (latin-1), which is what the parsers cut out of frames.
 */

const ESCAPE = /\\x[0-9a-f]{2}/;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** The text for these bytes. */
export function textFromBinary(binary: string): string {
  let isAscii = true;
  for (let i = 0; i < binary.length; i++) {
    if (binary.charCodeAt(i) > 127) {
      isAscii = false;
      break;
    }
  }
  if (isAscii) return ESCAPE.test(binary) ? escaped(binary) : binary;
  try {
    const text = strict.decode(bytesOf(binary));
    return ESCAPE.test(text) ? escaped(binary) : text;
  } catch {
    return escaped(binary);
  }
}

/** The bytes that `textFromBinary` made this text of, one character per byte. */
export function binaryFromText(text: string): string {
  if (!ESCAPE.test(text)) return binaryOf(encoder.encode(text));
  let binary = '';
  for (const piece of text.split(/(\\x[0-9a-f]{2}|\\\\)/)) {
    if (piece === '\\\\') binary += '\\';
    else if (ESCAPE.test(piece)) binary += String.fromCharCode(Number.parseInt(piece.slice(2), 16));
    else binary += binaryOf(encoder.encode(piece));
  }
  return binary;
}

/** Every byte above 127 escaped, every backslash doubled. */
function escaped(binary: string): string {
  let text = '';
  for (let i = 0; i < binary.length; i++) {
    const code = binary.charCodeAt(i);
    if (code === 92) text += '\\\\';
    else if (code > 127) text += `\\x${code.toString(16)}`;
    else text += binary[i];
  }
  // Without an escape in it the text would be read back as plain text: escape the first backslash's byte itself.
  return ESCAPE.test(text) ? text : text.replace('\\\\', '\\x5c');
}

function bytesOf(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function binaryOf(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return binary;
}
