import { binaryFromText, textFromBinary } from '../../shared/base/bytes-text.ts';
import { lockChannel } from '../../shared/events/names.ts';
import type { Companion } from '../../shared/events/recognise/family.ts';
import type { KeyRead } from '../../shared/signals/signal.ts';
import { RedisError, type Reply } from './resp-scanner.ts';

/** A key to read, and whether a key event said that it just changed. */
export type KeyToRead = {
  readonly db: number;
  readonly name: string;
  readonly hasChanged: boolean;
  /** Where its waiters listen; absent: where those of a plain lock do. */
  readonly channel?: string;
  /** Keys beside it that are read with it. */
  readonly companions?: readonly Companion[];
};

/** Every Redis key that reading this one touches. */
export function namesOf({ name, companions = [] }: KeyToRead): string[] {
  return [name, ...companions.map(({ keyOf }) => keyOf(name))];
}

/** The same reads without what stands beside the keys; undefined where nothing does. */
export function withoutCompanions(keys: readonly KeyToRead[]): KeyToRead[] | undefined {
  if (!keys.some(({ companions }) => companions && companions.length > 0)) return undefined;
  return keys.map(({ companions: _, ...key }) => key);
}

/** How much is read of a list or sorted set: the head of a queue tells most. */
const MOST_ITEMS = 1000;
/** How much is read of a string: a number is not longer, nor a token. */
const MOST_CHARACTERS = 160;

const COMMANDS_PER_KEY = 4;

/**
 * One atomic read of some keys of one database, as commands. ECHO stands last: in MONITOR its line is the bookmark,
 * after everything the reads themselves caused (reading an expired key makes Redis say `expired`).
 *
 * A user who may not count listeners is not asked to: one refused command would undo the whole read. Its place is
 * taken by a second TYPE, which counts nobody.
 */
export function readCommands(
  db: number,
  keys: readonly KeyToRead[],
  token: string,
  canCountListeners: boolean,
): string[][] {
  const commands = [['MULTI'], ['SELECT', String(db)]];
  for (const key of keys) {
    const name = binaryFromText(key.name);
    commands.push(
      ['TYPE', name],
      ['HGETALL', name],
      ['PTTL', name],
      canCountListeners ? ['PUBSUB', 'NUMSUB', binaryFromText(key.channel ?? lockChannel(key.name))] : ['TYPE', name],
      ...(key.companions ?? []).map((companion) => companionCommand(companion, key.name)),
    );
  }
  commands.push(['TIME'], ['ECHO', token], ['EXEC']);
  return commands;
}

/** What `readCommands` found: the reads and the server's time (µs); undefined when Redis refused. */
export function readsFromReplies(
  keys: readonly KeyToRead[],
  replies: readonly Reply[],
): { reads: KeyRead[]; at: number } | undefined {
  const results = replies.at(-1);
  if (!Array.isArray(results)) return undefined;
  const [, ...values] = results; // SELECT
  let from = 0;
  const reads = keys.map((key) => {
    const to = from + COMMANDS_PER_KEY + (key.companions?.length ?? 0);
    const read = readOf(key, values.slice(from, to));
    from = to;
    return read;
  });
  const time = values[from];
  return { reads, at: microsFromTime(time ?? null) };
}

function companionCommand({ type, keyOf }: Companion, lock: string): string[] {
  const key = binaryFromText(keyOf(lock));
  switch (type) {
    case 'list':
      return ['LRANGE', key, '0', String(MOST_ITEMS - 1)];
    case 'zset':
      return ['ZRANGE', key, '0', String(MOST_ITEMS - 1), 'WITHSCORES'];
    case 'string':
      return ['GETRANGE', key, '0', String(MOST_CHARACTERS - 1)];
  }
}

function readOf(key: KeyToRead, [type, fields, pttl, numsub, ...beside]: readonly Reply[]): KeyRead {
  const { db, name, hasChanged, channel, companions = [] } = key;
  const found = companions.flatMap(({ role }, index) => {
    const values = valuesFrom(beside[index] ?? null);
    return values ? [[role, values] as const] : [];
  });
  return {
    db,
    name,
    hasChanged,
    ...(found.length > 0 ? { companions: Object.fromEntries(found) } : {}),
    type: type === undefined || type instanceof RedisError ? 'none' : String(type),
    fields: Array.isArray(fields) ? fieldsFrom(fields) : {},
    pttl: typeof pttl === 'number' ? pttl : -2,
    ...(channel === undefined || channel === lockChannel(name) ? {} : { channel }),
    subscribers: Array.isArray(numsub) && typeof numsub[1] === 'number' ? numsub[1] : null,
  };
}

/** What a companion held, as text; undefined where it is of another type. Of RESP3 scores come in pairs, as numbers. */
function valuesFrom(reply: Reply): string[] | undefined {
  if (reply instanceof RedisError || reply === null) return undefined;
  if (Array.isArray(reply)) return reply.flat().map((item) => textFromBinary(String(item)));
  return reply === '' ? [] : [textFromBinary(String(reply))];
}

/** Fields and values of a hash as text. */
export function fieldsFrom(flat: readonly Reply[]): Record<string, string> {
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
