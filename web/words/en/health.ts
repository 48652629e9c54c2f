import { counted } from './counted.ts';

/** The health strip, the panels behind its chips, and the levels of observation. */
export const health = {
  label: 'Health',
  connecting: 'Connecting',
  notConnected: 'Not connected',
  clockTitle: 'Redis’s own clock, in your time zone',
  stoppedAt: (clock: string) => `stopped at ${clock}`,
  status: { observing: 'Live', connecting: 'Connecting', reconnecting: 'Reconnecting', failed: 'Not observing' },
  notAnswering: 'Not answering',
  ended: 'Ended',
  endedBy: 'ended by the scenario',
  endedMeaning:
    'The scenario ended this server on purpose; nothing is wrong. What was seen of it stays until you stop the scenario or start another.',
  source: 'Source',
  replica: 'replica',
  guardIsFine: 'The guard sees no harm to Redis.',
  levelTitle: 'Level of observation',
  level: { monitor: 'Monitor', events: 'Key events only', snapshot: 'Snapshots only' },
  perSecond: (count: string) => `${count}/s`,
  keyEventsTitle: 'Key events',
  keyEvents: { notifications: 'Key events', tracking: 'Key tracking', off: 'Key events' },
  keyEventsMeaning: {
    notifications: 'Redis sends key events: expiries and deletions are seen when they happen.',
    tracking: 'Redis tells which known keys changed (client tracking). Key events themselves are not sent.',
    off: 'Redis sends no key events. Ends of leases are computed, and confirmed by snapshots.',
  },
  snapshotTitle: 'Snapshot',
  snapshot: (age: string) => `Snapshot ${age}`,
  noSnapshot: 'No snapshot has been read yet, so nothing has been compared.',
  unknownNow: 'Not known: this source is not watched now.',
  memoryBack: (clock: string, events: string) =>
    `Memory holds ${events} events and goes back to ${clock}. Older events were dropped.`,
  memoryWhole: (clock: string, events: string) => `Memory holds ${events} events: all since the first one at ${clock}.`,
  snapshotMeaning:
    'A snapshot reads the locks as Redis holds them now, and compares that with what was concluded from the stream.',
  lagTitle: 'Lag',
  lag: (length: string) => `Lag ${length}`,
  lagMeaning: (length: string) => `Lockscope is ${length} behind Redis.`,
  clockLevel: 'Redis’s clock is level with the clock of the machine Lockscope runs on.',
  clockAhead: (length: string) => `Redis’s clock is ${length} ahead of the clock of the machine Lockscope runs on.`,
  clockBehind: (length: string) => `Redis’s clock is ${length} behind the clock of the machine Lockscope runs on.`,
  driftTitle: 'Drift',
  drift: (count: string) => `Drift ${count}`,
  driftMeaning: (count: number) =>
    `${counted(count, 'difference')} between what was concluded and what a snapshot found, not explained by a blind spot.`,
  rejected: (count: number) => `${counted(count, 'line')} from Redis could not be read.`,
  unread: (count: number) => `${counted(count, 'key')} too large`,
  unreadTitle: 'Keys too large to read',
  unreadMeaning:
    'Reading these keys would hold Redis up, so Lockscope does not. It looks at their size again after a pause.',
  unreadLock: (clock: string) => `a known lock, not read since ${clock}: what is shown of it may be wrong by now`,
  unreadBeside: (clock: string) => `not read since ${clock}; the lock itself is read`,
  unreadMore: (count: number) => `${counted(count, 'more key')}`,
  unreadKey: 'it may be a lock',
  unreadSize: {
    fields: (count: string) => `${count} fields`,
    bytes: (count: string) => `${count} bytes`,
    reply: (_count: string) => 'its reply was too long',
    beside: (_count: string) => 'its list of waiters or permits is too large',
  },

  cannotSee: 'What cannot be seen now:',
  seesAll: 'Nothing about locks is hidden at this level.',
  sees: {
    monitor: 'Everything: who asks, who is refused, who is woken by what.',
    events: 'Every change of a lock and every wake-up message, but no refused attempts.',
    snapshot: 'Who holds what, read every 2 s.',
  },
  costs: {
    monitor: 'Its cost goes by the bytes of every command, not only of locks.',
    events: 'A busy Redis keeps 74 % on lock traffic, 85 to 100 % on other traffic.',
    snapshot: 'A bounded scan every 2 s.',
  },
  price: {
    would: (percent: string, isMeasured: boolean) =>
      `MONITOR would take about ${percent} % of a core of this Redis now (${isMeasured ? 'from what it took before' : 'estimated'}).`,
    now: (percent: string, isMeasured: boolean) =>
      `MONITOR takes about ${percent} % of a core of this Redis (${isMeasured ? 'measured' : 'estimated'}).`,
  },
  pricedOut: 'Redis has one core for its commands, so it would run fewer of them.',
  priceUnknown: 'What MONITOR costs here is unknown: this user may not run INFO.',
  redisLoad: (commands: string, megabytes: string, used: string | null) =>
    `Redis runs ${commands} commands/s and receives ${megabytes} MB/s${used === null ? '' : `; it uses ${used} % of a core`}.`,
  loadBefore: (commands: string, pingBefore: string, ping: string) =>
    `Before MONITOR: ${commands} commands/s. A PING takes ${ping}, before MONITOR ${pingBefore}.`,
  noOutputLimit: {
    none: 'This Redis has no output limit for pub/sub clients: if Lockscope is stopped or this machine sleeps, MONITOR output fills the memory of Redis.',
    unknown:
      'Lockscope cannot read the output limit of this Redis. Without one, MONITOR output fills the memory of Redis if Lockscope is stopped or this machine sleeps.',
  },
  onNow: 'on now',
  onFor: (length: string) => `on for ${length} more`,
  switchTo: {
    monitor: 'Switch to monitor',
    events: 'Switch to key events only',
    snapshot: 'Switch to snapshots only',
  },
  monitorWarning: 'MONITOR shows who and why. Redis copies every command to Lockscope while it is on.',
  monitorGuard: 'A guard stops it when Redis suffers.',
  howLong: 'For how long',
  limits: { '60000': '1 min', '300000': '5 min', none: 'Until I stop it' },
  startMonitor: {
    '60000': 'Start monitor for 1 minute',
    '300000': 'Start monitor for 5 minutes',
    none: 'Start monitor',
  },
  forPrice: (percent: string) => `(about ${percent} % of a core)`,
  startAnyway: 'Switch on all the same, for 30 s',
  back: 'Back',
};
