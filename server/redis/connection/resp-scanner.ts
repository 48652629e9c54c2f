import { GrowingBytes } from './growing-bytes.ts';
import { countFromDigits, RedisError, type Reply, TooLong, valueFromLine } from './reply.ts';
import { type Frame, MAX_DEPTH, MAX_FRAME, ReplyBuilder } from './reply-builder.ts';

export { RedisError, type Reply, TooLong };

/**
 * Why the bytes of a connection cannot be read further. `not-resp`: they are not RESP from the first value on;
 * `bad-frame`: a later value is not.
 */
export type Fault = 'not-resp' | 'bad-frame' | 'too-deep' | 'line-too-long';

type ScannerSink = {
  /** A MONITOR line: the bytes of `buffer` from `start` to before `end`, valid during the call only. */
  onLine(buffer: Buffer, start: number, end: number): void;
  /**
   * Called after a line that was whole in this read and began at `line`. `from`: the place of the next frame. Takes
   * whole lines from there on without `onLine`, and returns the place of the first byte that it leaves.
   */
  skip?(read: Buffer, line: number, from: number): number;
  onPush(values: Reply[]): void;
  onReply(reply: Reply): void;
  /** The connection can no longer be used; later bytes are ignored. */
  onFault(fault: Fault): void;
  /** Called when a line or push longer than `MAX_FRAME` was dropped. */
  onDropped(what: 'line' | 'push'): void;
};

/** Redis never writes a simple string, an error or a number as long as this. */
const MOST_OF_HEAD = 64 * 1024;

const LF = 10;
const CR = 13;
const PLUS = 43;
const ZERO = 48;
const NINE = 57;
const TRAILER = 2;
/** A verbatim string begins with its format: `txt:`. */
const VERBATIM_FORMAT = 4;

/**
 * Types of RESP3 (https://redis.io/docs/latest/develop/reference/protocol-spec/), by their first line: the whole value,
 * the length of a string, or either a length or a number of values.
 */
const ONE_LINE = '+-:,#_(';
const BULKS = '$!=';
const COUNTED = `${BULKS}*%~>|`;

/**
 * What the next byte belongs to. `head` is a value's first line, cut by the end of a read; `body` a bulk string and
 * `trailer` the CR LF after it.
 */
type State = 'value' | 'head' | 'body' | 'trailer' | 'dropped-line' | 'ended';

/**
 * Cuts one connection's bytes into MONITOR lines, pushes and replies, in their order. Each byte is looked at once,
 * however the bytes are cut into reads, and what is kept is bounded (see `ReplyBuilder`).
 *
 * A MONITOR line is a simple string that begins with a digit (`+1795218454.49 [0 …`); no reply of Redis does.
 * Lines are passed on as bytes, so that a line that cannot matter never becomes a string.
 */
export class RespScanner {
  readonly #sink: ScannerSink;
  readonly #builder = new ReplyBuilder();
  /** The part of a cut line or bulk string that has been read. */
  readonly #cut = new GrowingBytes();
  #state: State = 'value';
  /** Whether a frame has begun: a list is open, or an attribute in front of a value has been read. */
  #isInFrame = false;
  /** How many bytes of a body or trailer must still arrive. */
  #left = 0;
  #bulkType = '$';
  /** The text of a bulk string, until its trailer has arrived. */
  #text: string | TooLong = '';
  /** Bytes of reads before the current one. */
  #before = 0;
  /** Whether any value has been read; until then, a bad frame means that the server does not speak RESP at all. */
  #hasReadAny = false;

  constructor(sink: ScannerSink) {
    this.#sink = sink;
  }

  /** Whether a frame has begun and not ended. */
  get isMidFrame(): boolean {
    return this.#state !== 'value' || this.#isInFrame;
  }

  /** Bytes copied so far because a read ended inside a value. */
  get copied(): number {
    return this.#cut.copied;
  }

  /** Takes the next bytes, which belong to the caller again after the call, and passes on every complete frame. */
  feed(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#state !== 'value') {
        at = this.#resume(chunk, at);
        continue;
      }
      const isLine = !this.#isInFrame && isLineAt(chunk, at);
      const next = chunk.indexOf(LF, at + 1) + 1;
      if (next === 0) {
        this.#cutHead(chunk, at);
        break;
      }
      if (isLine) at = this.#line(chunk, at, next);
      else {
        this.#head(chunk, at, next, this.#before + at);
        at = next;
      }
    }
    this.#before += chunk.length;
  }

  /** Passes on a line. Returns the place of the next frame. */
  #line(chunk: Buffer, at: number, next: number): number {
    this.#sink.onLine(chunk, at + 1, next - TRAILER);
    return this.#sink.skip ? this.#sink.skip(chunk, at, next) : next;
  }

  #resume(chunk: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#restOfHead(chunk, at);
      case 'body':
        return this.#body(chunk, at);
      case 'trailer':
        this.#trailer(chunk, at);
        return at + 1;
      case 'dropped-line': {
        const next = chunk.indexOf(LF, at) + 1;
        if (next > 0) this.#state = 'value';
        return next > 0 ? next : chunk.length;
      }
      default:
        return chunk.length;
    }
  }

  #cutHead(chunk: Buffer, at: number): void {
    if (!isType(String.fromCharCode(chunk[at] ?? 0))) return this.#fault('bad-frame');
    this.#state = 'head';
    this.#cut.append(chunk, at, chunk.length);
    this.#boundHead();
  }

  #boundHead(): void {
    const { bytes, length } = this.#cut;
    if (length <= MOST_OF_HEAD) return;
    if (this.#isInFrame || !isLineAt(bytes, 0)) return this.#fault('line-too-long');
    if (length <= MAX_FRAME) return;
    this.#cut.clear();
    this.#state = 'dropped-line';
    this.#sink.onDropped('line');
  }

  #restOfHead(chunk: Buffer, at: number): number {
    const next = chunk.indexOf(LF, at) + 1;
    const from = this.#before + at - this.#cut.length;
    this.#cut.append(chunk, at, next || chunk.length);
    if (next === 0) this.#boundHead();
    else {
      const { bytes } = this.#cut;
      this.#cut.clear();
      this.#state = 'value';
      if (!this.#isInFrame && isLineAt(bytes, 0)) this.#sink.onLine(bytes, 1, bytes.length - 2);
      else this.#head(bytes, 0, bytes.length, from);
    }
    return next || chunk.length;
  }

  /** Reads a value's first line, CR LF included. */
  #head(buffer: Buffer, start: number, end: number, from: number): void {
    const type = String.fromCharCode(buffer[start] ?? 0);
    if (!isType(type) || end - start < 3 || buffer[end - 2] !== CR) return this.#fault('bad-frame');
    if (end - start > MOST_OF_HEAD) return this.#fault('line-too-long');
    const count = COUNTED.includes(type) ? countFromDigits(buffer, start + 1, end - 2) : undefined;
    if (count === undefined) {
      const value = valueFromLine(type, buffer.toString('latin1', start + 1, end - 2));
      return value === undefined ? this.#fault('bad-frame') : this.#add(value, from + end - start);
    }
    this.#hasReadAny = true;
    if (BULKS.includes(type)) return this.#beginBulk(type, count);
    if (this.#builder.depth >= MAX_DEPTH) return this.#fault('too-deep');
    const list = type === '>' ? 'push' : type === '|' ? 'attribute' : 'list';
    this.#isInFrame = true;
    this.#pass(this.#builder.open(list, type === '%' || type === '|' ? count * 2 : count, from));
  }

  #beginBulk(type: string, length: number): void {
    this.#bulkType = type;
    this.#left = length;
    this.#state = 'body';
    this.#text = this.#builder.hasRoomFor(length) ? '' : new TooLong(length);
    if (length === 0) this.#endBody();
  }

  #body(chunk: Buffer, at: number): number {
    const end = Math.min(at + this.#left, chunk.length);
    this.#left -= end - at;
    if (!(this.#text instanceof TooLong)) {
      if (this.#left === 0 && this.#cut.length === 0) this.#text = chunk.toString('latin1', at, end);
      else this.#cut.append(chunk, at, end);
    }
    if (this.#left > 0) return end;
    this.#endBody();
    if (end + TRAILER > chunk.length) return end;
    this.#trailer(chunk, end);
    if (this.#state === 'trailer') this.#trailer(chunk, end + 1);
    return end + TRAILER;
  }

  #endBody(): void {
    if (this.#cut.length > 0) this.#text = this.#cut.bytes.toString('latin1');
    this.#cut.clear();
    this.#state = 'trailer';
    this.#left = TRAILER;
  }

  #trailer(chunk: Buffer, at: number): void {
    if (chunk[at] !== (this.#left === TRAILER ? CR : LF)) return this.#fault('bad-frame');
    if (--this.#left > 0) return;
    this.#state = 'value';
    const text = this.#text;
    this.#text = '';
    const end = this.#before + at + 1;
    if (typeof text !== 'string' || this.#bulkType === '$') this.#add(text, end);
    else this.#add(this.#bulkType === '!' ? new RedisError(text) : text.slice(VERBATIM_FORMAT), end);
  }

  #add(value: Reply, end: number): void {
    this.#hasReadAny = true;
    this.#pass(this.#builder.add(value, end));
  }

  #pass(frame: Frame | undefined): void {
    if (!frame) return;
    this.#isInFrame = this.#builder.depth > 0;
    const { value, isPush } = frame;
    if (!isPush) this.#sink.onReply(value);
    else if (Array.isArray(value)) this.#sink.onPush(value);
    else this.#sink.onDropped('push');
  }

  /** Ends the scan. */
  #fault(fault: Fault): void {
    this.#state = 'ended';
    this.#cut.clear();
    this.#sink.onFault(fault === 'bad-frame' && !this.#hasReadAny ? 'not-resp' : fault);
  }
}

function isLineAt(buffer: Buffer, at: number): boolean {
  const digit = buffer[at + 1] ?? 0;
  return buffer[at] === PLUS && digit >= ZERO && digit <= NINE;
}

function isType(type: string): boolean {
  return ONE_LINE.includes(type) || COUNTED.includes(type);
}
