/** How each byte is written: as up to four ASCII characters. */
type ByteEscapes = {
  /** The characters for each byte value, the first in the lowest 8 bits. */
  readonly packed: Int32Array;
  readonly widths: Uint8Array;
};

/** Makes the table from a function that returns the text of each byte. */
export function byteEscapes(textOf: (byte: number) => string): ByteEscapes {
  const packed = new Int32Array(256);
  const widths = new Uint8Array(256);
  for (let byte = 0; byte < 256; byte++) {
    const text = textOf(byte);
    for (let place = 0; place < text.length; place++) packed[byte]! |= text.charCodeAt(place) << (8 * place);
    widths[byte] = text.length;
  }
  return { packed, widths };
}

/** Writes the texts of `bytes` into `out`, which must have four times their length. Returns the length written. */
export function writeEscaped(bytes: Uint8Array, { packed, widths }: ByteEscapes, out: Uint8Array): number {
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const text = packed[byte] ?? 0;
    // always writes four bytes: a branch on the width would take three times as long
    out[length] = text;
    out[length + 1] = text >> 8;
    out[length + 2] = text >> 16;
    out[length + 3] = text >> 24;
    length += widths[byte] ?? 0;
  }
  return length;
}
