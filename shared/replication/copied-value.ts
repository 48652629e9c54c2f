/** What a key holds, as far as locks use it. */
export type CopiedValue =
  | { readonly type: 'hash'; readonly fields: Map<string, string> }
  | { readonly type: 'string'; readonly text: string }
  | { readonly type: 'list'; readonly items: readonly string[] }
  | { readonly type: 'zset'; readonly scores: Map<string, number> };

/** The content and the end of a key. `value` null: there is no such key. */
export type CopiedKey = {
  readonly value: CopiedValue | null;
  /** When the key expires, in ms since the epoch by Redis's clock; null: never. */
  readonly endsAtMs: number | null;
  /**
   * Redis 6 sends how long the key will live, not when it ends. So the computed end is later than the real one, by as
   * long as the effect took to arrive.
   */
  readonly isEndLate?: true;
};

export const NO_KEY: CopiedKey = { value: null, endsAtMs: null };

/**
 * The result of a write: the key after it, and Redis's key event for it (empty: nothing changed). `undefined`: the
 * write is not understood.
 */
type Written = { readonly key: CopiedKey; readonly event: string } | undefined;

/** Applies one write to one key. `name` is the command in capitals, `args` what follows the key. */
export function writeTo(key: CopiedKey, name: string, args: readonly string[], atMs: number): Written {
  const end = writeEnd(key, name, args, atMs);
  if (end) return end;
  const type = key.value?.type;
  const write = WRITES[name];
  if (!write || (type !== undefined && type !== write.type && !write.replaces)) return undefined;
  const value = write.to(key.value, args);
  if (value === undefined) return undefined;
  const isSet = name === 'SET';
  const endsAtMs = isSet ? endOfSet(key, args, atMs) : write.replaces ? null : key.endsAtMs;
  if (endsAtMs === undefined) return undefined;
  if (isEmpty(value)) return { key: NO_KEY, event: key.value === null ? '' : write.event };
  const isLate = isSet ? args.some((word) => /^[PE]X$/i.test(word)) : key.isEndLate === true;
  return { key: { value, endsAtMs, ...lateIf(isLate && endsAtMs !== null) }, event: write.event };
}

/**
 * The result of a command that sets or removes the end of a key; `undefined` for any other command. Redis 7 and later
 * send the end as an instant, Redis 6 as a time from now.
 */
function writeEnd(key: CopiedKey, name: string, args: readonly string[], atMs: number): Written {
  if (!(name in ENDS) && name !== 'PERSIST') return undefined;
  if (key.value === null) return { key, event: '' };
  if (name === 'PERSIST') return { key: { ...key, endsAtMs: null }, event: 'persist' };
  const endsAtMs = ENDS[name]?.(Number(args[0]), atMs) ?? Number.NaN;
  if (!Number.isFinite(endsAtMs)) return undefined;
  return { key: { value: key.value, endsAtMs, ...lateIf(name in FROM_NOW) }, event: 'expire' };
}

const ENDS: Readonly<Record<string, (number: number, atMs: number) => number>> = {
  PEXPIREAT: (ms) => ms,
  EXPIREAT: (seconds) => seconds * 1000,
  PEXPIRE: (ms, at) => at + ms,
  EXPIRE: (seconds, at) => at + seconds * 1000,
};

/** The commands with a time from now on. */
const FROM_NOW: Readonly<Record<string, true>> = { PEXPIRE: true, EXPIRE: true };

function lateIf(isLate: boolean): { isEndLate?: true } {
  return isLate ? { isEndLate: true } : {};
}

const SET_ENDS: Readonly<Record<string, string>> = { PXAT: 'PEXPIREAT', EXAT: 'EXPIREAT', PX: 'PEXPIRE', EX: 'EXPIRE' };

/** The end that a SET gives its key; `undefined` if an option is not understood. */
function endOfSet(key: CopiedKey, [, ...options]: readonly string[], atMs: number): number | null | undefined {
  let endsAtMs: number | null = null;
  for (let n = 0; n < options.length; n++) {
    const option = (options[n] ?? '').toUpperCase();
    const rule = ENDS[SET_ENDS[option] ?? ''];
    if (rule) endsAtMs = rule(Number(options[++n]), atMs);
    else if (option === 'KEEPTTL') endsAtMs = key.endsAtMs;
    else if (option !== 'NX' && option !== 'XX' && option !== 'GET') return undefined;
  }
  return endsAtMs;
}

type Value = CopiedValue | null;
type Write = {
  readonly type: CopiedValue['type'];
  readonly event: string;
  /** The command replaces a key of any type, and its end. */
  readonly replaces?: true;
  to(value: Value, args: readonly string[]): CopiedValue | undefined;
};

const WRITES: Readonly<Record<string, Write>> = {
  HSET: { type: 'hash', event: 'hset', to: setFields },
  HMSET: { type: 'hash', event: 'hset', to: setFields },
  HINCRBY: { type: 'hash', event: 'hincrby', to: addToField },
  HDEL: { type: 'hash', event: 'hdel', to: dropFields },
  SET: { type: 'string', event: 'set', replaces: true, to: (_, [text]) => stringOf(text) },
  INCR: { type: 'string', event: 'incrby', to: (value) => addTo(value, 1) },
  DECR: { type: 'string', event: 'decrby', to: (value) => addTo(value, -1) },
  INCRBY: { type: 'string', event: 'incrby', to: (value, [by]) => addTo(value, Number(by)) },
  DECRBY: { type: 'string', event: 'decrby', to: (value, [by]) => addTo(value, -Number(by)) },
  RPUSH: { type: 'list', event: 'rpush', to: (value, items) => listOf([...itemsOf(value), ...items]) },
  LPUSH: { type: 'list', event: 'lpush', to: (value, items) => listOf([...items.toReversed(), ...itemsOf(value)]) },
  LPOP: { type: 'list', event: 'lpop', to: (value, [count = '1']) => listOf(itemsOf(value).slice(Number(count))) },
  RPOP: { type: 'list', event: 'rpop', to: (value, [count = '1']) => popped(value, Number(count)) },
  LREM: { type: 'list', event: 'lrem', to: dropItems },
  ZADD: { type: 'zset', event: 'zadd', to: setScores },
  ZREM: { type: 'zset', event: 'zrem', to: dropMembers },
  ZINCRBY: { type: 'zset', event: 'zincr', to: addToScore },
};

function isEmpty(value: CopiedValue): boolean {
  switch (value.type) {
    case 'hash':
      return value.fields.size === 0;
    case 'list':
      return value.items.length === 0;
    case 'zset':
      return value.scores.size === 0;
    case 'string':
      return false; // a string may be empty
  }
}

function fieldsOf(value: Value): Map<string, string> {
  return new Map(value?.type === 'hash' ? value.fields : []);
}

function setFields(value: Value, args: readonly string[]): CopiedValue | undefined {
  if (args.length % 2 !== 0) return undefined;
  const fields = fieldsOf(value);
  for (let n = 0; n + 1 < args.length; n += 2) fields.set(args[n] ?? '', args[n + 1] ?? '');
  return { type: 'hash', fields };
}

function addToField(value: Value, [field = '', by]: readonly string[]): CopiedValue | undefined {
  const fields = fieldsOf(value);
  const sum = Number(fields.get(field) ?? 0) + Number(by);
  if (!Number.isSafeInteger(sum)) return undefined;
  fields.set(field, String(sum));
  return { type: 'hash', fields };
}

function dropFields(value: Value, args: readonly string[]): CopiedValue {
  const fields = fieldsOf(value);
  for (const field of args) fields.delete(field);
  return { type: 'hash', fields };
}

function stringOf(text: string | undefined): CopiedValue | undefined {
  return text === undefined ? undefined : { type: 'string', text };
}

function addTo(value: Value, by: number): CopiedValue | undefined {
  const sum = Number(value?.type === 'string' ? value.text : 0) + by;
  return Number.isSafeInteger(sum) ? { type: 'string', text: String(sum) } : undefined;
}

function itemsOf(value: Value): readonly string[] {
  return value?.type === 'list' ? value.items : [];
}

function listOf(items: readonly string[]): CopiedValue {
  return { type: 'list', items };
}

function popped(value: Value, count: number): CopiedValue {
  const items = itemsOf(value);
  return listOf(items.slice(0, Math.max(0, items.length - count)));
}

/** LREM: `count` from the head, `-count` from the tail, or all if it is 0. */
function dropItems(value: Value, [number, item]: readonly string[]): CopiedValue | undefined {
  const count = Number(number);
  if (!Number.isInteger(count)) return undefined;
  let left = count === 0 ? Number.POSITIVE_INFINITY : Math.abs(count);
  const isKept = (each: string) => each !== item || left-- <= 0;
  const items = itemsOf(value);
  return listOf(count < 0 ? items.toReversed().filter(isKept).reverse() : items.filter(isKept));
}

function scoresOf(value: Value): Map<string, number> {
  return new Map(value?.type === 'zset' ? value.scores : []);
}

/** ZADD without options: a member gets this score, whatever it had. */
function setScores(value: Value, args: readonly string[]): CopiedValue | undefined {
  const scores = scoresOf(value);
  for (let n = 0; n < args.length; n += 2) {
    const score = Number(args[n]);
    const member = args[n + 1];
    if (Number.isNaN(score) || member === undefined) return undefined;
    scores.set(member, score);
  }
  return { type: 'zset', scores };
}

function dropMembers(value: Value, args: readonly string[]): CopiedValue {
  const scores = scoresOf(value);
  for (const member of args) scores.delete(member);
  return { type: 'zset', scores };
}

function addToScore(value: Value, [by, member]: readonly string[]): CopiedValue | undefined {
  const scores = scoresOf(value);
  if (member === undefined || Number.isNaN(Number(by))) return undefined;
  scores.set(member, (scores.get(member) ?? 0) + Number(by));
  return { type: 'zset', scores };
}
