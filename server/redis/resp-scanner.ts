/** Any RESP3 reply, with bulk strings as one character per byte. Maps are flat lists of key, value, key, value … */
export type Reply = string | number | null | boolean | RedisError | Reply[];

/** An error reply. The first word is its code: `NOPERM`, `WRONGPASS`, `NOSCRIPT` … */
export class RedisError extends Error {
  get code(): string {
    return this.message.split(' ')[0] ?? '';
  }
}

export type ScannerSink = {
  /** A MONITOR line: the bytes of `buffer` from `start` to before `end`, valid during the call only. */
  onLine(buffer: Buffer, start: number, end: number): void;
  onPush(values: Reply[]): void;
  onReply(reply: Reply): void;
  /** Bytes that are no RESP: the connection is of no use any more. */
  onGarbage(reason: string): void;
  /** A line longer than `MAX_FRAME` was dropped. */
  onDropped(): void;
};

/** No frame of ours is longer; a line that is, is dropped and counted instead of filling memory. */
export const MAX_FRAME = 16 * 1024 * 1024;

const CR = 13;
const LF = 10;
const PLUS = 43;
const ZERO = 48;
const NINE = 57;

/**
 * Cuts one connection's bytes into MONITOR lines, pushes and replies, in their order.
 *
 * A MONITOR line is a simple string that begins with a digit (`+1795218454.49 [0 …`); nothing else we are sent does.
 * Lines are given as bytes, so that one nobody wants never becomes a string.
 */
export class RespScanner {
  readonly #sink: ScannerSink;
  /** The beginning of a frame whose end has not come yet, in the pieces in which it was read. */
  #pieces: Buffer[] = [];
  #waiting = 0;
  #isDropping = false;

  constructor(sink: ScannerSink) {
    this.#sink = sink;
  }

  /** Whether a frame has begun whose end is still to come. */
  get isMidFrame(): boolean {
    return this.#waiting > 0 || this.#isDropping;
  }

  /** Takes the next bytes, which are its own during the call only, and hands over every frame that is complete. */
  feed(chunk: Buffer): void {
    const buffer = this.#isDropping ? this.#afterDropped(chunk) : this.#joined(chunk);
    let at = 0;
    while (at < buffer.length) {
      const isLine = isLineAt(buffer, at);
      const next = isLine ? buffer.indexOf(LF, at + 2) + 1 : this.#reply(buffer, at);
      if (next === 0) return this.#keep(buffer.subarray(at));
      if (isLine) this.#sink.onLine(buffer, at + 1, next - 2);
      at = next;
    }
  }

  /** Hands over the push or reply at `at` and gives back where it ends; 0 when it is not complete. */
  #reply(buffer: Buffer, at: number): number {
    const parsed = parseReply(buffer, at);
    if (parsed === 'incomplete') return 0;
    if (parsed === 'garbage') {
      this.#sink.onGarbage(buffer.toString('latin1', at, Math.min(at + 40, buffer.length)));
      return buffer.length;
    }
    if (parsed.isPush)
      this.#sink.onPush(parsed.value as Reply[]); // a push is always a list
    else this.#sink.onReply(parsed.value);
    return parsed.end;
  }

  /** Whoever reads may use its buffer again, so what is kept is a copy. */
  #keep(rest: Buffer): void {
    this.#pieces.push(Buffer.from(rest));
    this.#waiting += rest.length;
    if (this.#waiting <= MAX_FRAME) return;
    const [first = rest] = this.#takePieces();
    if (isLineAt(first, 0)) {
      this.#isDropping = true;
      this.#sink.onDropped();
    } else this.#sink.onGarbage('a reply of over 16 MB');
  }

  /** What is still to be read: a line that was begun is completed first, any other frame goes on in one piece. */
  #joined(chunk: Buffer): Buffer {
    const [first] = this.#pieces;
    if (!first) return chunk;
    if (!isLineAt(first, 0)) return Buffer.concat([...this.#takePieces(), chunk]);
    const next = chunk.indexOf(LF) + 1;
    if (next === 0) {
      this.#keep(chunk);
      return NOTHING;
    }
    const line = Buffer.concat([...this.#takePieces(), chunk.subarray(0, next)]);
    this.#sink.onLine(line, 1, line.length - 2);
    return chunk.subarray(next);
  }

  #afterDropped(chunk: Buffer): Buffer {
    const end = chunk.indexOf(LF);
    if (end === -1) return NOTHING;
    this.#isDropping = false;
    return chunk.subarray(end + 1);
  }

  #takePieces(): Buffer[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#waiting = 0;
    return pieces;
  }
}

const NOTHING = Buffer.alloc(0);

function isLineAt(buffer: Buffer, at: number): boolean {
  const digit = buffer[at + 1] ?? 0;
  return buffer[at] === PLUS && digit >= ZERO && digit <= NINE;
}

type Parsed = { value: Reply; end: number; isPush: boolean };

/** Reads one RESP3 value (https://redis.io/docs/latest/develop/reference/protocol-spec/). */
function parseReply(buffer: Buffer, at: number): Parsed | 'incomplete' | 'garbage' {
  if (at >= buffer.length) return 'incomplete';
  const type = String.fromCharCode(buffer[at] ?? 0);
  if (!'+-:$*%~>_#,(!=|'.includes(type)) return 'garbage';
  const lineEnd = buffer.indexOf(LF, at);
  if (lineEnd === -1) return 'incomplete';
  if (buffer[lineEnd - 1] !== CR) return 'garbage';
  const line = buffer.toString('latin1', at + 1, lineEnd - 1);
  const end = lineEnd + 1;
  const plain = (value: Reply): Parsed => ({ value, end, isPush: false });
  switch (type) {
    case '+':
    case '(':
      return plain(line);
    case '-':
      return plain(new RedisError(line));
    case ':':
    case ',':
      return plain(Number(line.replace('inf', 'Infinity')));
    case '#':
      return plain(line === 't');
    case '_':
      return plain(null);
    case '$':
    case '!':
    case '=':
      return bulk(buffer, end, type, Number(line));
    case '|': {
      const attributes = list(buffer, end, type, Number(line) * 2);
      return typeof attributes === 'string' ? attributes : parseReply(buffer, attributes.end);
    }
    default:
      return list(buffer, end, type, Number(line) * (type === '%' ? 2 : 1));
  }
}

function bulk(buffer: Buffer, start: number, type: string, length: number): Parsed | 'incomplete' | 'garbage' {
  if (length === -1) return { value: null, end: start, isPush: false };
  if (!Number.isInteger(length) || length < 0) return 'garbage';
  const end = start + length + 2;
  if (end > buffer.length) return 'incomplete';
  if (buffer[end - 2] !== CR || buffer[end - 1] !== LF) return 'garbage';
  // A verbatim string begins with its format: `txt:`.
  const text = buffer.toString('latin1', type === '=' ? start + 4 : start, end - 2);
  return { value: type === '!' ? new RedisError(text) : text, end, isPush: false };
}

function list(buffer: Buffer, start: number, type: string, count: number): Parsed | 'incomplete' | 'garbage' {
  if (count === -1) return { value: null, end: start, isPush: false };
  if (!Number.isInteger(count) || count < 0) return 'garbage';
  const values: Reply[] = [];
  let end = start;
  for (let i = 0; i < count; i++) {
    const item = parseReply(buffer, end);
    if (typeof item === 'string') return item;
    values.push(item.value);
    end = item.end;
  }
  return { value: values, end, isPush: type === '>' };
}

/** A command as Redis reads it; arguments hold one character per byte. */
export function encodeCommand(words: readonly string[]): Buffer {
  const head = [`*${words.length}\r\n`];
  for (const word of words) head.push(`$${word.length}\r\n${word}\r\n`);
  return Buffer.from(head.join(''), 'latin1');
}
