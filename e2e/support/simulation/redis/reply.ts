import type { LuaValue } from './lua-runtime.ts';

/** A reply of the simulated server. Texts have one character per byte. */
export type Reply = string | number | null | readonly Reply[] | Status | Failure | Score | Pairs;

/** A short text such as `OK`. */
export class Status {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An error, for example `WRONGTYPE …`. */
export class Failure {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The score of a member: a number in RESP3, a text in RESP2. */
export class Score {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/**
 * Names with values. In RESP3, fields are a map, and members with scores are a list of pairs; in RESP2, both are a flat
 * list.
 */
export class Pairs {
  readonly flat: readonly Reply[];
  readonly how: 'map' | 'list';

  constructor(flat: readonly Reply[], how: 'map' | 'list') {
    this.flat = flat;
    this.how = how;
  }
}

export const OK = new Status('OK');
export const QUEUED = new Status('QUEUED');
export const WRONG_TYPE = new Failure('WRONGTYPE Operation against a key holding the wrong kind of value');

/** The bytes of a reply in RESP3. */
export function resp3Of(reply: Reply): string {
  if (typeof reply === 'string') return `$${reply.length}\r\n${reply}\r\n`;
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (reply === null) return '_\r\n';
  if (reply instanceof Status) return `+${reply.text}\r\n`;
  if (reply instanceof Failure) return `-${reply.text}\r\n`;
  if (reply instanceof Score) return `,${reply.value}\r\n`;
  if (!(reply instanceof Pairs)) return `*${reply.length}\r\n${reply.map(resp3Of).join('')}`;
  const { flat, how } = reply;
  if (how === 'map') return `%${flat.length / 2}\r\n${flat.map(resp3Of).join('')}`;
  const pairs = flat.map((each, n) => (n % 2 === 0 ? `*2\r\n${resp3Of(each)}` : resp3Of(each)));
  return `*${flat.length / 2}\r\n${pairs.join('')}`;
}

/** The bytes of a push: a message, a confirmation or an invalidation. */
export function pushOf(words: readonly Reply[]): string {
  return `>${words.length}\r\n${words.map(resp3Of).join('')}`;
}

/** A reply as clients of RESP2 receive it from their library; throws an error reply. */
export function plainOf(reply: Reply): unknown {
  if (reply instanceof Status) return reply.text;
  if (reply instanceof Score) return String(reply.value);
  if (reply instanceof Pairs) return reply.flat.map(plainOf);
  if (reply instanceof Failure) throw Object.assign(new Error(reply.text), { name: 'ReplyError' });
  return Array.isArray(reply) ? reply.map(plainOf) : reply;
}

/** A reply as a script receives it; throws an error reply. */
export function luaOf(reply: Reply): LuaValue {
  if (reply === null) return false;
  if (reply instanceof Status) return { ok: reply.text };
  if (reply instanceof Score) return String(reply.value);
  if (reply instanceof Failure) throw new ScriptError(reply);
  if (reply instanceof Pairs) return reply.flat.map(luaOf);
  return typeof reply === 'object' ? reply.map(luaOf) : reply;
}

/** The reply to a script that returned `value`. */
export function replyOf(value: LuaValue): Reply {
  if (typeof value === 'number') return Math.trunc(value);
  if (value === undefined || value === false) return null;
  if (value === true) return 1;
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) throw new Error(`a script returned ${JSON.stringify(value)}`);
  return value.map(replyOf);
}

/** A command of a script was refused, which ends the script. */
export class ScriptError extends Error {
  readonly reply: Failure;

  constructor(reply: Failure) {
    super(reply.text);
    this.reply = reply;
  }
}
