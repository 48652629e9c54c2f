import { counted } from '../counted.ts';

/** The fleet page: every source on the bus of a viewer. */
export const fleet = {
  title: 'Fleet',
  sources: (count: number) => counted(count, 'source'),
  follows: (followed: number, all: number) =>
    followed === all
      ? `${counted(all, 'source')}, ${all === 1 ? 'followed' : 'all followed'}.`
      : `${counted(all, 'source')}. Follows ${followed} of ${all}: the others by their pulse only.`,
  followsMeaning: (most: number) =>
    `Opening a source follows its events. At most ${most} are followed at once; the one not looked at for longest is dropped.`,
  busLost: (url: string) => `The bus ${url} does not answer.`,
  busLostHint: 'The page shows what was known before. Check that the bus is running.',
  none: 'No observer has written to this bus yet.',
  noneHint: 'Start one beside each server: lockscope observe REDIS_URL --bus BUS_URL',
  find: 'Find a lock, a client or a source',
  list: 'Sources, those that need attention first',
  head: {
    source: 'Source',
    state: 'State',
    problems: 'Open problems',
    held: 'Held',
    waiting: 'Waiting',
    longest: 'Longest wait',
    level: 'Level',
    lag: 'Lag',
    observer: 'Observer',
  },
  live: 'live',
  followed: 'followed',
  notLive: (since: string) => `not live since ${since}`,
  blind: (since: string) => `not watched since ${since}`,
  notWatched: 'not watched',
  critical: (count: number) => `${count} critical`,
  warnings: (count: number) => counted(count, 'warning'),
  noProblems: 'none',
  activeSince: (host: string, since: string) => `${host}, since ${since}`,
  standbys: (count: number) => (count === 0 ? 'no standby' : counted(count, 'standby', 'standbys')),
  found: (count: number) => counted(count, 'lock'),
  foundList: 'Locks that match, among the first 200 of each source',
  foundNone: (text: string) => `No lock, client or source matches “${text}”.`,
  foundNoneHint:
    'Only the 200 locks of each source that need attention first are searched. Open a source to search all of it.',
  foundHead: { lock: 'Lock', source: 'Source', holder: 'Holder', waiting: 'Waiting' },
  free: 'free',
  spanning: {
    title: 'Over several sources',
    noCircle: 'No threads were found that wait for each other over several sources.',
    circle: (duration: string) => `over several sources, for at least ${duration}`,
    part: 'part of a deadlock over several sources',
    circleList: 'The waits of this deadlock',
    circleHead: { waiter: 'Thread', lock: 'Waits for', source: 'On', holder: 'Held by' },
    sameBy: {
      id: 'Likely: the clients have the same ids on these sources.',
      name: 'Likely: Redis does not show which clients are one process. Here they have the same connection name, host and thread number, and no other client of these servers does.',
    },
    advice:
      'End one of these processes: this is the safest. Or release one of these locks by hand: the thread that holds it then works without it.',
    unseen: 'Some waits are not known, so such a deadlock may be missing:',
    reason: {
      silent: (source: string) => `${source}: not live.`,
      'beyond-pulse': (source: string) => `${source}: more threads wait than a pulse has.`,
      processes: (source: string) =>
        `${source}: a thread waits whose client has no connection name, or the same as another client of its host. So its clients of other sources are not known.`,
      clocks: (source: string) =>
        `${source}: threads seem to wait for each other, but by the clocks of the servers one of them acquired a lock later. If those clocks differ, it may be a deadlock.`,
    },
    redLocks: 'RedLocks',
    redLockList: 'Locks that one thread holds on several sources, among the first 200 of each source',
    redLockHead: { lock: 'Lock', holder: 'Held by', on: 'On', others: 'Held by another on', majority: 'Majority' },
    majority: {
      true: 'more than half of all sources',
      false: 'half of these sources at most',
      null: 'not known: free locks are not in a pulse',
    },
    clients: 'Clients on several sources',
    clientList: 'Processes that hold or wait for locks on several sources, among the first 200 locks of each source',
    clientHead: { client: 'Client', host: 'Host', on: 'On' },
    onSource: (source: string, locks: number) => `${source}: ${counted(locks, 'lock')}`,
  },
};
