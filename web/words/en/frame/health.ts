import { LEVEL_COSTS } from '../../../../shared/base/level-costs.ts';
import { aboutPercent, counted } from '../counted.ts';

const EVENTS = LEVEL_COSTS.events;

/** The health strip, the panels of its chips, and the levels of observation. */
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

  cannotSee: 'What cannot be seen now:',
  seesAll: 'Nothing about locks is known to be hidden at this level.',
  sees: {
    monitor: 'Attempts, refusals and wake-ups, with their causes.',
    replication: 'Changes of locks and wake-up messages, in exact order. No refused attempts, and not which client.',
    events: 'Changes of locks and wake-up messages, but no refused attempts.',
    snapshot: 'Current holders, read every 2 s.',
  },
  costs: {
    monitor: 'Its cost depends on the bytes of all commands, not only those for locks.',
    replication:
      'Reads the replication stream as a replica does: in our measurements it costs less than key events, but Redis counts one replica more, which never acknowledges. Refused if clients use WAIT, and with min-replicas-to-write, Sentinels or a cluster.',
    events: `Our commands take at most ${EVENTS.ofCore} % of a core, up to ${EVENTS.readsOfCore} % to read locks that change. Key events cost a Redis at its limit up to ${EVENTS.atLimit} % of its throughput on pure lock traffic, 0–${EVENTS.usual} % otherwise.`,
    snapshot: `A bounded scan every 2 s: at most ${LEVEL_COSTS.snapshot.ofCore} % of a core.`,
  },
  price: {
    would: (percent: string, isMeasured: boolean) =>
      `MONITOR would take ${aboutPercent(percent)} of a core of this Redis now (${isMeasured ? 'measured before' : 'estimated'}).`,
    now: (percent: string, isMeasured: boolean) =>
      `MONITOR takes ${aboutPercent(percent)} of a core of this Redis (${isMeasured ? 'measured' : 'estimated'}).`,
  },
  pricedOut: 'Redis runs its commands on one core, so with MONITOR it would run fewer of them.',
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
    replication: 'Switch to replication (experimental)',
    events: 'Switch to key events only',
    snapshot: 'Switch to snapshots only',
  },
  monitorWarning: 'MONITOR shows waiters and causes. While it is on, Redis copies every command to Lockscope.',
  monitorGuard: 'A guard turns it off if Redis gets slow.',
  howLong: 'For how long',
  limits: { '60000': '1 min', '300000': '5 min', none: 'Until I stop it' },
  startMonitor: {
    '60000': 'Start monitor for 1 minute',
    '300000': 'Start monitor for 5 minutes',
    none: 'Start monitor',
  },
  forPrice: (percent: string) => `(${aboutPercent(percent)} of a core)`,
  startAnyway: 'Switch on anyway, for 30 s',
  back: 'Back',
};
