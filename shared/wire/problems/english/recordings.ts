import type { RecordingCode, TextsOf } from '../values.ts';

/** Recordings that are written, opened and kept, in English. */
export const RECORDING_TEXTS: TextsOf<RecordingCode> = {
  'not-a-recording': ({ seems, line }) => {
    const { message, hint } = seems === undefined ? UNKNOWN : SEEMS[seems];
    return { message: line === undefined ? message : `${message} See line ${line}.`, hint };
  },
  'monitor-of-several': ({ one, other }) => ({
    message: `This text has lines of several servers: "${one}" and "${other}".`,
    hint: 'Open the lines of one server at a time.',
  }),
  'recording-newer': ({ format, reads }) => ({
    message: `Made by a newer version (format ${format}; this reads ${reads}).`,
    hint: 'Open it with the newest Lockscope.',
  }),
  'recording-damaged': ({ field }) => ({
    message: `This recording cannot be read: ${
      field === 'format' ? 'its first line has no format' : `"${field}" in its first line is missing or wrong`
    }.`,
    hint: 'Take another copy of the file, or record again.',
  }),
  'recording-too-large': ({ part, megabytes }) => ({
    message: `This recording cannot be read: ${PARTS[part]} ${megabytes} MB.`,
    hint:
      part === 'line' || part === 'memory'
        ? 'Take another copy of the file, or record again.'
        : 'Open it with "lockscope open FILE", or record a shorter time.',
  }),
  'recording-too-long': ({ lines }) => ({
    message: `This recording cannot be read: it has more than ${lines / 1_000_000} million lines.`,
    hint: 'Open it with "lockscope open FILE", or record a shorter time.',
  }),
  'recording-unreadable': ({ why }) => UNREADABLE[why],
  'recordings-full': ({ files, megabytes }) => ({
    message: `There is no room for another recording: ${files} files or ${megabytes} MB are kept at most.`,
    hint: 'Delete one on the Recordings page.',
  }),
  'recordings-disk-full': () => ({
    message: 'There is no room for the recording: the disk for temporary files is full.',
    hint: 'Delete a recording, or free space on that disk.',
  }),
  'unknown-problem': () => ({
    message: 'There is no problem with this id among those of the last 24 hours.',
    hint: 'GET /api/problems lists them.',
  }),
  'unknown-recording': () => ({
    message: 'There is no such recording. It may have been deleted.',
    hint: 'GET /api/recordings lists all of them.',
  }),
  'recording-closed': ({ name }) => ({
    message: `The recording ${name} is not open.`,
    hint: 'Load its page to open it, unless it was deleted.',
  }),
  'recording-yours': ({ name }) => ({
    message: `${name} is the file of --record. Lockscope does not delete it.`,
    hint: 'Delete the file yourself.',
  }),
  'not-a-file': () => ({
    message: 'The body is not marked as a file with a known length.',
    hint: 'Send "Content-Type: application/octet-stream" and "Content-Length".',
  }),
  'disk-full': ({ file }) => ({ message: `The recording ${file} stopped: the disk is full.`, hint: WRITTEN }),
  'store-failed': ({ file, why, quote }) => ({
    message: `Nothing is stored in ${file}: ${why === 'other' ? quote : why === 'gone' ? `the database does not answer (${quote})` : NOT_STORED[why]}.`,
    hint:
      why === 'gone'
        ? 'Lockscope goes on watching, and tries again every 5 s. Up to 32 MB of what happens until then is kept, and stored then.'
        : 'Lockscope goes on watching, and tries again every 5 s. What happens until then will be missing in the store.',
  }),
  'store-unreadable': ({ file, quote }) => ({
    message: `What is stored in ${file} cannot be read: ${quote}.`,
    hint: 'Instants and ranges in memory are still shown. Try again when the store answers.',
  }),
  'recording-failed': ({ file, why, quote }) => ({
    message: `The recording ${file} stopped: ${why === 'other' ? quote : CAUSES[why]}.`,
    hint: WRITTEN,
  }),
};

const NOT_STORED = { full: 'the disk is full', slow: 'the disk is too slow' };
const HOW = 'Recordings are made with --record FILE or saved on the page. The text of "redis-cli monitor" opens, too.';
const HOW_TO_RECORD = 'Run "redis-cli monitor > FILE" while it happens, and open that text.';
const UNKNOWN = { message: 'This is not a Lockscope recording. No line of MONITOR was found in it.', hint: HOW };
const SEEMS = {
  empty: { message: 'This file is empty.', hint: HOW },
  'heap-dump': { message: 'This is a heap dump of a JVM, not a recording.', hint: HOW },
  'flight-recording': { message: 'This is a recording of Java Flight Recorder, not of Lockscope.', hint: HOW },
  archive: {
    message: 'This is an archive, or a compressed file.',
    hint: 'Unpack it, and open the text in it. A text that is packed with gzip alone, and once, opens as it is.',
  },
  document: {
    message: 'This is a document of a text program, or a spreadsheet.',
    hint: 'Save it as plain text, and open that file.',
  },
  damaged: {
    message: 'This file is packed with gzip, and damaged: nothing in it can be read.',
    hint: 'Take another copy of the file.',
  },
  picture: { message: 'This is a picture or a PDF.', hint: 'Open the text itself.' },
  'redis-data': {
    message: 'This is a file with the data of a Redis (RDB). It shows no commands.',
    hint: HOW_TO_RECORD,
  },
  encoded: {
    message: 'This is text in base64, as in the source of a mail or in an export.',
    hint: 'Save the attachment in a mail program, or decode it ("base64 -d"), and open that file.',
  },
  binary: { message: 'This is a binary file, not a recording.', hint: HOW },
  'thread-dump': {
    message: 'This seems to be a thread dump, not a recording.',
    hint: 'Add it under "Thread dumps…", while Lockscope watches.',
  },
  'recording-text': {
    message: 'This is text of a Lockscope recording, but it does not begin with the line that a recording begins with.',
    hint: 'Open the file itself, as it was written or saved.',
  },
  'redis-log': { message: 'This is the log of a Redis server. It shows no commands.', hint: HOW_TO_RECORD },
  'redis-info': { message: 'This is the answer of INFO. It shows no commands.', hint: HOW_TO_RECORD },
  'client-list': {
    message: 'This is a list of the clients of a Redis. It shows only the last command of each.',
    hint: HOW_TO_RECORD,
  },
  slowlog: {
    message: 'This is a slow log. It shows only slow commands, and not what runs inside of scripts.',
    hint: HOW_TO_RECORD,
  },
  'redis-error': {
    message: 'Redis, or redis-cli, answered with an error. There are no commands in this file.',
    hint: 'Mend the error that the file shows, and run "redis-cli monitor > FILE" again.',
  },
  'redis-reply': {
    message:
      'This is an answer of Redis to another command than MONITOR, a report of redis-cli, or messages of a subscription.',
    hint: HOW_TO_RECORD,
  },
  'other-times': {
    message: 'These look like commands of Redis, but not with the times of MONITOR: seconds with six decimals.',
    hint: 'Run "redis-cli monitor > FILE" and open that text: each line needs its whole time, for example 1795000001.000001.',
  },
  'other-form': {
    message: 'These look like commands of Redis, but not as redis-cli writes them since Redis 2.6.',
    hint: 'Run "redis-cli monitor > FILE" and open that text. Its lines are like: 1795000001.000001 [0 10.0.0.7:51422] "GET" "k".',
  },
  commands: {
    message: 'This is an append-only file of Redis. It shows no clients and no exact times.',
    hint: HOW_TO_RECORD,
  },
} as const;
const WRITTEN = 'What was written before can be opened. Start again with --record on a disk with free space.';
const CAUSES = {
  exists: 'that file already exists',
  'no-folder': 'there is no such folder',
  forbidden: 'you may not write there',
  'is-folder': 'that is a folder',
} as const;
const PARTS = {
  file: 'it is larger than',
  unpacked: 'unpacked, it is larger than',
  memory: 'to read it takes more memory than',
  line: 'one of its lines is longer than',
} as const;
const UNREADABLE = {
  missing: { message: 'There is no such file.', hint: 'Check its name and folder.' },
  'is-folder': { message: 'That is a folder.', hint: 'Name a file in it.' },
  forbidden: { message: 'You may not read that file.', hint: 'Change its permissions, or copy it.' },
} as const;
