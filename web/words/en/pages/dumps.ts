import type { DumpEntry, PersonInDump } from '../../../../shared/wire/dumps.ts';
import { counted } from '../counted.ts';

/** Thread dumps: the dialog, and what they show about holders and waiters. */
export const dumps = {
  title: 'Thread dumps',
  open: 'Thread dumps…',
  what: 'Add a dump of the threads of a JVM: holders and waiters of that client get the name, the state and the stack of their thread.',
  how: 'Drop or paste it on any page: jstack, jcmd Thread.print, Thread.dump_to_file, /actuator/threaddump, a javacore, or what kill -3 prints in a log. What containers, logs and mails put around it is skipped.',
  choose: 'Choose a file…',
  kept: 'Kept in the memory of this Lockscope until it ends, and never in a recording.',
  reading: 'Reading the dump…',
  notInRecording: 'Thread dumps can be added while Lockscope watches, not to an opened recording.',
  added: (n: number) => `Read: ${counted(n, 'thread')}.`,
  list: 'Dumps that are kept',
  pasted: 'pasted text',
  format: {
    print: 'jstack, Thread.print or kill -3',
    'mx-text': 'text of ThreadMXBean',
    'thread-info': 'text of ThreadInfo',
    debugger: 'exported by a debugger',
    'file-text': 'Thread.dump_to_file, text',
    'file-json': 'Thread.dump_to_file, JSON',
    actuator: 'actuator, JSON',
    javacore: 'javacore of OpenJ9 or IBM Java',
  } satisfies Record<DumpEntry['format'], string>,
  threads: (n: number, waiting: number) =>
    `${counted(n, 'thread')}, ${waiting} inside a call of Redisson that acquires or waits`,
  several: (n: number) => `The text had ${counted(n, 'dump')}. The last one is used.`,
  notWhole: 'Its end was not seen, so threads may be missing.',
  noVirtual: 'This format lists no virtual threads, except those that were running.',
  client: 'Client',
  noClient: 'not known: choose it',
  byThreads: 'Found by its waiting threads. Another one can be chosen.',
  askClient: 'The threads do not prove which client this is. Choose it if you know it.',
  taken: 'Taken at',
  takenUnknown: 'not known',
  takenAsAdded: 'as it was added',
  inZone: (zone: string, clock: string, ago: string | null) =>
    `${zone}: ${clock}, ${ago === null ? 'as it was added' : `${ago} before it was added`}`,
  local: (time: string) => `The dump says ${time} and names no time zone.`,
  assumedTaken:
    'This zone is assumed, because in it the dump was taken just before it was added. No verdict relies on that.',
  confirmTaken: 'This is right',
  askTaken: 'Only a dump whose instant is known is compared with holds and waits.',
  remove: 'Delete',
  removeName: (name: string) => `Delete the thread dump ${name}`,
  thread: 'Thread',
  at: (clock: string | null, isKnown: boolean) =>
    clock === null
      ? 'in a thread dump of an unknown time'
      : `in the dump of ${clock}${isKnown ? '' : ' (zone assumed)'}`,
  missing: {
    missing: (id: string) => `no thread has the id ${id}`,
    unlisted: (id: string) => `no listed thread has the id ${id}`,
    'no-id': () => 'its number is not the id of a thread: the application passed its own',
  } satisfies Record<Exclude<PersonInDump['found'], 'thread'>, (id: string) => string>,
  missingMeaning: {
    missing:
      'The thread had ended then, or the application passed another id, for example to lockAsync(). A JVM with jdk.trackAllThreads=false leaves out virtual threads.',
    unlisted: 'It may be a virtual thread, or the end of the dump is missing. So it is not known whether it had ended.',
    'no-id': 'Java numbers its threads from 1.',
  } satisfies Record<Exclude<PersonInDump['found'], 'thread'>, string>,
  younger: 'The thread may have started after the dump.',
  later: 'It began after the dump, or shortly before: the thread may have done something else then.',
  virtual: 'virtual',
  noName: '(no name)',
  stack: (n: number) => `Stack: ${counted(n, 'line')}`,
  moreFrames: (n: number) => `… and ${counted(n, 'more line', 'more lines')}`,
  blocked: (what: string | null, owner: string) => `waits inside the JVM for ${what ?? 'a lock'}, which ${owner} has`,
  owner: (id: number, name: string | null) => (name === null ? `thread ${id}` : `${name} (thread ${id})`),
};
