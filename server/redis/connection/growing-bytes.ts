const FIRST_CAPACITY = 256;
/** A buffer up to this size is used again; a larger one is released. */
const MOST_KEPT = 256 * 1024;
const EMPTY = Buffer.alloc(0);

/** Collects bytes from several reads. The capacity doubles, so each byte is copied about twice, however it is cut. */
export class GrowingBytes {
  #buffer = EMPTY;
  length = 0;
  /** Bytes copied so far, in all. */
  copied = 0;

  /** The collected bytes, valid until the next `append`. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }

  append(chunk: Buffer, from: number, to: number): void {
    const length = this.length + to - from;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, this.#buffer.length * 2, FIRST_CAPACITY));
      this.copied += this.#buffer.copy(larger, 0, 0, this.length);
      this.#buffer = larger;
    }
    this.copied += chunk.copy(this.#buffer, this.length, from, to);
    this.length = length;
  }

  clear(): void {
    this.length = 0;
    if (this.#buffer.length > MOST_KEPT) this.#buffer = EMPTY;
  }
}
