import { byName } from '../../../shared/base/by-name.ts';
import { textFromBinary } from '../../../shared/base/bytes-text.ts';
import type { ServerRole } from '../../../shared/base/server-role.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import { libraryWords } from '../../../shared/events/apply/reads/token-reads.ts';
import { tokenLockFrom } from '../../../shared/events/libraries/token-found.ts';
import { lockChannel } from '../../../shared/events/names/names.ts';
import type { KeyRead } from '../../../shared/signals/signal.ts';
import { fieldsFromInfo, roleFromFields } from '../connection/info-fields.ts';
import { placeFromInfo } from '../connection/replication-state.ts';
import { isTooLong, RedisError, type Reply, TooLong } from '../connection/reply.ts';
import { asksForReplication, commandsPerKey, type KeyToRead, type ReadAbilities } from './key-reads.ts';

/** Returns what a read found, with each TTL as of the read's place in the stream. */
export type ReadsAt = (at: RedisTime) => KeyRead[];

/**
 * What a read found, the server's time (`at`, in µs; 0: TIME was refused), and the keys whose content was too long to
 * be kept.
 */
type Found = {
  readonly readsAt: ReadsAt;
  readonly at: number;
  readonly tooLong: readonly KeyToRead[];
  /**
   * Set if the server's role has changed: then the data may be that of another server, and `readsAt` returns no reads.
   */
  readonly newRole?: ServerRole;
  /** The replication offset of the read, if the read asked for INFO and the server shows its offset. */
  readonly offset?: number | undefined;
};

/**
 * Reads the replies to `readCommands`; `undefined` if Redis refused the read. `setBack` is added to the server's times,
 * in µs.
 */
export function readsFromReplies(
  keys: readonly KeyToRead[],
  replies: readonly Reply[],
  abilities: ReadAbilities,
  setBack = 0,
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
  const info = asksForReplication(keys, abilities) ? values[from++] : undefined;
  const newRole = newRoleFrom(roleFromFields(fieldsFromInfo(info)), abilities);
  const time = values[from];
  const timeFrom = (reply: Reply = null) => {
    const micros = microsFromTime(reply);
    return micros > 0 ? micros + setBack : 0;
  };
  const tooLong = answers.filter(({ found }) => isTooLong(found)).map(({ key }) => key);
  // A hash too long to keep shows nothing about the key.
  const reads = answers
    .filter(({ found }) => !isTooLong(found[1]))
    .map(({ key, found }) => ({ read: readOf(key, found, abilities), askedAt: timeFrom(found[2]) }));
  const readsAt: ReadsAt = (at) =>
    newRole ? [] : reads.map(({ read, askedAt }) => ({ ...read, pttl: leftAt(at, read.pttl, askedAt) }));
  const shown = { readsAt, at: timeFrom(time), tooLong, offset: placeFromInfo(info)?.offset };
  return newRole ? { ...shown, newRole } : shown;
}

/**
 * The server's role if it changed. A master that became a replica gets its new master's data, which may be older, while
 * its clients stay connected for a moment. In a cluster, such a server names its new master for every key, as if all
 * keys had moved.
 */
function newRoleFrom(now: ServerRole | undefined, { role = 'master' }: ReadAbilities): ServerRole | undefined {
  return now === role ? undefined : now;
}

/** The TTL of a lease at a place of the stream, from the TTL that the server reported at another time. In ms. */
function leftAt(at: RedisTime, pttl: number, askedAt: number): number {
  return pttl < 0 || askedAt === 0 ? pttl : Math.max(0, Math.round(pttl - (at - askedAt) / 1000));
}

/**
 * The same keys with the server that has them now; `undefined` if the asked server did not name one. All keys of a read
 * are in one slot, so one answer is enough. If the answer names only a port, the host is the one that was asked.
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
  const { db, name, channel, companions = [], movedTo, isNowhere } = key;
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
    ...(isNowhere && type === 'none' ? { isNowhere } : {}),
    fields: Array.isArray(fields) ? fieldsFrom(fields) : {},
    pttl: typeof pttl === 'number' ? pttl : -2,
    ...(channel === undefined || channel === lockChannel(name) ? {} : { channel }),
    subscribers: isSharded ? sumOf(countIn(numsub), countIn(more[0])) : countIn(numsub),
  };
}

/** The number of listeners in a reply to PUBSUB NUMSUB; null if the command was not sent, or was refused. */
function countIn(numsub: Reply | undefined): number | null {
  return Array.isArray(numsub) && typeof numsub[1] === 'number' ? numsub[1] : null;
}

function sumOf(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0);
}

/**
 * The content of a companion, as text; `undefined` if it has another type, or was too long. In RESP3, scores come in
 * pairs, as numbers. For a key that does not exist, the reply is empty or a length of 0.
 */
function valuesFrom(reply: Reply): readonly string[] | undefined {
  if (reply instanceof RedisError || reply === null || isTooLong(reply)) return undefined;
  if (reply === '' || reply === 0) return NOTHING;
  if (!Array.isArray(reply)) return [textFromBinary(String(reply))];
  return reply.length === 0 ? NOTHING : reply.flat().map((item) => textFromBinary(String(item)));
}

/** One empty list for all reads: most locks have no companions, and reads are kept behind their events. */
const NOTHING: readonly string[] = [];

/** Fields and values of a hash as text. */
function fieldsFrom(flat: readonly Reply[]): Record<string, string> {
  const fields = byName<string>();
  for (let i = 0; i + 1 < flat.length; i += 2)
    fields[textFromBinary(String(flat[i]))] = textFromBinary(String(flat[i + 1]));
  return fields;
}

/** The time in a reply to TIME, in µs; 0 if TIME was refused or the reply is not a time. */
export function microsFromTime(reply: Reply): number {
  if (!Array.isArray(reply)) return 0;
  const micros = Number(reply[0]) * 1_000_000 + Number(reply[1]);
  return Number.isSafeInteger(micros) ? micros : 0;
}
