/** What every page shows about recordings. */
export const recordings = {
  title: 'Recordings',
  choose: 'Open a file…',
  /** Shown while a file is dragged over the page. */
  drop: 'Drop the file to open it',
  none: 'No recordings yet.',
  unknown: 'not known yet',
  whole: 'whole',
  text: 'from MONITOR text',
  textTitle: 'This was made from the text of redis-cli monitor.',
  textMeaning:
    'The text has no key events, no lists of connections and no replies, so ends of leases are computed, and a hold from before it began is known only once a command shows it. Times are Redis’s own clock.',
  open: 'Open',
  download: 'Download',
  save: 'Save the last 10 minutes',
  saving: 'Saving the last 10 minutes…',
  saved: (names: string) => `Saved: ${names}`,
  notSaved: (source: string, why: string) => `Not saved: ${source}. ${why}`,
  savedHint: 'Kept until this Lockscope ends. Download to keep longer.',
  reading: (name: string) => `Reading ${name}…`,
  readingHint: 'It opens when it has been read.',
  toList: 'All recordings',
  dismiss: 'Close this message',
};
