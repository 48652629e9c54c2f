import { GrowingBytes } from '../connection/growing-bytes.ts';
import { countFromDigits } from '../connection/reply.ts';

type EffectSink = {
  /**
   * A command: its name in capitals, and its arguments as bytes, valid during the call only. `null`: an argument longer
   * than `MOST_OF_ARGUMENT`. `offset`: the replication offset after the command.
   */
  onCommand(name: string, args: readonly (Buffer | null)[], offset: number): void;
  /** The bytes are not a replication stream; later bytes are ignored. */
  onFault(): void;
};

/** Longer arguments are not kept: effects on locks with longer names are not seen. */
const MOST_OF_ARGUMENT = 64 * 1024;
/** Arguments after these are not passed on. */
const MOST_ARGUMENTS = 100_000;
const MOST_OF_HEAD = 32;

const LF = 10;
const CR = 13;
const STAR = 42;
const DOLLAR = 36;
const TRAILER = 2;

/**
 * Cuts a replication stream into commands and counts its bytes: the count is the replication offset. A master also
 * sends line feeds by themselves, to show that it is alive; they count as well.
 *
 *   *2 CR LF $6 CR LF SELECT CR LF $1 CR LF 0 CR LF        offset + 23
 */
export class EffectScanner {
  /** The offset after the newest complete command. */
  offset: number;
  readonly #sink: EffectSink;
  /** The offset after the newest byte. */
  #received: number;
  readonly #cut = new GrowingBytes();
  #state: 'head' | 'body' | 'ended' = 'head';
  /** How many words of the open command are missing, its name included; 0: no command is open. */
  #missing = 0;
  /** The name and the arguments of the open command, as far as they have arrived. */
  #args: (Buffer | null)[] = [];
  /** How many of the arguments have been copied out of the chunk. */
  #owned = 0;
  /** How many bytes of the present argument and its CR LF are missing, and how long the argument is. */
  #left = 0;
  #length = 0;

  constructor(offset: number, sink: EffectSink) {
    this.offset = offset;
    this.#received = offset;
    this.#sink = sink;
  }

  /** Takes the next bytes, which belong to the caller again after the call. */
  feed(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && this.#state !== 'ended') {
      const next = this.#state === 'head' ? this.#head(chunk, at) : this.#body(chunk, at);
      this.#received += next - at;
      at = next;
      if (this.#missing === 0 && this.#cut.length === 0) this.#complete();
    }
    if (this.#missing > 0) this.#own();
  }

  #head(chunk: Buffer, at: number): number {
    if (this.#missing === 0 && this.#cut.length === 0 && chunk[at] === LF) return at + 1;
    const end = chunk.indexOf(LF, at) + 1;
    if (end === 0 || this.#cut.length > 0) {
      this.#cut.append(chunk, at, end || chunk.length);
      if (this.#cut.length > MOST_OF_HEAD) return this.#fault(chunk);
      if (end === 0) return chunk.length;
      const bytes = this.#cut.bytes;
      this.#cut.clear();
      this.#read(bytes, 0, bytes.length);
    } else this.#read(chunk, at, end);
    return this.#state === 'ended' ? chunk.length : end;
  }

  #read(bytes: Buffer, start: number, end: number): void {
    const count = bytes[end - TRAILER] === CR ? countFromDigits(bytes, start + 1, end - TRAILER) : undefined;
    const wanted = this.#missing === 0 ? STAR : DOLLAR;
    if (count === undefined || bytes[start] !== wanted || (wanted === STAR && count === 0)) {
      this.#fault(bytes);
      return;
    }
    if (wanted === STAR) {
      this.#missing = count;
      return;
    }
    this.#length = count;
    this.#left = count + TRAILER;
    this.#state = 'body';
  }

  #body(chunk: Buffer, at: number): number {
    const end = Math.min(at + this.#left, chunk.length);
    const isKept = this.#length <= MOST_OF_ARGUMENT && this.#args.length < MOST_ARGUMENTS;
    this.#left -= end - at;
    if (isKept && (this.#left > 0 || this.#cut.length > 0)) this.#cut.append(chunk, at, end);
    if (this.#left > 0) return end;
    if (this.#args.length < MOST_ARGUMENTS) this.#args.push(isKept ? this.#argument(chunk, end) : null);
    this.#missing--;
    this.#state = 'head';
    return end;
  }

  #argument(chunk: Buffer, end: number): Buffer {
    if (this.#cut.length === 0) return chunk.subarray(end - TRAILER - this.#length, end - TRAILER);
    const argument = Buffer.from(this.#cut.bytes.subarray(0, this.#length));
    this.#cut.clear();
    return argument;
  }

  /** The chunk is overwritten later, so the arguments of a cut command are copied. */
  #own(): void {
    for (; this.#owned < this.#args.length; this.#owned++) {
      const arg = this.#args[this.#owned];
      if (arg) this.#args[this.#owned] = Buffer.from(arg);
    }
  }

  #complete(): void {
    const [name, ...args] = this.#args;
    this.offset = this.#received;
    this.#args = [];
    this.#owned = 0;
    if (name) this.#sink.onCommand(name.toString('latin1').toUpperCase(), args, this.offset);
  }

  #fault(bytes: Buffer): number {
    this.#state = 'ended';
    this.#sink.onFault();
    return bytes.length;
  }
}
