import { counted } from '../counted.ts';

/** The words of a column of the table of locks. */
type ColumnWords = {
  readonly title: string;
  /** The text in the list of orders. Absent: the table cannot be sorted by this column. */
  readonly sort?: string;
  /** The text before the value in a card, because a card has no headings. */
  readonly inCard?: string;
  /** The tooltip of the heading. */
  readonly hint?: string;
};

const columns = {
  lock: { title: 'Lock', sort: 'Sort: name' },
  verdict: { title: 'Verdict' },
  kind: { title: 'Kind', sort: 'Sort: kind' },
  holder: { title: 'Holder', sort: 'Sort: holder' },
  held: { title: 'Held for', sort: 'Sort: held for', inCard: 'held' },
  lease: { title: 'Lease left', sort: 'Sort: lease left', inCard: 'lease left' },
  waiters: { title: 'Waiters', sort: 'Sort: waiters', inCard: 'waiting' },
  wait: {
    title: 'Oldest wait',
    sort: 'Sort: oldest wait',
    inCard: 'oldest wait',
    hint: 'Counted from the first attempt, or place in the queue, that Lockscope saw.',
  },
  rate: {
    title: 'Hand-overs/s',
    sort: 'Sort: hand-overs',
    inCard: 'hand-overs/s',
    hint: 'How often a second the lock was seen to go to a thread that waited for it: the average of about 30 s.',
  },
} satisfies Record<string, ColumnWords>;

/** The overview with one lock per row, and the page for unknown addresses. */
export const overview = {
  group: (locks: number, held: number) =>
    `${counted(locks, 'lock')}, ${counted(held, 'held', 'held')}, without waiters and known problems`,
  title: 'Locks',
  held: (count: string) => `${count} held`,
  heldAtLeast: (count: string) => `at least ${count} held`,
  scanning: (percent: number) => `The first scan of all keys is ${percent} % done.`,
  scanningWhy: 'Locks that were held before, and that no client waits for, appear as it goes.',
  isFull: 'More locks are held than --memory has room for.',
  lacksRights: 'This user may not see all locks.',
  hasLostLines: 'The bus dropped lines, so locks that nothing has touched since may be missing.',
  noneWithRights: 'No lock has been seen with the rights of this user.',
  waiting: (count: string) => `${count} waiting`,
  waitingAtLeast: (count: string) => `at least ${count} waiting`,
  listening: (count: string) => `${count} listening`,
  waitersHidden: 'waiters hidden',
  seen: (count: number) => `${counted(count, 'lock')} in memory`,
  loaded: (count: string, total: string) => `${count} of ${total} locks loaded`,
  asOf: (clock: string) => `as of ${clock}, not watched since`,
  which: 'Which locks',
  filter: { all: 'All', held: 'Held', waited: 'Waited for' },
  sortBy: 'Sort by',
  reverse: 'Reverse the order',
  /** Orders that do not belong to a column. */
  sorts: { attention: 'Sort: attention', count: 'Sort: holds' },
  columns: columns as Readonly<Record<keyof typeof columns, ColumnWords>>,
  hiddenByText: (count: number, text: string, filter: string | null) =>
    `${counted(count, 'lock')} hidden by “${text}”${filter === null ? '' : ` and “${filter}”`}.`,
  hiddenAsFree: (count: number) => `${counted(count, 'lock')} hidden because no client holds them.`,
  hiddenAsUnwanted: (count: number) => `${counted(count, 'lock')} hidden because no client is known to wait for them.`,
  notWatching: 'Not watching, so there is nothing to show.',
  seeAbove: 'Locks appear here as soon as Redis answers. See the message at the top.',
  mayNotRead: 'This user may not read locks, so there is nothing to show.',
  untilRights: 'Locks appear here as soon as it may. The message at the top has the line that allows it.',
  connectingTo: (url: string) => `Connecting to ${url}.`,
  untilRedis: 'Locks appear here as soon as Redis answers.',
  connecting: 'Connecting to Lockscope.',
  cutOff: (clock: string) => `Not connected to Lockscope since ${clock}.`,
  untilServer: 'Locks appear here as soon as it answers.',
  refused: 'Lockscope cannot serve this page now.',
  untilPlace: 'Locks appear here as soon as it can. See the message at the top.',
  pulse: (count: string) => `Redis runs ${count} commands a second. None of them touches a lock.`,
  startScenario: 'Play the show on the demo page, and its lock appears here.',
  takeLock:
    'Take a lock in your application, and it appears here within a second. To see how it looks, run “lockscope demo”.',
  openDemo: 'Open the demo',
  noSuchPage: 'No such page',
  leadsNowhere: 'There is no page at this address.',
  toOverview: 'Go to the overview',
};
