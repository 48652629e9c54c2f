import { binaryFromText } from '../../../shared/base/bytes-text.ts';
import type { ServerRole } from '../../../shared/base/server-role.ts';
import type { Companion } from '../../../shared/events/kinds/companion.ts';
import { lockChannel } from '../../../shared/events/names/names.ts';
import { MOST_ITEMS } from './key-sizes.ts';

export type KeyToRead = {
  readonly db: number;
  readonly name: string;
  /** The channel of the waiters; absent: the channel of a plain lock. */
  readonly channel?: string;
  /** Set if a string was found that looks like a lock: it is read as one. `isNamed`: the user asked for such names. */
  readonly string?: { readonly isNamed: boolean };
  readonly companions?: readonly Companion[];
  /** The server that has the key now, as the asked server reported. The key is not read here again. */
  readonly movedTo?: string;
  /** Every database was searched, and none has a key of this name. */
  readonly isNowhere?: true;
  /** How many bytes the reply will have, if that is known. */
  readonly bytes?: number;
};

/** What a read may ask the server for besides the keys, and the role that the server should have. */
export type ReadAbilities = {
  readonly canCountListeners: boolean;
  /** Messages may be sent with SPUBLISH. */
  readonly isSharded: boolean;
  /** The read reports its replication offset, which is its place among the effects. */
  readonly hasOffset?: boolean;
  /** INFO is allowed. */
  readonly showsRole?: boolean;
  /** The role that the server had when the connection began; absent: master. */
  readonly role?: ServerRole;
};

/** Every Redis key that is read for this one. */
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

/**
 * Splits keys, in their order, into reads within the bounds. A key that is above a bound alone has a read for itself.
 */
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

/** How many characters of a string are read: a longer value is neither taken for a number nor for a token. */
const MOST_CHARACTERS = 160;

const COMMANDS_PER_KEY = 5;

/** How many replies the reply to EXEC has for one key. */
export function commandsPerKey({ companions = [], movedTo }: KeyToRead, { isSharded }: ReadAbilities): number {
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
      ...(abilities.isSharded
        ? [abilities.canCountListeners ? ['PUBSUB', 'SHARDNUMSUB', channel] : ['TYPE', name]]
        : []),
      ...(key.companions ?? []).flatMap((companion) => companionCommands(companion, key.name)),
    );
  }
  if (asksForReplication(keys, abilities)) commands.push(['INFO', 'replication']);
  commands.push(['TIME'], ['ECHO', token], ['EXEC']);
  return commands;
}

/** Whether the read also asks for this server's role, because another server has some of the keys. */
function hasMoved(keys: readonly KeyToRead[]): boolean {
  return keys.some(({ movedTo }) => movedTo !== undefined);
}

/** Whether the reply contains INFO about replication: 1.5 µs of Redis's time. */
export function asksForReplication(keys: readonly KeyToRead[], { hasOffset, showsRole }: ReadAbilities): boolean {
  return hasOffset === true || showsRole === true || hasMoved(keys);
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
