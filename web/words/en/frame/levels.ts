import { LEVEL_COSTS } from '../../../../shared/base/level-costs.ts';
import { aboutPercent } from '../counted.ts';

const EVENTS = LEVEL_COSTS.events;

/** The levels of observation: what each one sees and costs, and the switch between them. */
export const levels = {
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
  /** In a viewer. */
  elsewhere:
    'Another process, an observer, watches this source. Its level is chosen where that process is started: lockscope observe URL --observe LEVEL.',
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
