/** Number of words that are kept, a power of two, and the bytes of the longest one. */
const SLOTS = 4096;
const WIDTH = 64;

/**
 * Makes strings from bytes. A word of up to 64 bytes that was made before and not displaced since is returned as the
 * same string, and makes no garbage.
 */
export class WordCache {
  readonly #bytes = new Uint8Array(SLOTS * WIDTH);
  readonly #lengths = new Uint8Array(SLOTS);
  readonly #strings: string[] = new Array<string>(SLOTS).fill('');

  /** The bytes from `from` to before `to`, one character per byte. */
  word(buffer: Buffer, from: number, to: number): string {
    let hash = 0;
    if (to - from <= WIDTH) for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (buffer[at] ?? 0)) | 0;
    return this.hashed(buffer, from, to, hash);
  }

  /** As `word`, with its hash: for each byte, 31 times the hash before plus the byte, in 32 bits. */
  hashed(buffer: Buffer, from: number, to: number, hash: number): string {
    const length = to - from;
    if (length === 0) return '';
    if (length > WIDTH) return buffer.toString('latin1', from, to);
    const slot = (hash ^ (hash >>> 12)) & (SLOTS - 1);
    if (this.#lengths[slot] === length && this.#isAt(slot * WIDTH, buffer, from, length)) {
      return this.#strings[slot] ?? '';
    }
    const text = buffer.toString('latin1', from, to);
    this.#strings[slot] = text;
    this.#lengths[slot] = length;
    for (let n = 0; n < length; n++) this.#bytes[slot * WIDTH + n] = buffer[from + n] ?? 0;
    return text;
  }

  #isAt(place: number, buffer: Buffer, from: number, length: number): boolean {
    const bytes = this.#bytes;
    for (let n = 0; n < length; n++) if (bytes[place + n] !== buffer[from + n]) return false;
    return true;
  }
}
