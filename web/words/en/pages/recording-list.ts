import type { RecordingEntry } from '../../../../shared/wire/recordings.ts';
import { counted } from '../counted.ts';

/** The Recordings page, and the parts that show what is in a recording. */
export const recordingList = {
  list: 'Recordings that Lockscope keeps',
  dropHere:
    'Drop a .lockscope file, or the text of redis-cli monitor (also gzipped), anywhere on the page, or choose one.',
  contents: 'What is in this recording',
  inThese: (length: string) => `In these ${length}:`,
  noProblems: (length: string) => `No problem was found in these ${length}, as far as the recording shows.`,
  moreProblems: (count: number) => counted(count, 'further problem'),
  jumpTo: 'Moves to the instant at which it was reported.',
  kept: 'Uploaded and saved recordings are deleted when this Lockscope ends. Download what you want to keep.',
  room: (files: number, mostFiles: number, used: string, most: string) =>
    `${files} of ${counted(mostFiles, 'file')}, ${used} of ${most}.`,
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
  cutShort: 'cut short: its end is missing',
  badLines: (count: number) => counted(count, 'unreadable line'),
  writing: 'being written',
  openName: (name: string) => `Open ${name}`,
  opening: 'Opening…',
  shownHere: 'shown here',
  downloadName: (name: string) => `Download ${name}`,
  remove: 'Delete',
  removeName: (name: string) => `Delete ${name}`,
  removeSure: 'Delete it?',
  toLive: 'Back to the Lockscope that keeps it',
  /** The bar below the health strip of an opened recording. */
  scrub: {
    label: 'Playing the recording',
    position: 'Position in the recording',
    play: 'Play',
    pause: 'Pause',
    speed: 'Speed',
    times: (factor: number) => `×${factor}`,
    of: (at: string, length: string) => `${at} of ${length}`,
    problems: 'Problems in the recording',
    jump: (title: string, name: string, at: string) => `Go to ${at}: ${title}, ${name}.`,
  },
};
