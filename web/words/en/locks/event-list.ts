import { counted } from '../counted.ts';

/** The page and the table of events, and the details of one event. */
export const eventList = {
  title: 'Events',
  /** A filter for a whole name, and one for a part of it. */
  filter: {
    lock: 'Lock is',
    lockPart: 'Lock contains',
    event: 'Event',
    holder: 'Holder is',
    holderPart: 'Holder contains',
  },
  onlyTrouble: 'Only trouble',
  /** The subjects of events. Each type has one. */
  topic: {
    taking: 'Acquiring and releasing',
    waiting: 'Waiting',
    leases: 'Leases',
    trouble: 'Trouble',
    watching: 'Lockscope and clients',
  },
  wholeTopic: (topic: string) => `All of: ${topic}`,
  column: {
    time: 'Time',
    step: 'Δ',
    lock: 'Lock',
    holder: 'Holder',
    event: 'Event',
    detail: 'Detail',
    certainty: 'Evidence',
  },
  /** A run of attempts without a pause, as one row. */
  run: (attempts: number) => `refused ${counted(attempts, 'time')}`,
  runWithin: (length: string) => `attempted without a pause for ${length}`,
  /** Several events of a busy time, as one row: a turn from acquisition to release, or the renewals of one client. */
  turn: (length: string) => `held ${length}`,
  /** `isAtLeast`: the beginning of the wait was not seen. */
  turnOf: (waited: string | null, wokenBy: 'message' | 'own-timer' | null, isAtLeast: boolean) =>
    [
      'acquired … released',
      ...(waited === null ? [] : [`waited ${isAtLeast ? 'at least ' : ''}${waited}`]),
      ...(wokenBy === null ? [] : [wokenBy === 'message' ? 'woken by message' : 'woken by its own timer']),
    ].join(', '),
  renewals: (count: number) => counted(count, 'renewal'),
  locks: (count: number) => counted(count, 'lock'),
  folded: (events: number) => `(${counted(events, 'event')})`,
  foldedRows: (events: string, rows: string) => `${events} events are folded. Rows: ${rows}. Trouble is never folded.`,
  unfold: 'Show every event',
  fold: 'Fold again',
  firstListed: (count: number) => `(the first ${counted(count, 'attempt')} and the last are listed)`,
  goLive: (n: number) => (n === 0 ? 'Up to date · go live' : `+${counted(n, 'event')} · go live`),
  skipped: (n: number) => `This page was slow: ${counted(n, 'event')} were loaded later. Nothing is lost.`,
  loadOlder: 'Load older events',
  onlyNewest: (n: number) => `Only the newest ${counted(n, 'event')} are loaded.`,
  onlyAround: (n: number) => `Only ${counted(n, 'event')} around the cursor are loaded.`,
  leftOut: 'Narrow the filter to reach older ones.',
  memoryBack: (clock: string) => `Memory goes back to ${clock}. Older events were dropped.`,
  loading: 'Loading events.',
  searching: 'Searching the events in memory.',
  noneHint: 'Each lock event becomes a row here.',
  noMatch: 'No event in memory matches.',
  searched: (events: string, clock: string) => `Searched ${events} events: all since the first one at ${clock}.`,
  searchedDropped: (events: string, clock: string) =>
    `Searched ${events} events: memory goes back to ${clock}. Older events were dropped.`,
  partMatches: (locks: number, holders: number, isMore: boolean) =>
    `No event matches the whole name. As a part, events of ${isMore ? 'at least ' : ''}${counted(locks, 'lock')} and ${counted(holders, 'holder')} match.`,
  showParts: 'Show their events',
  noMatchHint: 'New ones appear here as they happen.',
  event: (seq: number) => `Event ${seq}`,
  sentBy: (client: string) => `sent by ${client}`,
  causedBy: (seq: number) => `caused by event ${seq}`,
  open: 'open',
  copyLines: 'Copy lines',
  loadingLines: 'Loading the Redis lines.',
  noLines: 'No Redis line: this was inferred by Lockscope, not reported by Redis.',
  lines: 'Redis lines',
  moreCharacters: (n: number) => `… ${n} more characters`,
  forgotten: (seq: number) => `Event ${seq} is no longer in memory.`,
  forgottenHint: 'Only the newest events are kept.',
};
