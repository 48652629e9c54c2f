import { aboutPercent, counted } from '../counted.ts';

/** Messages about what is missing, switched off or delayed on a page, and what to do about it. */
export const states = {
  hints: 'Hints',
  monitorOff: 'Waiters are hidden at this level.',
  monitorOffHint: 'MONITOR shows waiters and causes. Its cost for this Redis is shown before it starts.',
  monitorOffPrice: (percent: string) =>
    `MONITOR shows waiters and causes. It would take ${aboutPercent(percent)} of a core of this Redis.`,
  startMonitor: 'Start monitor …',
  startMonitorOf: (source: string) => `Start monitor on ${source} …`,
  goOnWithout: {
    replication: 'Keep replication',
    events: 'Keep key events only',
    snapshot: 'Keep snapshots only',
  },
  /** Times that are unknown: of a source that was not watched, and before the oldest event in memory. */
  notes: {
    dropped: (clock: string) => `Memory goes back to ${clock}: earlier events have been dropped.`,
    blind: (source: string, from: string, to: string) => `Not watched: ${source}, ${from} to ${to}.`,
  },
  /** What a screen reader announces instead of a message that changes every second. */
  isBusy: (where: string) => `${where} is busy with a script or a function.`,
  notAnswering: (where: string) => `${where} is not answering.`,
  monitorRefused: (user: string) => `User ${user} may not run MONITOR.`,
  /** A refused level, by the level that is used instead. */
  levelRefusedHint: {
    monitor: 'To allow it:',
    replication: 'Watching by the replication stream: changes are known, refused attempts are not. To allow it:',
    events: 'Watching by key events instead: holders are known, causes are inferred. To allow it:',
    snapshot: 'Watching by snapshots instead: holders are known, causes are inferred. To allow it:',
  },
  toAllow: 'To allow it:',
  lacksRights: (user: string) => `User ${user} may not see all locks.`,
  notificationsOffHint: {
    tracking: 'Known locks are tracked; new ones appear at the next scan. To turn key events on:',
    off: 'To turn them on:',
  },
  keepFlags: 'Add these flags to the ones already set, or start Lockscope with --configure-notifications.',
  copyCommand: 'Copy command',
  goOn: 'Dismiss',
  ownLocks: (count: number, isMore: boolean) =>
    isMore
      ? `${counted(count, 'key')} or more look like locks of your own`
      : `${counted(count, 'key looks like a lock', 'keys look like locks')} of your own`,
  ownLocksHint:
    'They are set with SET … NX and a lease, but not by a library that Lockscope knows. A cache may do the same.',
  forExample: 'For example:',
  showOwnLocks: 'Show them as locks',
  ownLocksShown: 'Locks of your own are shown',
  ownLocksShownHint: 'Keys that are set with SET … NX and a lease count as locks.',
  hideOwnLocks: 'Hide them again',
  keepOwnLocks: 'Keep them',
  slowPage: (count: number) => `Fell behind and skipped ${counted(count, 'event')} on screen. Nothing is lost.`,
  slowPageHint: 'This page could not keep up with Redis for a while. The skipped events are in the list of events.',
  clockBehind: (length: string, source?: string) =>
    `The clock of ${source ?? 'Redis'} is ${length} behind the times shown here.`,
  clockBehindHint:
    'It went back while it was watched, or another server took over whose clock is behind. Times here go on from the clock before, until Redis’s clock goes forward again or Lockscope is restarted. Leases that were running at that moment end later: Redis keeps the instant of their end.',
  reload: 'Reload',
  shownIsOld: 'The page shows the last known state.',
  retrying: 'Retrying automatically.',
  retryingNow: 'Retrying automatically, now.',
  nextTry: (seconds: number) => `Retrying automatically, next try in ${seconds} s.`,
  otherWays: 'Meanwhile: “lockscope open FILE” opens a recording, “lockscope demo” starts its own Redis.',
  noActivity: {
    everywhere: {
      yet: 'Watching. No lock activity seen yet.',
      since: (clock: string) => `Watching. No lock activity seen since ${clock}.`,
      unknown: 'Watching.',
    },
    whereWatched: {
      yet: 'No lock activity seen yet where Lockscope is watching.',
      since: (clock: string) => `No lock activity seen since ${clock} where Lockscope is watching.`,
      unknown: 'Some sources are not watched.',
    },
    moreTimes: (count: number) => `${counted(count, 'earlier time')} ${count === 1 ? 'was' : 'were'} not watched.`,
  },
  quietFor: (age: string) => `No lock activity seen for ${age}.`,
  recording: 'Recording',
  recordingTitle: 'Recording',
  recordingSpan: (from: string, to: string, length: string) => `From ${from} to ${to}: ${length}.`,
  recordingMeaning: 'A recording. No Redis is connected, and nothing will change.',
  recordingCutShort: 'Its end is missing: it was cut short, or is still being written.',
  recordingBadLines: (count: number) =>
    `${counted(count, 'line')} could not be read and ${count === 1 ? 'is' : 'are'} left out.`,
  recordingLine: (line: number, reason: string) => `Line ${line}: ${reason}`,
  recordingEnd: (clock: string) => `ends ${clock}`,
  recordingEndTitle: 'The end of the recording, in the time zone of the settings',
  recordedLevel: {
    monitor: 'with Monitor',
    replication: 'with the replication stream',
    events: 'with key events',
    snapshot: 'with snapshots',
  },
  noLocksRecorded: 'No lock was seen in this recording.',
  noLocksRecordedHint: 'It contains no lock activity, or only activity that a newer Lockscope understands.',
  atEnd: 'The whole recording',
};
