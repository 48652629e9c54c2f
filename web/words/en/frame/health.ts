import { counted } from '../counted.ts';

/** The health strip and the panels of its chips. */
export const health = {
  label: 'Health',
  /** The button that shows the rest of the strip on a narrow screen. */
  more: (sources: number) => (sources > 1 ? counted(sources, 'source') : 'More'),
  less: 'Less',
  connecting: 'Connecting',
  notConnected: 'Not connected',
  clockTitle: 'All times here go by this clock. It is Redis’s, unless a hint says that Redis’s is behind.',
  stoppedAt: (clock: string) => `stopped at ${clock}`,
  status: { observing: 'Live', connecting: 'Connecting', reconnecting: 'Reconnecting', failed: 'Not observing' },
  notAnswering: 'Not answering',
  ended: 'Ended',
  endedBy: 'ended by the scenario',
  endedMeaning:
    'The scenario shut down this server on purpose; nothing is wrong. Its history stays until you stop the scenario or start another one.',
  source: 'Source',
  replica: 'replica',
  guardIsFine: 'Redis load from Lockscope: normal.',
  toDoctor: 'What endangers locks on this server',
  levelTitle: 'Level of observation',
  level: {
    monitor: 'Monitor',
    replication: 'Replication (experimental)',
    events: 'Key events only',
    snapshot: 'Snapshots only',
  },
  perSecond: (count: string) => `${count}/s`,
  keyEventsTitle: 'Key events',
  keyEvents: {
    notifications: 'Key events',
    replication: 'Replication stream',
    tracking: 'Key tracking',
    off: 'Key events',
  },
  keyEventsMeaning: {
    notifications: 'Redis sends key events: expiries and deletions are seen when they happen.',
    replication: 'The replication stream shows expiries and deletions when they happen. Key events are not needed.',
    tracking: 'Redis reports which known keys changed (client tracking). It does not send key events.',
    off: 'Redis sends no key events. Lease expiry is calculated, then confirmed by the next snapshot.',
  },
  snapshotTitle: 'Snapshot',
  snapshot: (age: string) => `Snapshot ${age}`,
  noSnapshot: 'No snapshot has been read yet, so nothing has been compared.',
  unknownNow: 'Not known now.',
  storeTitle: 'Store',
  storeSince: (clock: string) => `History goes back to ${clock}.`,
  storeEmpty: 'Nothing is stored yet.',
  storeEnds: (clock: string) => `History ends at ${clock}`,
  memoryBack: (clock: string, events: string) =>
    `Memory holds ${events} events and goes back to ${clock}. Older events were dropped.`,
  memoryWhole: (clock: string, events: string) => `Memory holds ${events} events: all since the first one at ${clock}.`,
  snapshotMeaning:
    'A snapshot reads the current locks from Redis and compares them with the state that Lockscope derived from the stream.',
  lagTitle: 'Lag',
  lag: (length: string) => `Lag ${length}`,
  lagMeaning: (length: string) => `Lockscope is ${length} behind Redis.`,
  clockLevel: 'Redis and the machine that runs Lockscope agree on the time.',
  clockAhead: (length: string) => `Redis’s clock is ${length} ahead of the machine that runs Lockscope.`,
  clockBehind: (length: string) => `Redis’s clock is ${length} behind the machine that runs Lockscope.`,
  driftTitle: 'Drift',
  drift: (count: string) => `Drift ${count}`,
  driftMeaning: (count: number) =>
    `${counted(count, 'mismatch', 'mismatches')} between Lockscope’s state and a snapshot, not explained by a blind spot.`,
  rejected: (count: number) => `${counted(count, 'line')} from Redis could not be read.`,
  rejectedFor: {
    head: 'The newest: its beginning does not have the known form.',
    words: 'The newest: its words do not have the known form.',
    'line-too-long': 'The newest: a line of over 16 MB.',
    'push-too-long': 'The newest: a message of over 16 MB.',
    'message-too-long': 'The newest: a message that is too long to keep.',
    'names-too-long': 'The newest: names of keys that are too long to keep.',
  },
  /** `areSomeRefused`: for some of them, this user has no right. */
  unread: (count: number, areSomeRefused: boolean) =>
    `${counted(count, 'key')} ${areSomeRefused ? 'not read' : 'too large'}`,
  unreadTitle: (areSomeRefused: boolean): string =>
    areSomeRefused ? 'Keys that are not read' : 'Keys too large to read',
  unreadMeaning:
    'Reading these keys would block Redis, so Lockscope does not read them. It checks their size again after a pause.',
  refusedMeaning: 'Keys that this user may not read are tried again every few seconds.',
  unreadLock: (clock: string) => `a known lock, not read since ${clock}: what is shown of it may be wrong by now`,
  unreadBeside: (clock: string) => `not read since ${clock}; the lock itself is read`,
  unreadMore: (count: number) => `${counted(count, 'more key')}`,
  unreadKey: 'it may be a lock',
  unreadSize: {
    fields: (count: string) => `${count} fields`,
    bytes: (count: string) => `${count} bytes`,
    reply: (_count: string) => 'its reply was too long',
    beside: (_count: string) => 'its list of waiters or permits is too large',
    rights: (_count: string) => 'this user may not read it',
  },
};
