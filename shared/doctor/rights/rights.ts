/**
 * What is not seen without a right.
 *
 *   reading     no lock at all                       large      locks with more than 64 fields
 *   search      locks that no event announced        waiters    waiters of locks that are not known
 *   databases   locks of other databases             listeners  how many clients listen for a release
 *   strings     locks whose key is a string          clients    which clients are connected
 *   companions  queues and permits                   settings   whether Redis sends key events
 *                                                    progress   how far a scan of all keys is
 */
export const LOSSES = [
  'reading',
  'search',
  'databases',
  'strings',
  'companions',
  'large',
  'waiters',
  'listeners',
  'clients',
  'settings',
  'progress',
] as const;
export type Loss = (typeof LOSSES)[number];

/**
 * Every command that reading locks needs, at every level, with what is not seen without it. This is the one list: the
 * tests of rights at each start, every refusal, the doctor, the page and `docs/operating.md` use it.
 */
export const READING_RIGHTS = {
  select: 'reading',
  multi: 'reading',
  exec: 'reading',
  echo: 'reading',
  time: 'reading',
  type: 'reading',
  hlen: 'reading',
  hgetall: 'reading',
  pttl: 'reading',
  /** A replica in a cluster answers reads only after this command. */
  readonly: 'reading',
  scan: 'search',
  hkeys: 'search',
  hrandfield: 'search',
  /** Instead of HRANDFIELD, which Redis has since 6.2. */
  hscan: 'search',
  info: 'databases',
  getrange: 'strings',
  lrange: 'companions',
  llen: 'companions',
  zrange: 'companions',
  zcard: 'companions',
  'memory|usage': 'large',
  'pubsub|channels': 'waiters',
  'pubsub|shardchannels': 'waiters',
  'pubsub|numsub': 'listeners',
  'pubsub|shardnumsub': 'listeners',
  'client|list': 'clients',
  'config|get': 'settings',
  /** Instead of INFO. */
  dbsize: 'progress',
} as const satisfies Readonly<Record<string, Loss>>;
export type Right = keyof typeof READING_RIGHTS;

/** Losses that leave locks out, or show them as they no longer are. The others only leave out details. */
const HIDES_LOCKS: ReadonlySet<Loss> = new Set(['reading', 'search', 'databases', 'strings', 'companions']);

/** Whether this loss makes the list of locks incomplete or stale. */
export function hidesLocks(loss: Loss): boolean {
  return HIDES_LOCKS.has(loss);
}

const CONTAINERS = new Set(['acl', 'client', 'cluster', 'config', 'memory', 'pubsub', 'slowlog']);

/** The name of a command in the ACL, for example `hlen` or `pubsub|numsub`. */
export function commandName([first = '', second = '']: readonly string[]): string {
  const name = first.toLowerCase();
  return CONTAINERS.has(name) && second !== '' ? `${name}|${second.toLowerCase()}` : name;
}

/** A command as people write it: `PUBSUB NUMSUB`. */
export function shownCommand(name: string): string {
  return name.toUpperCase().replace('|', ' ');
}

/** Whether reading locks needs a command of this name. */
export function isRight(name: string): name is Right {
  return Object.hasOwn(READING_RIGHTS, name);
}

/** Why a command is not run: the user has no right to it, or the server does not have it. */
export type WhyRefused = 'no-permission' | 'no-command';

/**
 * The refused rights that cause each loss.
 *
 * - HRANDFIELD counts only if HSCAN is refused as well.
 * - HSCAN counts only if the server has no HRANDFIELD.
 * - DBSIZE counts only if INFO is refused as well.
 */
export function lossesFrom(refused: ReadonlyMap<Right, WhyRefused>): ReadonlyMap<Loss, readonly Right[]> {
  const losses = new Map<Loss, Right[]>();
  for (const right of Object.keys(READING_RIGHTS).filter(isRight)) {
    if (!refused.has(right)) continue;
    if (right === 'hrandfield' && !refused.has('hscan')) continue;
    if (right === 'hscan' && refused.get('hrandfield') !== 'no-command') continue;
    if (right === 'dbsize' && !refused.has('info')) continue;
    const loss = READING_RIGHTS[right];
    losses.set(loss, [...(losses.get(loss) ?? []), right]);
  }
  return losses;
}
