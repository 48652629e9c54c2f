/** Any RESP3 reply, with bulk strings as one character per byte. Maps are flat lists of key, value, key, value … */
export type Reply = string | number | null | boolean | RedisError | TooLong | Reply[];

/** An error reply. The first word is its code: `NOPERM`, `WRONGPASS`, `NOSCRIPT` … */
export class RedisError extends Error {
  /** The command to which Redis replied, as the ACL names it; empty while the command is not known. */
  command = '';

  get code(): string {
    return this.message.split(' ')[0] ?? '';
  }
}

/** Whether Redis refused a command, or the transaction around it, because a script keeps Redis busy. */
export function isBusy(reply: Reply | undefined): boolean {
  return reply instanceof RedisError && /^(?:EXECABORT .*)?BUSY /.test(reply.message);
}

/**
 * Whether Redis ran a command. `busy`: Redis refused the command because of a script. `refused`: Redis refused it for
 * another reason, for example while it loads data.
 */
export type Answer = 'done' | 'busy' | 'refused';

export function answerOf(reply: Reply | undefined): Answer {
  if (isBusy(reply)) return 'busy';
  return reply instanceof RedisError ? 'refused' : 'done';
}

/** Replaces a string or a list that was too long to keep; its `bytes` arrived and were skipped. */
export class TooLong {
  readonly bytes: number;

  constructor(bytes: number) {
    this.bytes = bytes;
  }
}

/** Whether a reply, or a value inside it, was too long to keep. */
export function isTooLong(reply: Reply | undefined): boolean {
  return reply instanceof TooLong || (Array.isArray(reply) && reply.some(isTooLong));
}

/** Reads a value of one line, given without its type and CR LF; `undefined` if it is not RESP3. */
export function valueFromLine(type: string, line: string): Reply | undefined {
  switch (type) {
    case '+':
    case '(':
      return line;
    case '-':
      return new RedisError(line);
    case ':':
      return /^[+-]?\d+$/.test(line) ? Number(line) : undefined;
    case ',':
      return doubleFrom(line);
    case '#':
      return line === 't' ? true : line === 'f' ? false : undefined;
    case '_':
      return line === '' ? null : undefined;
    case '$':
    case '*':
      return line === '-1' ? null : undefined; // as RESP2 writes null
    default:
      return undefined;
  }
}

function doubleFrom(line: string): number | undefined {
  const value = Number(line.replace('inf', 'Infinity'));
  if (!Number.isNaN(value) && line !== '') return value;
  return /^-?nan$/.test(line) ? Number.NaN : undefined;
}

const ZERO = 48;
const NINE = 57;
/** A number with more digits than this may not be exact. */
const MOST_DIGITS = 15;

/** Reads a length or count of RESP3: digits only; undefined for anything else. */
export function countFromDigits(buffer: Buffer, start: number, end: number): number | undefined {
  if (start === end || end - start > MOST_DIGITS) return undefined;
  let count = 0;
  for (let at = start; at < end; at++) {
    const digit = buffer[at] ?? 0;
    if (digit < ZERO || digit > NINE) return undefined;
    count = count * 10 + digit - ZERO;
  }
  return count;
}
