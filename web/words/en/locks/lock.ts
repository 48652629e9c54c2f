import type { Lock } from '../../../../shared/wire/locks/lock.ts';
import { counted } from '../counted.ts';

/** How a lock is held or requested. */
export type Mode = Lock['waiters'][number]['mode'];

const AS_MODE = { exclusive: '', read: ' to read', write: ' to write', permit: ' permits', latch: ' counts' } as const;
const SHORT_MODE = { exclusive: '', read: ' read', write: ' write', permit: ' permit', latch: ' latch' } as const;

const NUMBERS = new Intl.NumberFormat('en-US');

/** One lock, as each list shows it: its kind, holders, leases and waiters. */
export const lock = {
  kind: {
    lock: 'lock',
    'fair-lock': 'fair lock',
    'read-write-lock': 'read-write lock',
    'fenced-lock': 'fenced lock',
    'spin-lock': 'spin lock',
    'group-lock': 'group lock',
    semaphore: 'semaphore',
    'expirable-semaphore': 'expirable semaphore',
    latch: 'latch',
    'token-lock': 'token lock',
  } satisfies Record<Lock['kind'], string>,
  place: (source: string, db: number) => `${source}, database ${db}`,
  shortPlace: (source: string, db: number) => `${source} db ${db}`,
  shortDb: (db: number) => `db ${db}`,
  fencingToken: (token: string) => `fencing token ${token}`,
  concluded: 'Inferred by Lockscope, not reported by Redis.',
  libraryNotKnown: 'unknown library',
  probablyOf: (library: string) => `probably ${library}`,
  probably: 'This key is probably a lock of your own',
  evidence: {
    name: 'Its name says that it is a lock.',
    token: 'Its value looks like a token.',
    retried: 'A client that was refused tried again.',
    renewed: 'The client that set it prolonged it.',
    released: 'The client that set it deleted it.',
    reused: 'It was deleted and set again.',
  } satisfies Record<NonNullable<Lock['evidence']>[number], string>,

  holders: 'Holders',
  holderUnseen: 'Its holder was not seen. A thread was refused.',
  isFree: 'Free. No client holds it.',
  notWatched: 'not watched now',
  assumedSince: (clock: string) => `holder assumed since ${clock}`,
  asBefore: (clock: string) => `as it was at ${clock}, no event since`,
  notWatchedSince: (clock: string) => `not watched since ${clock}`,
  unread: {
    hash: (clock: string) => `not read since ${clock}: its hash is too large`,
    reply: (clock: string) => `not read since ${clock}: the reply was too long`,
    beside: (clock: string) => `waiters or permits not read since ${clock}: their list is too large`,
    rights: (clock: string) => `not read since ${clock}: this user may not read its key`,
  },
  unreadMeaning: {
    hash: 'The page shows the state before that. It may be wrong by now. Lockscope keeps checking its size.',
    reply: 'The page shows the state before that. It may be wrong by now. Lockscope keeps trying.',
    beside: 'Waiters or permits may be missing or wrong. The lock itself is still read.',
    rights: 'The page shows the state before that. It may be wrong by now. Lockscope keeps trying.',
  },
  heldByUnknownShort: 'held by an unknown client',
  holderUnseenShort: 'holder not seen',
  free: 'free',
  held: 'held',
  holds: (count: number, mode: Mode) => `holds ×${count}${AS_MODE[mode]}`,
  count: (count: number, mode: Mode) => `×${count}${SHORT_MODE[mode]}`,
  presence: { connected: 'connected', idle: 'idle', gone: 'gone', unknown: 'unknown' },
  presenceMeaning: {
    connected: 'The client is connected to Redis.',
    idle: 'The client is connected but has been idle for a while.',
    gone: 'This client has no open connections.',
    unknown: 'It is unknown whether the client is connected.',
  },
  goneSince: (clock: string) => `Gone since ${clock}`,
  was: (address: string) => `was ${address}`,
  sinceBefore: 'since Lockscope first saw it, or earlier',
  since: (clock: string) => `since ${clock}`,
  renewals: (count: number) => `${counted(count, 'renewal')} seen`,
  never: 'never',
  lease: {
    neverEnds: 'never ends',
    goneNeverEnds: 'holder gone, never ends',
    notKnown: 'not known',
    noClock: 'clock not known yet',
    over: 'over',
    gone: 'holder gone',
    notRenewed: 'not renewed',
  },
  justRenewed: 'Renewed just now',
  isRenewed: 'This lease has been renewed, and may be again.',

  /** Holders of a read-write lock. */
  readers: (count: number) => counted(count, 'reader'),
  figure: (count: number) => NUMBERS.format(count),
  inLine: (count: string) => `${count} in line`,
  /** The list is full, so there may be more. */
  orMore: (count: string) => `${count} or more`,
  moreHolders: (count: number) => `${counted(count, 'more holder')} not shown here.`,
  waiters: 'Waiters',
  waiting: 'Waiting',
  nobody: 'no client',
  waitersHidden: 'hidden',
  waitersHiddenWhy:
    'Waiters are visible at level Monitor only. Not seen there: those that slept before watching began, where Redis does not count listeners, or of a lock that was free by then; those of a key or queue that is not read; and those of an application’s own lock that do not ask for it, for example in BLPOP.',
  listening: (count: number, isLatch: boolean) => `${count} listening for ${isLatch ? 'its opening' : 'release'}`,
  listeningMeaning:
    'These clients subscribed to the release message of this lock. They wait for it, or did a moment ago. Names of waiters are visible at level Monitor only, from their next attempt on.',
  latchListeningMeaning:
    'These clients subscribed to the message that this latch sends when its count reaches zero. They wait for it, or did a moment ago.',
  deadPlace: 'presumed gone, blocking the queue',
  deadBehind: 'presumed gone, still in the queue',
  presumedGone: 'presumed gone',
  asleep: 'asleep',
  asking: 'asking',
  late: 'not seen to ask again: late, or gone',
  notSeenAsking: 'queued, no attempt seen',
  /** As `longerThan`, in a narrow column. */
  moreThan: (length: string) => `> ${length}`,
  polling: 'polling',
  statistics: 'Statistics',
  keys: 'Keys in Redis',
  events: 'Events',
  connecting: 'Connecting to Lockscope.',
  which: (count: number) => `${count} locks have this name. Which one?`,
};
