import type { Lock } from '../../../shared/wire/lock.ts';
import { counted } from './counted.ts';

/** How a lock is held or requested. */
export type Mode = Lock['waiters'][number]['mode'];

const AS_MODE = { exclusive: '', read: ' to read', write: ' to write', permit: ' permits', latch: ' counts' } as const;
const SHORT_MODE = { exclusive: '', read: ' read', write: ' write', permit: ' permit', latch: ' latch' } as const;

const NUMBERS = new Intl.NumberFormat('en-US');

/** One lock: its kind, holders, leases, waiters, statistics and keys. */
export const lock = {
  /** On paper. */
  printed: (instant: string) => `As of ${instant}.`,
  printedEvents: 'Of the list of events, only the rows on screen are printed.',
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
  onlyLooksLike: 'looks like a lock, not confirmed',

  holders: 'Holders',
  heldByUnknown: 'Held by an unknown client.',
  isFree: 'Free. No client holds it.',
  wasFree: 'Free when it was last seen. It is not watched now.',
  notWatched: 'not watched now',
  notWatchedSince: (clock: string) => `not watched since ${clock}`,
  unread: {
    hash: (clock: string) => `not read since ${clock}: its hash is too large`,
    reply: (clock: string) => `not read since ${clock}: the reply was too long`,
    beside: (clock: string) => `waiters or permits not read since ${clock}: their list is too large`,
  },
  unreadMeaning: {
    hash: 'The page shows the state before that. It may be wrong by now. Lockscope keeps checking its size.',
    reply: 'The page shows the state before that. It may be wrong by now. Lockscope keeps trying.',
    beside: 'Waiters or permits may be missing or wrong. The lock itself is still read.',
  },
  heldByUnknownShort: 'held by an unknown client',
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
  goneSinceHint: 'The last time one of its connections was seen.',
  was: (address: string) => `was ${address}`,
  fact: {
    held: 'Held',
    watchdog: 'Watchdog',
    renewals: 'Renewals',
    expires: 'Expires',
    id: 'Id',
    address: 'Address',
    timeouts: 'Timeout keys',
    transaction: 'Transaction',
  },
  heldFor: { read: 'held for reading', write: 'held for writing' },
  entryOf: (collection: string) => `lock of an entry of ${collection}`,
  sinceBefore: 'since before Lockscope saw it',
  since: (clock: string) => `since ${clock}`,
  forSince: (age: string, clock: string) => `for ${age}, since ${clock}`,
  /** Shown before a number if the heading of its column is hidden. */
  inline: { held: 'held', lease: 'lease', waiters: 'waiting', wait: 'oldest wait', rate: 'hand-overs/s' },
  watchdogMeaning: {
    on: 'on: renews the lease',
    off: 'off: the lease is not renewed',
    unknown: 'no renewal seen yet',
  },
  renewals: (count: number) => `${counted(count, 'renewal')} seen`,
  renewalsLast: (count: number, clock: string) => `${counted(count, 'renewal')} seen, last ${clock}`,
  never: 'never',
  lease: {
    neverEnds: 'never ends',
    goneNeverEnds: 'holder gone, never ends',
    notKnown: 'not known',
    noClock: 'clock not known yet',
    over: 'over',
    gone: 'holder gone',
    notRefilled: 'not renewed',
  },
  justRefilled: 'Renewed just now',
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
  waitersHiddenWhy: 'Waiters are visible at level Monitor only.',
  listening: (count: number) => `${count} listening for release`,
  listeningMeaning:
    'These clients subscribed to the release message of this lock. They wait for it, or did a moment ago. Names of waiters are visible at level Monitor only, from their next attempt on.',
  subscriptions: (count: number) => `${counted(count, 'client')} listening for release`,
  waiterTable: 'Table of waiters',
  waiterColumn: {
    waiter: 'Waiter',
    waiting: 'Waiting',
    since: 'Since',
    attempts: 'Attempts',
    state: 'State',
    keepsPlace: 'Place expires',
    asksAgain: 'Retries',
    channel: 'Woken on',
  },
  toMode: (mode: Mode) => AS_MODE[mode].trim(),
  keepsFor: (length: string) => `in ${length}`,
  asksIn: (length: string) => `in ${length}`,
  placeOver: 'expired; removed at the next attempt',
  deadPlace: 'presumed gone, blocking the queue',
  deadBehind: 'presumed gone, still in the queue',
  presumedGone: 'presumed gone',
  presumedGoneMeaning: 'Its client is gone, or it did not retry when a live waiter would have.',
  asleep: 'asleep',
  asking: 'asking',
  notSeenAsking: 'queued, no attempt seen',
  /** The same, in a narrow column. */
  moreThan: (length: string) => `> ${length}`,
  longerThan: (length: string) => `over ${length}`,
  polling: 'polling',
  timeoutOver: (clock: string) => `${clock}, over`,

  noFigures: 'Statistics and keys are unavailable.',
  nameTooLong: (length: number) => `The name has ${counted(length, 'character')}, which is too long for a request.`,
  statistics: 'Statistics',
  statistic: {
    acquisitions: 'Acquired',
    refusals: 'Refused',
    renewals: 'Renewed',
    expiries: 'Expired',
    holds: 'Holds',
    waits: 'Waits',
  },
  sinceWatched: 'since Lockscope first saw this lock',
  keys: 'Keys in Redis',
  keyTable: 'Table of keys',
  keyColumn: { key: 'Key', role: 'Role', type: 'Type' },
  /** The roles of keys, by the server's name. A role without an entry keeps that name. */
  keyRole: { 'read-timeout': 'keeps a reader’s hold' } as Readonly<Record<string, string>>,
  events: 'Events',
  eventsLabel: 'Events of this lock',

  longName: 'Lock with a long name',
  notInMemory: 'No lock of that name is in memory.',
  notInMemoryHint:
    'Lockscope has not seen it, or has dropped it from memory. This page shows it as soon as Lockscope sees it.',
  allLocks: 'All locks',
  findSimilar: 'Find similar names',
  pastEvents: 'Its past events',
  connecting: 'Connecting to Lockscope.',
  which: (count: number) => `${count} locks have this name. Which one?`,
  whichPlace: (place: string, isHeld: boolean) => `${place}: ${isHeld ? 'held' : 'free'}`,
};
