import { counted } from './counted.ts';

/** The page and the table of events, and what stands behind one event. */
export const eventList = {
  title: 'Events',
  filter: { lock: 'Lock', event: 'Event', holder: 'Holder' },
  column: {
    time: 'Time',
    step: 'Δ',
    lock: 'Lock',
    holder: 'Holder',
    event: 'Event',
    detail: 'Detail',
    certainty: 'How sure',
  },
  /** Attempts that came without a pause, as one row. */
  run: (attempts: number) => `refused ${counted(attempts, 'time')}`,
  runWithin: (length: string) => `asked without a pause for ${length}`,
  firstListed: (count: number) => `(the first ${counted(count, 'attempt')} and the last are listed)`,
  goLive: (n: number) => (n === 0 ? 'Nothing new · go live' : `+${counted(n, 'event')} · go live`),
  skipped: (n: number) =>
    `This page was slow: ${counted(n, 'event')} came later, from the record. The record is complete.`,
  loadOlder: 'Load older events',
  leftOut: 'Older events are left out here. Narrow the filter to reach them.',
  loading: 'Loading events.',
  none: 'Watching. No lock activity yet.',
  noneHint: 'Each thing that happens to a lock becomes a row here.',
  noMatch: 'No event in memory matches.',
  noMatchHint: 'New ones appear here as they happen.',
  event: (seq: number) => `Event ${seq}`,
  sentBy: (client: string) => `sent by ${client}`,
  causedBy: (seq: number) => `caused by event ${seq}`,
  open: 'open',
  copyLines: 'Copy lines',
  loadingLines: 'Loading the Redis lines.',
  noLines: 'No Redis line: this was concluded, not said by Redis.',
  lines: 'Redis lines',
  moreCharacters: (n: number) => `… ${n} more characters`,
  forgotten: (seq: number) => `Event ${seq} is no longer in memory.`,
  forgottenHint: 'Only the newest events are kept.',
};
