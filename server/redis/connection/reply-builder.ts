import { RedisError, type Reply, TooLong } from './reply.ts';

/** How many bytes of one reply, push or line are kept at most. */
export const MAX_FRAME = 16 * 1024 * 1024;
/**
 * How many bytes a string inside a list may have. A lock's name of 1 MB must work, as a key and in the channel of its
 * messages. A string that is a reply by itself may be as long as a reply: CLIENT LIST of 50,000 clients has 15 MB.
 */
export const MAX_BULK = 2 * 1024 * 1024;
/** How deep lists may nest: far deeper than in any reply that Lockscope asks for, such as SLOWLOG GET with three. */
export const MAX_DEPTH = 32;

/** Strings longer than this may fill only three quarters of a reply, so that short ones (a cursor, a name) are kept. */
const SHORT = 1024;
const ROOM_FOR_LONG = (MAX_FRAME / 4) * 3;

/** About how many bytes a value takes, apart from the characters of its text. */
const COST = { plain: 16, object: 64, error: 1024 };

type ListType = 'list' | 'push' | 'attribute';

type OpenList = {
  readonly type: ListType;
  /** Where the list began, in bytes of the connection. */
  readonly from: number;
  /** How many values must still arrive. */
  left: number;
  /** Undefined for an attribute, for a list that became too long, and for a list inside either. */
  values: Reply[] | undefined;
  /** About how many bytes `values` takes, lists inside it included. */
  cost: number;
};

export type Frame = { readonly value: Reply; readonly isPush: boolean };

/**
 * Puts the values of one frame together, within a bound on what it keeps.
 *
 *   a string above its bound                →  TooLong in its place
 *   a list whose next value does not fit    →  TooLong in its place; its memory is free for the values after it
 *
 * So a reply keeps its shape: in the reply to EXEC each command's reply is at its index, and SCAN keeps its cursor.
 *
 * A push inside a reply is a separate frame, not a value of the reply: Redis up to 7.0 writes `expired` in the middle
 * of EXEC's reply if a read finds that a key has expired.
 */
export class ReplyBuilder {
  readonly #open: OpenList[] = [];
  #kept = 0;

  get depth(): number {
    return this.#open.length;
  }

  /** Whether a string of this many bytes can be kept as the next value. */
  hasRoomFor(bytes: number): boolean {
    const list = this.#open.at(-1);
    if (!list) return bytes <= MAX_FRAME;
    if (!list.values || bytes > MAX_BULK) return false;
    return this.#kept + COST.plain + bytes <= (bytes > SHORT ? ROOM_FOR_LONG : MAX_FRAME);
  }

  /** Begins a list of `count` values at byte `from`; returns the frame if that completes one. */
  open(type: ListType, count: number, from: number): Frame | undefined {
    const parent = this.#open.at(-1);
    const isKept = type === 'push' || (type !== 'attribute' && (parent === undefined || parent.values !== undefined));
    this.#open.push({ type, from, left: count, values: isKept ? [] : undefined, cost: 0 });
    return count === 0 ? this.#close(from) : undefined;
  }

  /** Adds the next value, which ended before byte `at`; returns the frame if that completes one. */
  add(value: Reply, at: number): Frame | undefined {
    const list = this.#open.at(-1);
    if (!list) return { value, isPush: false };
    this.#keep(list, value, costOf(value));
    return --list.left === 0 ? this.#close(at) : undefined;
  }

  #close(at: number): Frame | undefined {
    for (;;) {
      const list = this.#open.pop();
      if (!list) return undefined;
      if (list.type === 'attribute') return undefined; // it only describes the value that follows
      const value = list.values ?? new TooLong(at - list.from);
      const parent = this.#open.at(-1);
      if (!parent || list.type === 'push') {
        this.#kept = parent ? this.#kept - list.cost : 0;
        return { value, isPush: list.type === 'push' };
      }
      parent.cost += list.cost;
      this.#keep(parent, value, COST.object);
      if (--parent.left > 0) return undefined;
    }
  }

  #keep(list: OpenList, value: Reply, cost: number): void {
    if (!list.values) return;
    if (this.#kept + cost <= MAX_FRAME) {
      list.values.push(value);
      list.cost += cost;
      this.#kept += cost;
    } else {
      this.#kept -= list.cost;
      list.values = undefined;
      list.cost = 0;
    }
  }
}

function costOf(value: Reply): number {
  if (typeof value === 'string') return COST.plain + value.length;
  if (value instanceof RedisError) return COST.error + value.message.length;
  return value instanceof TooLong ? COST.object : COST.plain;
}
