import { fieldsIn, itemsIn, type Look, scoresIn, textIn } from './read-commands.ts';
import { OK, type Reply, Score } from './reply.ts';

/**
 * The replies to commands that change a key, computed before the change. `events` is how many key events the change
 * has. `RedisModel` makes the change itself.
 */
export const WRITERS: Readonly<Record<string, (look: Look, events: number) => Reply>> = {
  hset: ({ key, rest }) => rest.filter((field, n) => n % 2 === 0 && !fieldsIn(key).has(field)).length,
  hincrby: ({ key, rest: [field = '', by] }) => Number(fieldsIn(key).get(field) ?? 0) + Number(by),
  hdel: ({ key, rest }) => rest.filter((field) => fieldsIn(key).has(field)).length,
  set: (_, events) => (events > 0 ? OK : null),
  incr: ({ key }) => Number(textIn(key) ?? 0) + 1,
  incrby: ({ key, rest: [by] }) => Number(textIn(key) ?? 0) + Number(by),
  decr: ({ key }) => Number(textIn(key) ?? 0) - 1,
  decrby: ({ key, rest: [by] }) => Number(textIn(key) ?? 0) - Number(by),
  del: (_, events) => events,
  unlink: (_, events) => events,
  pexpire: (_, events) => events,
  expire: (_, events) => events,
  pexpireat: (_, events) => events,
  persist: (_, events) => events,
  rpush: ({ key, rest }) => itemsIn(key).length + rest.length,
  lpop: ({ key }) => itemsIn(key)[0] ?? null,
  lrem: ({ key, rest: [, item] }) => itemsIn(key).filter((each) => each === item).length,
  zadd: ({ key, rest: [, member = ''] }) => (scoresIn(key).has(member) ? 0 : 1),
  zincrby: ({ key, rest: [by, member = ''] }) => new Score((scoresIn(key).get(member) ?? 0) + Number(by)),
  zrem: ({ key, rest }) => rest.filter((member) => scoresIn(key).has(member)).length,
};

/** Commands that take any number of keys. */
const OF_MANY_KEYS = new Set(['del', 'unlink']);

/** The keys of a command of `READERS` or `WRITERS`. */
export function keysOf(command: string, words: readonly string[]): readonly string[] {
  return OF_MANY_KEYS.has(command) ? words.slice(1) : words.slice(1, 2);
}

/** The flag of `notify-keyspace-events` that each key event needs. */
const CLASS_OF: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['hset', 'hincrby', 'hdel'].map((event) => [event, 'h'])),
  ...Object.fromEntries(['set', 'incrby'].map((event) => [event, '$'])),
  ...Object.fromEntries(['rpush', 'lpop', 'lrem'].map((event) => [event, 'l'])),
  ...Object.fromEntries(['zadd', 'zincr', 'zrem'].map((event) => [event, 'z'])),
  expired: 'x',
};

/** Whether the flags of `notify-keyspace-events` include this event: generic ones need `g`. */
export function isNotified(flags: string, event: string): boolean {
  return flags.includes('A') || flags.includes(CLASS_OF[event] ?? 'g');
}
