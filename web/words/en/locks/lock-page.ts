import { counted } from '../counted.ts';
import type { Mode } from './lock.ts';

const NAME_OF_MODE = { exclusive: '', read: 'to read', write: 'to write', permit: 'permits', latch: 'counts' } as const;

/** The page of a lock: all its facts, its waiters, statistics and keys. */
export const lockPage = {
  copyName: 'Copy name',
  /** Shown only in print. */
  printed: (instant: string) => `As of ${instant}.`,
  printedEvents: 'Of the list of events, only the rows on screen are printed.',
  onlyLooksLike: 'looks like a lock, not confirmed',
  evidenceHint: 'No library that Lockscope knows uses it.',
  answerHint: 'Your answer counts for all keys with names of this form.',
  itIsALock: 'It is a lock',
  itIsNoLock: 'It is not a lock',
  heldByUnknown: 'Held by an unknown client.',
  isFreeSince: {
    deleted: (clock: string) => `Free. Its key was deleted at ${clock}, and no hold was seen since.`,
    evicted: (clock: string) => `Free. Redis evicted its key at ${clock} to free memory, and no hold was seen since.`,
    flushed: (clock: string) => `Free. Its database was emptied at ${clock}, and no hold was seen since.`,
  },
  wasFree: 'Free when it was last seen. It is not watched now.',
  goneSinceHint: 'The last time one of its connections was seen.',
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
  /** The short form of `sinceBefore`, for a narrow column. */
  beginUnseen: 'not seen',
  forSince: (age: string, clock: string) => `for ${age}, since ${clock}`,
  watchdogMeaning: {
    on: 'on: renews the lease',
    off: 'off: no watchdog renews the lease',
    unknown: 'no renewal seen yet',
  },
  renewalsLast: (count: number, clock: string) => `${counted(count, 'renewal')} seen, last ${clock}`,
  subscriptions: (count: number, isLatch: boolean) =>
    `${counted(count, 'client')} listening for ${isLatch ? 'its opening' : 'release'}`,
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
  toMode: (mode: Mode): string => NAME_OF_MODE[mode],
  keepsFor: (length: string) => `in ${length}`,
  asksIn: (length: string) => `in ${length}`,
  placeOver: 'expired; removed at the next attempt',
  presumedGoneMeaning: 'Its client is gone, or it did not retry when a live waiter would have.',
  longerThan: (length: string) => `over ${length}`,
  timeoutOver: (clock: string) => `${clock}, over`,
  noFigures: 'Statistics and keys are unavailable.',
  nameTooLong: (length: number) => `The name has ${counted(length, 'character')}, which is too long for a request.`,
  statistic: {
    acquisitions: 'Acquired',
    refusals: 'Refused',
    renewals: 'Renewed',
    expiries: 'Expired',
    holds: 'Holds',
    waits: 'Waits',
  },
  sinceWatched: 'since Lockscope first saw this lock',
  keyTable: 'Table of keys',
  keyColumn: { key: 'Key', role: 'Role', type: 'Type' },
  /** The roles of keys, by the server's name. A role without an entry keeps that name. */
  keyRole: { 'read-timeout': 'keeps a reader’s hold' } as Readonly<Record<string, string>>,
  eventsLabel: 'Events of this lock',
  longName: 'Lock with a long name',
  notInMemory: 'No lock of that name is in memory.',
  notInMemoryHint:
    'Lockscope has not seen it, or has dropped it from memory. This page shows it as soon as Lockscope sees it.',
  allLocks: 'All locks',
  findSimilar: 'Find similar names',
  pastEvents: 'Its past events',
  whichPlace: (place: string, isHeld: boolean) => `${place}: ${isHeld ? 'held' : 'free'}`,
};
