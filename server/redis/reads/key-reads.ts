import { binaryFromText, textFromBinary } from '../../../shared/base/bytes-text.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import { libraryWords } from '../../../shared/events/apply/reads/token-reads.ts';
import type { Companion } from '../../../shared/events/kinds/companion.ts';
import { lockChannel } from '../../../shared/events/names/names.ts';
import { tokenLockFrom } from '../../../shared/events/recognise/token-found.ts';
import type { KeyRead } from '../../../shared/signals/signal.ts';
import { isTooLong, RedisError, type Reply, TooLong } from '../stream/reply.ts';
import { MOST_ITEMS } from './key-sizes.ts';

/** A key to read. */
export type KeyToRead = {
  readonly db: number;
  readonly name: string;
  /** The channel of its waiters; absent: the channel of a plain lock. */
  readonly channel?: string;
  /** Set if a string was found that looks like a lock: it is read as one. `isNamed`: the user asked for such names. */
  readonly string?: { readonly isNamed: boolean };
  /** Companion keys that are read with it. */
  readonly companions?: readonly Companion[];
  /** The server that has it now, as the asked server reported. It is not read here again. */
  readonly movedTo?: string;
  /** How many bytes reading it brings, if that is known. */
  readonly bytes?: number;
};

/** What a server can be asked, apart from the keys. */
export type ReadAbilities = {
  readonly canCountListeners: boolean;
  /** Messages may be sent with SPUBLISH. */
  readonly isSharded: boolean;
};

/** Every Redis key that reading this one touches. */
export function namesOf({ name, companions = [] }: KeyToRead): string[] {
  return [name, ...companions.map(({ keyOf }) => keyOf(name))];
}

/** The same keys without their companions; `undefined` if they have no companions. */
export function withoutCompanions(keys: readonly KeyToRead[]): KeyToRead[] | undefined {
  if (!keys.some(({ companions }) => companions && companions.length > 0)) return undefined;
  return keys.map(({ companions: _, ...key }) => key);
}

/** Bounds of one read: Redis does nothing else meanwhile, and MONITOR writes each name for each command. */
const KEYS_PER_READ = 50;
const CHARACTERS_PER_READ = 100_000;

/** Splits keys, in their order, into reads that are within the bounds. */
export function inReads(keys: readonly KeyToRead[]): KeyToRead[][] {
  const reads: KeyToRead[][] = [];
  let characters = 0;
  for (const key of keys) {
    const last = reads.at(-1);
    const own = key.name.length + (key.bytes ?? 0);
    characters += own;
    if (last && last.length < KEYS_PER_READ && characters <= CHARACTERS_PER_READ) last.push(key);
    else {
      reads.push([key]);
      characters = own;
    }
  }
  return reads;
}

/** How many characters of a string are read: no number or token is longer. */
const MOST_CHARACTERS = 160;

const COMMANDS_PER_KEY = 5;

function commandsPerKey({ companions = [], movedTo }: KeyToRead, { isSharded }: ReadAbilities): number {
  if (movedTo !== undefined) return 0;
  const beside = companions.reduce((sum, { lengthRole }) => sum + (lengthRole === undefined ? 1 : 2), 0);
  return COMMANDS_PER_KEY + (isSharded ? 1 : 0) + beside;
}

/**
 * One atomic read of some keys of one database, as commands. ECHO is last: its line in MONITOR is the bookmark, after
 * everything that the reads themselves caused (reading an expired key makes Redis publish `expired`).
 *
 * If the user may not count listeners, a second TYPE replaces that command: one refused command would undo the whole
 * read.
 *
 * TIME comes before each PTTL, since a read with names of a megabyte takes a while. The TTL counts from the moment of
 * PTTL (Redis 6, 7.0) or from the beginning of the read (7.2 and later); this TIME shows the same moment.
 */
export function readCommands(
  db: number,
  keys: readonly KeyToRead[],
  token: string,
  abilities: ReadAbilities,
): string[][] {
  const commands = [['MULTI'], ['SELECT', String(db)]];
  for (const key of keys) {
    if (key.movedTo !== undefined) continue;
    const name = binaryFromText(key.name);
    const channel = binaryFromText(key.channel ?? lockChannel(key.name));
    commands.push(
      ['TYPE', name],
      ['HGETALL', name],
      ['TIME'],
      ['PTTL', name],
      abilities.canCountListeners ? ['PUBSUB', 'NUMSUB', channel] : ['TYPE', name],
      ...(abilities.isSharded ? [['PUBSUB', 'SHARDNUMSUB', channel]] : []),
      ...(key.companions ?? []).flatMap((companion) => companionCommands(companion, key.name)),
    );
  }
  if (hasMoved(keys)) commands.push(['INFO', 'replication']);
  commands.push(['TIME'], ['ECHO', token], ['EXEC']);
  return commands;
}

function hasMoved(keys: readonly KeyToRead[]): boolean {
  return keys.some(({ movedTo }) => movedTo !== undefined);
}

/** Returns what a read found, with each TTL as of the read's place in the stream. */
export type ReadsAt = (at: RedisTime) => KeyRead[];

/** What a read found, the server's time (µs), and the keys whose content was too long to be kept. */
export type Found = { readonly readsAt: ReadsAt; readonly at: number; readonly tooLong: readonly KeyToRead[] };

/** Reads the replies to `readCommands`; `undefined` if Redis refused the read. */
export function readsFromReplies(
  keys: readonly KeyToRead[],
  replies: readonly Reply[],
  abilities: ReadAbilities,
): Found | undefined {
  const results = replies.at(-1);
  if (results instanceof TooLong) return { readsAt: () => [], at: 0, tooLong: keys };
  if (!Array.isArray(results)) return undefined;
  const [, ...values] = results; // SELECT
  let from = 0;
  const answers = keys.map((key) => {
    const to = from + commandsPerKey(key, abilities);
    const found = values.slice(from, to);
    from = to;
    return { key, found };
  });
  // A server that has become a replica names its master for every key: nothing has moved, there was a failover.
  const isCopy = hasMoved(keys) && /^role:slave/m.test(String(values[from++]));
  const time = values[from];
  const tooLong = answers.filter(({ found }) => isTooLong(found)).map(({ key }) => key);
  // A hash too long to keep shows nothing about the key.
  const reads = answers
    .filter(({ found }) => !isTooLong(found[1]))
    .map(({ key, found }) => ({ read: readOf(key, found, abilities), askedAt: microsFromTime(found[2] ?? null) }));
  const readsAt: ReadsAt = (at) =>
    isCopy ? [] : reads.map(({ read, askedAt }) => ({ ...read, pttl: leftAt(at, read.pttl, askedAt) }));
  return { readsAt, at: microsFromTime(time ?? null), tooLong };
}

/** The TTL of a lease at a place of the stream, from the TTL that the server reported at another time. In ms. */
function leftAt(at: RedisTime, pttl: number, askedAt: number): number {
  return pttl < 0 || askedAt === 0 ? pttl : Math.max(0, Math.round(pttl - (at - askedAt) / 1000));
}

/** Commands that read a companion key and, if that is wanted, its number of items. */
function companionCommands({ type, lengthRole, keyOf }: Companion, lock: string): string[][] {
  const key = binaryFromText(keyOf(lock));
  const last = String(MOST_ITEMS - 1);
  const length = (command: string) => (lengthRole === undefined ? [] : [[command, key]]);
  switch (type) {
    case 'list':
      return [['LRANGE', key, '0', last], ...length('LLEN')];
    case 'zset':
      return [['ZRANGE', key, '0', last, 'WITHSCORES'], ...length('ZCARD')];
    case 'string':
      return [['GETRANGE', key, '0', String(MOST_CHARACTERS - 1)], ...length('STRLEN')];
  }
}

/**
 * The same keys with the server that has them now; `undefined` if the asked server did not name one. All keys of a read
 * are in one slot, so one answer is enough. If it has only a port, that is on the host that was asked.
 */
export function movedAway(
  keys: readonly KeyToRead[],
  replies: readonly Reply[],
  host: string,
): KeyToRead[] | undefined {
  for (const reply of replies) {
    const [, node] = reply instanceof RedisError ? (/^(?:MOVED|ASK) \d+ (\S*)/.exec(reply.message) ?? []) : [];
    if (node === undefined) continue;
    const movedTo = node.replace(/^\??(?=:\d+$)/, host.includes(':') ? `[${host}]` : host);
    return keys.map((key) => ({ ...key, movedTo }));
  }
  return undefined;
}

function readOf(key: KeyToRead, replies: readonly Reply[], { isSharded }: ReadAbilities): KeyRead {
  const [type, fields, , pttl, numsub, ...more] = replies;
  const beside = isSharded ? more.slice(1) : more;
  const { db, name, channel, companions = [], movedTo } = key;
  if (movedTo !== undefined) {
    return { db, name, type: 'none', fields: {}, pttl: -2, hasChanged: false, subscribers: null, movedTo };
  }
  const roles = companions.flatMap(({ role, lengthRole }) => (lengthRole === undefined ? [role] : [role, lengthRole]));
  const found = roles.flatMap((role, index) => {
    const values = valuesFrom(beside[index] ?? null);
    return values ? [[role, values] as const] : [];
  });
  const [token] = found.find(([role]) => role === 'token')?.[1] ?? [];
  if (key.string && token !== undefined) {
    const lock = tokenLockFrom(name, token, typeof pttl === 'number' && pttl >= 0, key.string.isNamed);
    if (lock) found.push(['library', libraryWords(lock)]);
  }
  return {
    db,
    name,
    hasChanged: false,
    ...(found.length > 0 ? { companions: Object.fromEntries(found) } : {}),
    type: type === undefined || type instanceof RedisError ? 'none' : String(type),
    fields: Array.isArray(fields) ? fieldsFrom(fields) : {},
    pttl: typeof pttl === 'number' ? pttl : -2,
    ...(channel === undefined || channel === lockChannel(name) ? {} : { channel }),
    subscribers: isSharded ? sumOf(countIn(numsub), countIn(more[0])) : countIn(numsub),
  };
}

/** The number of listeners in a reply to PUBSUB NUMSUB; null if it was not asked. */
function countIn(numsub: Reply | undefined): number | null {
  return Array.isArray(numsub) && typeof numsub[1] === 'number' ? numsub[1] : null;
}

function sumOf(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0);
}

/**
 * The content of a companion, as text; `undefined` if it has another type. In RESP3, scores come in pairs, as numbers.
 * For a key that does not exist, the reply is empty or a length of 0.
 */
function valuesFrom(reply: Reply): string[] | undefined {
  if (reply instanceof RedisError || reply === null || isTooLong(reply)) return undefined;
  if (Array.isArray(reply)) return reply.flat().map((item) => textFromBinary(String(item)));
  return reply === '' || reply === 0 ? [] : [textFromBinary(String(reply))];
}

/** Fields and values of a hash as text. */
function fieldsFrom(flat: readonly Reply[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let i = 0; i + 1 < flat.length; i += 2)
    fields[textFromBinary(String(flat[i]))] = textFromBinary(String(flat[i + 1]));
  return fields;
}

/** TIME's reply in µs; 0 when it was refused. */
export function microsFromTime(reply: Reply): number {
  if (!Array.isArray(reply)) return 0;
  return Number(reply[0]) * 1_000_000 + Number(reply[1]);
}
