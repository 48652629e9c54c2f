import { counted } from './counted.ts';

/** What a page says where something is missing, switched off or behind, and the way out. */
export const states = {
  hints: 'Hints',
  monitorOff: 'Who waits, and why, is not seen.',
  monitorOffHint: 'MONITOR shows who and why. What it costs this Redis is shown before it starts.',
  startMonitor: 'Start monitor …',
  goOnWithout: { events: 'Go on with key events only', snapshot: 'Go on with snapshots only' },
  monitorRefused: (user: string) => `User ${user} may not run MONITOR.`,
  monitorRefusedHint: {
    monitor: 'To allow it:',
    events: 'Watching by key events instead: holders are known, causes are concluded. To allow it:',
    snapshot: 'Watching by snapshots instead: holders are known, causes are concluded. To allow it:',
  },
  notificationsOff: 'Redis is not sending key events.',
  notificationsOffHint: {
    tracking: 'Locks that are known are tracked instead; a new one is found by the next scan. To change that:',
    off: 'Ends of leases are computed, and confirmed by snapshots. To change that:',
  },
  keepFlags: 'Keep the flags that are set already. Or start Lockscope with --configure-notifications.',
  copyCommand: 'Copy command',
  goOn: 'Go on without',
  ownLocks: (count: number, isMore: boolean) =>
    isMore
      ? `${counted(count, 'key')} or more look like locks of your own`
      : `${counted(count, 'key looks like a lock', 'keys look like locks')} of your own`,
  ownLocksHint: 'Set with SET … NX and a lease, by no library that Lockscope knows. A cache may do the same.',
  forExample: 'For example:',
  showOwnLocks: 'Show them as locks',
  ownLocksShown: 'Locks of your own are shown',
  ownLocksShownHint: 'Keys that are set with SET … NX and a lease count as locks.',
  hideOwnLocks: 'Hide them again',
  keepOwnLocks: 'Keep them',
  slowPage: (count: number) => `Skipped drawing ${counted(count, 'event')}; the record is complete.`,
  slowPageHint:
    'This page could not keep up with Redis for a while. Events that were skipped are in the list of events.',
  reload: 'Reload',
  retrying: 'Retrying automatically.',
  retryingNow: 'Retrying automatically, now.',
  nextTry: (seconds: number) => `Retrying automatically, next try in ${seconds} s.`,
  otherWays: 'Meanwhile: “lockscope open FILE” opens a recording, “lockscope demo” needs no Redis of yours.',
  quietFor: (age: string) => `No lock activity for ${age}.`,
  recording: 'Recording',
  recordingTitle: 'Recording',
  recordingSpan: (from: string, to: string, length: string) => `From ${from} to ${to}: ${length}.`,
  recordingMeaning: 'What was watched then. No Redis is connected; nothing changes any more.',
  recordingCutShort: 'Its end is missing: it was cut short, or is still being written.',
  recordingBadLines: (count: number) =>
    `${counted(count, 'line')} could not be read and ${count === 1 ? 'is' : 'are'} left out.`,
  recordingLine: (line: number, reason: string) => `Line ${line}: ${reason}`,
  recordingEnd: (clock: string) => `ends ${clock}`,
  recordingEndTitle: 'The end of the recording, in your time zone',
  recordedLevel: { monitor: 'with Monitor', events: 'with key events', snapshot: 'with snapshots' },
  noLocksRecorded: 'No lock is held or waited for in this recording.',
  noLocksRecordedHint: 'It holds nothing that touched a lock, or only what a newer Lockscope understands.',
  atEnd: 'Everything there is',
};
