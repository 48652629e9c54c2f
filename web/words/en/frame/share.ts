import { counted } from '../counted.ts';

/**
 * Sharing: the menu, and the sentences that it offers for a chat or a ticket. The sentences are in the past tense,
 * because they are read later.
 */
export const share = {
  button: 'Share',
  title: 'Share',
  of: (clock: string) => `As of ${clock}`,
  table: 'Export',
  tableTitle: 'This table as a file',
  saveAs: (kind: string) => `Save as ${kind}`,
  copyAs: (kind: string) => `Copy as ${kind}`,
  tableHint: (rows: number) => `${counted(rows, 'row')}. Names of columns are English, times are UTC.`,
  copyLink: 'Copy link',
  linkHint: 'Opens this instant, as long as this Lockscope remembers it. Others need the token, if there is one.',
  linkHere:
    'This link has the local name of your own machine. Others can probably not open it: send them the recording.',
  linkInRecording: 'It works on this Lockscope while it keeps this recording. Send the file to others.',
  copyText: 'Copy text',
  textLabel: 'Text in Markdown',
  savePicture: 'Save picture',
  pictureHint: 'The timeline as a PNG file.',
  saveRecording: 'Save recording',
  recordingHint:
    'Lock activity from 2 minutes before to 2 minutes after, as far as it has happened and is in memory. Open it with lockscope open FILE.',
  recordingFiles: (files: number) => `It is saved as ${files} files, one for each Redis server.`,
  saving: 'Saving…',
  saved: 'Saved',
  failed: (reason: string) => `Not saved. ${reason}`,
  noPicture: 'There is nothing to draw in this range.',
  linkText: (what: string) => `Open in Lockscope: ${what}`,

  lock: {
    place: (kind: string, name: string, source: string, db: number) =>
      `the ${kind} ${name} (${source}, database ${db})`,
    free: (clock: string, lock: string) => `At ${clock}, ${lock} was free.`,
    holderUnseen: (clock: string, lock: string) => `At ${clock}, the holder of ${lock} had not been seen.`,
    heldByUnknown: (clock: string, lock: string) => `At ${clock}, ${lock} was held by an unknown client.`,
    counter: (clock: string, lock: string, count: string | undefined) =>
      `At ${clock}, ${lock}: ${count ?? 'count not known'}.`,
    held: (clock: string, lock: string, holders: string, ageAndLease: string) =>
      `At ${clock}, ${lock} was held by ${holders}${ageAndLease}.`,
    andMore: (names: string, more: number) => `${names} and ${more} more`,
    forAge: (length: string, isAtLeast: boolean, isOldest: boolean) =>
      `${isOldest ? ', the oldest hold' : ''} for ${isAtLeast ? 'at least ' : ''}${length}`,
    leaseLeft: (length: string) => `, with ${length} of its lease left`,
    leaseOver: ', and its lease was over',
    leaseNeverEnds: ', and its lease never ends',
    leaseUnknown: ', and the end of its lease was not known',
    waited: (count: string, oldest: string) => `Waiting: ${count}${oldest}.`,
    oldest: (who: string, length: string, isAtLeast: boolean) =>
      `, the oldest ${who} for ${isAtLeast ? 'at least ' : ''}${length}`,
    noWaiters: 'No waiter was seen.',
    waitersHidden: 'Refused attempts were not seen, so waiters are not known.',
    notAllWaiters: 'Not all waiters can be seen, so it is not known whether any waited.',
    listening: (count: number) =>
      `${counted(count, 'client')} listened for its message. Refused attempts were not seen.`,
    gone: (who: string, clock: string | null, address: string | undefined) =>
      `The client of ${who} had no connection to Redis${clock === null ? '' : ` since ${clock}`}${address === undefined ? '' : ` (was ${address})`}.`,
    renewed: (count: number, clock: string) => `${counted(count, 'renewal')} of the lease seen, the last at ${clock}.`,
    unread: 'This state may be old: the lock could not be read.',
    notWatched: 'Lockscope did not watch this Redis then: this is the last state it saw.',
  },
  verdict: {
    /** `what`: the title of the verdict, in bold. */
    head: (what: string, severity: string, confidence: string) => `${what} (${severity}, ${confidence}).`,
    ofLock: (clock: string, name: string, source: string, db: number) =>
      `Seen at ${clock} at the lock ${name} (${source}, database ${db}).`,
    ofSource: (clock: string, source: string) => `Seen at ${clock} at the server ${source}.`,
    since: (clock: string) => `It began at ${clock}.`,
    sinceBefore: (clock: string) => `It began at ${clock} or earlier.`,
    fromTo: (from: string, to: string) => `It began at ${from} and ended at ${to}.`,
    happened: (clock: string) => `It happened at ${clock}.`,
    endsAt: (clock: string) => `It ends by itself at ${clock}.`,
    noEnd: 'No end is known.',
    threads: (names: string) => `Threads: ${names}.`,
  },
  /** `where`: a lock or a source. `what`: the event, and the thread it is about. */
  event: (clock: string, where: string, what: string, detail: string) =>
    `At ${clock}, ${where}: ${what}${detail === '' ? '' : ` (${detail})`}.`,
  sentBy: (address: string) => `Sent by ${address}.`,
  inferred: 'Inferred by Lockscope, not reported by Redis.',
  timeline: {
    ofLock: (lock: string, from: string, to: string, length: string) =>
      `Timeline of ${lock} from ${from} to ${to} (${length}).`,
    ofAll: (from: string, to: string, length: string) => `Timeline of all locks from ${from} to ${to} (${length}).`,
    notWatched: 'Lockscope did not watch all of this time.',
    notLoaded: 'Some of this time is no longer in memory, or was not loaded.',
    moreRows: (count: number) => `${counted(count, 'more row')} not in the picture`,
  },
};
