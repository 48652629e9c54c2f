import { binaryFromText, textFromBinary } from '../../../shared/base/bytes-text.ts';
import { hidesLocks, isRight, READING_RIGHTS, type Right } from '../../../shared/doctor/rights/rights.ts';
import { queueKey, timeoutsKey, tokenKey } from '../../../shared/events/names/names.ts';
import { outOfStep } from '../connection/connection-end.ts';
import { RedisError, type Reply } from '../connection/reply.ts';
import { steadyMs } from '../connection/surroundings.ts';
import type { RefusedRights } from './refused-rights.ts';
import { TRIED_KEY } from './rights-report.ts';

type Send = (commands: readonly (readonly string[])[]) => Promise<Reply[]>;

/**
 * How many steps of SCAN look for a key that may be read, how many keys each looks at, and how many of these it tries.
 */
const SEARCH_STEPS = 30;
const SEARCH_KEYS = 100;
const SEARCH_TRIES = 16;

/** One harmless use of each right: no key is changed, and usually the key that is read does not exist. */
const TRIES: Readonly<Record<Exclude<Right, 'multi' | 'readonly'>, (key: string, db: string) => string[]>> = {
  select: (_, db) => ['SELECT', db],
  time: () => ['TIME'],
  echo: () => ['ECHO', ''],
  // Outside MULTI, a permitted EXEC only fails.
  exec: () => ['EXEC'],
  type: (key) => ['TYPE', key],
  hlen: (key) => ['HLEN', key],
  hgetall: (key) => ['HGETALL', key],
  pttl: (key) => ['PTTL', key],
  // MATCH keeps names out of the reply: a name may have a megabyte.
  scan: () => ['SCAN', '0', 'MATCH', TRIED_KEY, 'COUNT', '1'],
  hkeys: (key) => ['HKEYS', key],
  hrandfield: (key) => ['HRANDFIELD', key],
  hscan: (key) => ['HSCAN', key, '0', 'COUNT', '1'],
  info: () => ['INFO', 'keyspace'],
  getrange: (key) => ['GETRANGE', companionOf(tokenKey, key), '0', '0'],
  lrange: (key) => ['LRANGE', companionOf(queueKey, key), '0', '0'],
  llen: (key) => ['LLEN', companionOf(queueKey, key)],
  zrange: (key) => ['ZRANGE', companionOf(timeoutsKey, key), '0', '0'],
  zcard: (key) => ['ZCARD', companionOf(timeoutsKey, key)],
  'memory|usage': (key) => ['MEMORY', 'USAGE', key],
  'pubsub|channels': () => ['PUBSUB', 'CHANNELS', TRIED_KEY],
  'pubsub|shardchannels': () => ['PUBSUB', 'SHARDCHANNELS', TRIED_KEY],
  'pubsub|numsub': () => ['PUBSUB', 'NUMSUB'],
  'pubsub|shardnumsub': () => ['PUBSUB', 'SHARDNUMSUB'],
  'client|list': () => ['CLIENT', 'LIST', 'ID', '0'],
  dbsize: () => ['DBSIZE'],
  'config|get': () => ['CONFIG', 'GET', 'notify-keyspace-events'],
};

/** Not tried at the start: PUBSUB CHANNELS walks through every channel, and the other commands are sent soon anyway. */
const NOT_AT_START: ReadonlySet<Right> = new Set([
  ...(['pubsub|channels', 'pubsub|shardchannels', 'pubsub|numsub', 'pubsub|shardnumsub', 'config|get'] as const),
]);

/**
 * Tries at the start of a connection what reading needs: about 25 short commands, most of them outside a transaction.
 * The caller passes each reply on to `rights`. `match`: the names that are watched; empty: all names. If EXEC is
 * refused, the connection is of no further use.
 */
export async function tryReads(
  send: Send,
  rights: RefusedRights,
  { db, match }: { readonly db: number; readonly match: readonly string[] },
): Promise<void> {
  const names = match.length === 0 ? [TRIED_KEY] : match.map(nameFromGlob).map(binaryFromText);
  const [first = TRIED_KEY] = names;
  const { keys } = rights;
  const known = [...names.slice(1), ...(keys.readable === undefined ? [] : [keys.readable])];
  const [user] = await send([
    ['ACL', 'WHOAMI'],
    ...allTries(first, db)
      .filter(([right]) => !NOT_AT_START.has(right))
      .map(([, words]) => words),
    ...rights.triesOfSamples,
    ...known.map(readOf),
  ]);
  if (typeof user === 'string') rights.user = user;
  await tryTransaction(send, rights.mayRun('exec'));
  if (!keys.isLimited) return;
  await send(names.filter((name) => rights.mayRead(name)).map(readOf));
  if (keys.readable === undefined && rights.mayRun('scan')) await searchReadable(send, rights);
}

/**
 * Tries MULTI and EXEC. If a proxy does not answer MULTI, the error of EXEC takes the place of that answer, and no
 * reply would follow for the last command. So the connection is then given up.
 */
async function tryTransaction(send: Send, mayExec: boolean): Promise<void> {
  const began = send([['MULTI']]);
  const ended = mayExec ? send([['EXEC']]) : undefined;
  ended?.catch(() => undefined); // awaited below, unless the connection ends first
  const [multi] = await began;
  if (multi instanceof RedisError && /EXEC without MULTI/i.test(multi.message)) throw outOfStep();
  await ended;
}

/** Looks at some keys that exist, until one may be read. */
async function searchReadable(send: Send, { keys }: RefusedRights): Promise<void> {
  let cursor = '0';
  for (let step = 0; step < SEARCH_STEPS && keys.readable === undefined; step++) {
    const [reply] = await send([['SCAN', cursor, 'COUNT', String(SEARCH_KEYS)]]);
    if (!Array.isArray(reply) || typeof reply[0] !== 'string' || !Array.isArray(reply[1])) return;
    const found = reply[1].filter((name) => typeof name === 'string');
    const tries = keys.toTry(found, steadyMs()).slice(0, SEARCH_TRIES);
    if (tries.length > 0) await send(tries.map(readOf));
    cursor = reply[0];
    if (cursor === '0') return;
  }
}

/**
 * Tries again what is refused, each right and each kind of key once. `isDue`: also the rights whose lack hides only
 * details.
 */
export async function retryRefused(send: Send, rights: RefusedRights, db: number, isDue: boolean): Promise<void> {
  const { commands, keys, databases } = rights;
  const again = allTries(TRIED_KEY, db).filter(
    ([right]) => commands.get(right) === 'no-permission' && (isDue || hidesLocks(READING_RIGHTS[right])),
  );
  const words = [
    ...again.map(([, command]) => command),
    ...(keys.isLimited && keys.readable !== undefined ? [readOf(keys.readable)] : []),
    ...rights.triesOfSamples,
    ...databases.map((each) => ['SELECT', each]),
    ...(databases.length > 0 ? [['SELECT', String(db)]] : []),
  ];
  if (words.length > 0) await send(words);
}

function allTries(key: string, db: number): [Right, string[]][] {
  return Object.entries(TRIES).flatMap(([right, words]) => (isRight(right) ? [[right, words(key, String(db))]] : []));
}

function readOf(name: string): string[] {
  return ['PTTL', name];
}

/** The name of a companion of a lock, as binary. */
function companionOf(keyFor: (lock: string) => string, binary: string): string {
  return binaryFromText(keyFor(textFromBinary(binary)));
}

/** A name that matches a glob. */
function nameFromGlob(glob: string): string {
  return glob.replace(/\\([\s\S])|\*|\?|\[\^?([\s\S])[^\]]*\]/g, (found, escaped, first) => {
    if (found === '*') return TRIED_KEY;
    return escaped ?? first ?? 'x';
  });
}
