import type { Content, Key, RedisModel } from '../../../../testing/oracle/redis-model.ts';
import { Pairs, type Reply, Score, Status } from './reply.ts';

/** One command that reads a key, or looks at it before it is changed. */
export type Look = {
  readonly model: RedisModel;
  readonly db: number;
  readonly key: Key | undefined;
  /** The words after the name of the key. */
  readonly rest: readonly string[];
  /** The time of the server, in whole ms. */
  readonly nowMs: number;
};

type Reader = (look: Look) => Reply;

/** Commands whose first argument is a key, and which change nothing. */
export const READERS: Readonly<Record<string, Reader>> = {
  exists: ({ key }) => (key ? 1 : 0),
  type: ({ key }) => new Status(key?.content.type ?? 'none'),
  pttl: ({ key, nowMs }) => ttlOf(key, nowMs),
  ttl: ({ key, nowMs }) => Math.round(ttlOf(key, nowMs) / 1000),
  get: ({ key }) => textIn(key) ?? null,
  getrange: ({ key, rest: [first, last] }) => (textIn(key) ?? '').slice(Number(first), Number(last) + 1),
  strlen: ({ key }) => (textIn(key) ?? '').length,
  hget: ({ key, rest: [field = ''] }) => fieldsIn(key).get(field) ?? null,
  hexists: ({ key, rest: [field = ''] }) => (fieldsIn(key).has(field) ? 1 : 0),
  hlen: ({ key }) => fieldsIn(key).size,
  hkeys: ({ key }) => [...fieldsIn(key).keys()],
  hgetall: ({ key }) => new Pairs([...fieldsIn(key)].flat(), 'map'),
  hrandfield: ({ key }) => [...fieldsIn(key).keys()][0] ?? null,
  llen: ({ key }) => itemsIn(key).length,
  lindex: ({ key, rest: [place] }) => itemsIn(key).at(Number(place)) ?? null,
  lrange: ({ key, rest: [first, last] }) => part(itemsIn(key), first, last),
  zcard: ({ key }) => scoresIn(key).size,
  zscore: ({ key, rest: [member = ''] }) => scoreReply(scoresIn(key).get(member)),
  zrange: ({ key, rest: [first, last, ...options] }) => members(part(sorted(key), first, last), options),
  zrangebyscore: ({ key, rest: [least, most, ...options] }) => {
    const inside = sorted(key).filter(([, score]) => score >= bound(least) && score <= bound(most));
    const limit = options.findIndex((word) => /^limit$/i.test(word));
    const [from, count] = limit < 0 ? [0, inside.length] : [Number(options[limit + 1]), Number(options[limit + 2])];
    return members(inside.slice(from, from + count), options);
  },
};

/** About the size that Redis reports; nothing depends on the exact number. */
export function memoryOf(key: Key | undefined, name: string): number | null {
  if (!key) return null;
  return 56 + name.length + sizeOf(key.content);
}

function sizeOf(content: Content): number {
  switch (content.type) {
    case 'string':
      return content.text.length;
    case 'list':
      return content.items.reduce((sum, item) => sum + item.length + 11, 0);
    case 'hash':
      return [...content.fields].reduce((sum, [field, value]) => sum + field.length + value.length + 16, 0);
    case 'zset':
      return [...content.scores.keys()].reduce((sum, member) => sum + member.length + 24, 0);
  }
}

export function fieldsIn(key: Key | undefined): ReadonlyMap<string, string> {
  return key?.content.type === 'hash' ? key.content.fields : NO_FIELDS;
}

export function itemsIn(key: Key | undefined): readonly string[] {
  return key?.content.type === 'list' ? key.content.items : [];
}

export function scoresIn(key: Key | undefined): ReadonlyMap<string, number> {
  return key?.content.type === 'zset' ? key.content.scores : NO_SCORES;
}

export function textIn(key: Key | undefined): string | undefined {
  return key?.content.type === 'string' ? key.content.text : undefined;
}

const NO_FIELDS: ReadonlyMap<string, string> = new Map();
const NO_SCORES: ReadonlyMap<string, number> = new Map();

function ttlOf(key: Key | undefined, nowMs: number): number {
  if (!key) return -2;
  return key.expiresAt === null ? -1 : Math.max(0, key.expiresAt / 1000 - nowMs);
}

function sorted(key: Key | undefined): (readonly [string, number])[] {
  return [...scoresIn(key)].sort(([a, left], [b, right]) => left - right || (a < b ? -1 : 1));
}

function part<T>(items: readonly T[], first = '0', last = '-1'): T[] {
  const place = (index: string) => (Number(index) < 0 ? items.length + Number(index) : Number(index));
  return items.slice(Math.max(0, place(first)), place(last) + 1);
}

function members(found: readonly (readonly [string, number])[], options: readonly string[]): Reply {
  if (!options.some((word) => /^withscores$/i.test(word))) return found.map(([member]) => member);
  return new Pairs(
    found.flatMap(([member, score]) => [member, new Score(score)]),
    'list',
  );
}

function scoreReply(score: number | undefined): Reply {
  return score === undefined ? null : new Score(score);
}

function bound(text = ''): number {
  return Number(text.replace('inf', 'Infinity'));
}
