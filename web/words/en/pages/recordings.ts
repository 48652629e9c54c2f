import type { RecordingEntry } from '../../../../shared/wire/recordings.ts';
import { counted } from '../counted.ts';

/** The Recordings page, and what every page shows about recordings. */
export const recordings = {
  title: 'Recordings',
  list: 'Recordings that Lockscope keeps',
  choose: 'Open a file…',
  dropHere:
    'Drop a .lockscope file, or the text of redis-cli monitor (also gzipped), anywhere on the page, or choose one.',
  /** Shown while a file is dragged over the page. */
  drop: 'Drop the file to open it',
  contents: 'What is in this recording',
  inThese: (length: string) => `In these ${length}:`,
  noProblems: (length: string) => `No problem was found in these ${length}.`,
  moreProblems: (count: number) => counted(count, 'further problem'),
  jumpTo: 'Moves to the instant at which it was reported.',
  kept: 'Uploaded and saved recordings are deleted when this Lockscope ends. Download what you want to keep.',
  room: (files: number, mostFiles: number, used: string, most: string) =>
    `${files} of ${counted(mostFiles, 'file')}, ${used} of ${most}.`,
  none: 'No recordings yet.',
  noneHint: 'A recording contains the lock activity that Lockscope saw.',
  head: {
    name: 'Name',
    from: 'From',
    to: 'To',
    length: 'Length',
    size: 'Size',
    source: 'Redis',
    events: 'Events',
    state: 'State',
    actions: 'Actions',
  },
  origin: {
    uploaded: 'uploaded',
    saved: 'saved from memory',
    automatic: 'saved around a problem',
    record: 'file of --record',
  } satisfies Record<RecordingEntry['origin'], string>,
  unknown: 'not known yet',
  whole: 'whole',
  text: 'from MONITOR text',
  textTitle: 'This was made from the text of redis-cli monitor.',
  textMeaning:
    'The text has no key events, no lists of connections and no replies, so ends of leases are computed, and a hold from before it began is known only once a command shows it. Times are Redis’s own clock.',
  cutShort: 'cut short: its end is missing',
  badLines: (count: number) => counted(count, 'unreadable line'),
  writing: 'being written',
  open: 'Open',
  openName: (name: string) => `Open ${name}`,
  opening: 'Opening…',
  shownHere: 'shown here',
  download: 'Download',
  downloadName: (name: string) => `Download ${name}`,
  remove: 'Delete',
  removeName: (name: string) => `Delete ${name}`,
  removeSure: 'Delete it?',
  save: 'Save the last 10 minutes',
  saving: 'Saving the last 10 minutes…',
  saved: (names: string) => `Saved: ${names}`,
  notSaved: (source: string, why: string) => `Not saved: ${source}. ${why}`,
  savedHint: 'Kept until this Lockscope ends. Download to keep longer.',
  reading: (name: string) => `Reading ${name}…`,
  readingHint: 'It opens when it has been read.',
  toList: 'All recordings',
  toLive: 'Back to the Lockscope that keeps it',
  dismiss: 'Close this message',
  /** The bar below the health strip of an opened recording. */
  scrub: {
    label: 'Playing the recording',
    position: 'Position in the recording',
    play: 'Play',
    pause: 'Pause',
    speed: 'Speed',
    times: (factor: number) => `×${factor}`,
    /** Two lengths. */
    of: (at: string, length: string) => `${at} of ${length}`,
  },
};
