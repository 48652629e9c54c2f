import type { DumpCode, TextsOf } from '../values.ts';

/** Thread dumps, in English. */
export const DUMP_TEXTS: TextsOf<DumpCode> = {
  'not-a-thread-dump': ({ why }) => FAULTS[why],
  'thread-dump-too-large': ({ megabytes }) => ({
    message: `This thread dump is larger than ${megabytes} MB.`,
    hint: 'If the text contains several dumps, add only the last one.',
  }),
  'thread-dump-too-much': () => ({
    message: 'Reading this thread dump took too long, or too much memory.',
    hint: 'If the text contains several dumps, add only the last one.',
  }),
  'thread-dump-too-many': ({ most }) => ({
    message: `This dump has more than ${most} threads.`,
    hint: 'Use "jcmd PID Thread.print -l", which leaves out virtual threads.',
  }),
  'thread-dumps-full': ({ dumps, megabytes }) => ({
    message: `There is no room for another thread dump: ${dumps} dumps or ${megabytes} MB are kept at most.`,
    hint: 'Delete one first.',
  }),
  'unknown-thread-dump': () => ({
    message: 'There is no such thread dump. It may have been deleted.',
    hint: 'GET /api/thread-dumps lists all of them.',
  }),
};

const OPEN_IT = 'Open it on the Recordings page, or drop it on any page.';
const HOW_TO_DUMP = 'Use "jcmd PID Thread.print -l", or another dump of a JVM that shows the ids of its threads.';
const FAULTS = {
  'not-a-dump': {
    message: 'This is not a thread dump in a known format: no thread was found in it.',
    hint: HOW_TO_DUMP,
  },
  'no-ids': {
    message: 'The threads in this text have no Java ids: a dump before Java 8, a list of deadlocks, or of coroutines.',
    hint: HOW_TO_DUMP,
  },
  cut: { message: 'The end of this thread dump is missing, so its JSON cannot be read.', hint: 'Add the whole file.' },
  forced: {
    message: 'This dump (jstack -F) numbers its threads by the ids of the operating system, not by those of Java.',
    hint: 'Use "jcmd PID Thread.print -l". If the JVM does not answer, use "kill -3 PID", which prints to its log.',
  },
  j9: {
    message: 'The threads in this javacore have no Java ids, as before IBM Java 6.',
    hint: 'Use "jcmd PID Thread.print", or GET /actuator/threaddump of the application.',
  },
  android: {
    message: 'This lists threads of Android, whose numbers are not those of Java threads.',
    hint: HOW_TO_DUMP,
  },
  native: { message: 'These are stacks of gdb or pstack, which do not name Java threads.', hint: HOW_TO_DUMP },
  'other-runtime': {
    message: 'These are threads of Go, Python or .NET. Only those of a JVM are read.',
    hint: HOW_TO_DUMP,
  },
  exception: { message: 'This is the stack of an exception, not a list of all threads.', hint: HOW_TO_DUMP },
  'monitor-text': { message: 'This is the text of redis-cli monitor, not a thread dump.', hint: OPEN_IT },
  recording: { message: 'This is a Lockscope recording, not a thread dump.', hint: OPEN_IT },
  empty: { message: 'This text is empty.', hint: HOW_TO_DUMP },
  'heap-dump': { message: 'This is a heap dump, not a dump of threads.', hint: HOW_TO_DUMP },
  'flight-recording': {
    message: 'This is a recording of Java Flight Recorder.',
    hint: 'Add the thread dumps in it as text: "jfr print --events jdk.ThreadDump FILE".',
  },
  archive: { message: 'This is an archive, or a compressed file.', hint: 'Unpack it, and add the text in it.' },
  document: {
    message: 'This is a document of a text program, or a spreadsheet.',
    hint: 'Save it as plain text, and add that file.',
  },
  picture: { message: 'This is a picture or a PDF.', hint: 'Add the text itself.' },
  'other-file': {
    message: 'This is what jcmd printed when it wrote a thread dump into a file. The dump itself is not in it.',
    hint: 'Add the file that it names, from the machine or container of that JVM.',
  },
  'no-answer': {
    message: 'This is an error of jstack or jcmd: the JVM did not answer. No thread was found in it.',
    hint: 'Use the same user and container as the JVM. If it does not answer, "kill -3 PID" prints a dump to its log.',
  },
  'web-answer': {
    message: 'This is an error or a web page in place of a thread dump.',
    hint: 'Ask again with the rights that the page needs, or use "jcmd PID Thread.print -l".',
  },
  'redis-data': { message: 'This is a file with the data of a Redis (RDB).', hint: HOW_TO_DUMP },
  encoded: {
    message: 'This is text in base64, as in the source of a mail or in an export.',
    hint: 'Save the attachment in a mail program, or decode it ("base64 -d"), and add that text.',
  },
  binary: { message: 'This is a binary file, not a text.', hint: HOW_TO_DUMP },
} as const;
