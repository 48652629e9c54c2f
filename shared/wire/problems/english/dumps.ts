import type { DumpCode, TextsOf } from '../values.ts';

/** Thread dumps, in English. */
export const OF_DUMPS: TextsOf<DumpCode> = {
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

const HOW = 'Use "jcmd PID Thread.print -l", or another dump of a JVM that shows the ids of its threads.';
const FAULTS = {
  'not-a-dump': { message: 'This is not a thread dump in a known format: no thread was found in it.', hint: HOW },
  'no-ids': { message: 'The threads in this dump have no Java ids, as before Java 8.', hint: HOW },
  cut: { message: 'The end of this thread dump is missing, so its JSON cannot be read.', hint: 'Add the whole file.' },
} as const;
