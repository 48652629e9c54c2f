import { counted } from './counted.ts';

/** The health strip, the panels behind its chips, and the levels of observation. */
export const health = {
  label: 'Health',
  connecting: 'Connecting',
  notConnected: 'Not connected',
  clockTitle: 'Redis’s own clock, in your time zone',
  stoppedAt: (clock: string) => `stopped at ${clock}`,
  status: { observing: 'Live', connecting: 'Connecting', reconnecting: 'Reconnecting', failed: 'Not observing' },
  ended: 'Ended',
  endedBy: 'ended by the scenario',
  endedMeaning:
    'The scenario ended this server on purpose; nothing is wrong. What was seen of it stays until you stop the scenario or start another.',
  source: 'Source',
  replica: 'replica',
  guardIsFine: 'The guard sees no harm done to Redis.',
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
  noSnapshot: 'none yet',
  snapshotMeaning:
    'A snapshot reads the locks as Redis holds them now, and compares that with what was concluded from the stream.',
  lagTitle: 'Lag',
  lag: (length: string) => `Lag ${length}`,
  lagMeaning: (length: string) => `So long a command takes from Redis to Lockscope: ${length}.`,
  clockLevel: 'Redis’s clock is level with the clock of the machine Lockscope runs on.',
  clockAhead: (length: string) => `Redis’s clock is ${length} ahead of the clock of the machine Lockscope runs on.`,
  clockBehind: (length: string) => `Redis’s clock is ${length} behind the clock of the machine Lockscope runs on.`,
  driftTitle: 'Drift',
  drift: (count: string) => `Drift ${count}`,
  driftMeaning: (count: number) =>
    `${counted(count, 'difference')} between what was concluded and what a snapshot found, not explained by a blind spot.`,
  rejected: (count: number) => `${counted(count, 'line')} from Redis could not be read.`,

  cannotSee: 'What cannot be seen now:',
  seesAll: 'Nothing about locks is hidden at this level.',
  sees: {
    monitor: 'Everything: who asks, who is refused, who is woken by what.',
    events: 'Every change of a lock and every wake-up message, but no refused attempts.',
    snapshot: 'Who holds what, looked at now and then.',
  },
  costs: {
    monitor: 'A busy Redis keeps 36 to 40 % of its throughput.',
    events: 'A busy Redis keeps 74 % on lock traffic, 85 to 100 % on other traffic.',
    snapshot: 'A bounded scan now and then.',
  },
  onNow: 'on now',
  switchTo: {
    monitor: 'Switch to monitor',
    events: 'Switch to key events only',
    snapshot: 'Switch to snapshots only',
  },
  monitorWarning:
    'MONITOR shows who and why. It costs throughput: a busy Redis keeps 36 to 40 %. Start it on systems you may slow down.',
  monitorGuard: 'A guard stops it when Redis suffers.',
  howLong: 'For how long',
  limits: { '60000': '1 min', '600000': '10 min', none: 'Until I stop it' },
  startMonitor: 'Start monitor',
  back: 'Back',
};
