import { FILE_KINDS } from '../unwrap/file-kinds.ts';
import type { Skipped } from '../unwrap/skipped.ts';

/**
 * How a dump was written:
 *
 *   print         `jstack`, `jcmd Thread.print`, `kill -3`, `jhsdb jstack`
 *   mx-text       the text of Spring Boot's actuator, of VisualVM and JConsole
 *   thread-info   `ThreadInfo.toString()`
 *   debugger      what IntelliJ IDEA exports
 *   file-text     `jcmd Thread.dump_to_file`
 *   file-json     `jcmd Thread.dump_to_file -format=json`
 *   actuator      Spring Boot's actuator as JSON
 *   javacore      what OpenJ9 and IBM Java write
 */
export const DUMP_FORMATS = [
  ...(['print', 'mx-text', 'thread-info', 'debugger', 'file-text', 'file-json', 'actuator', 'javacore'] as const),
] as const;
export type DumpFormat = (typeof DUMP_FORMATS)[number];

/** The states of `java.lang.Thread.State`. */
export const THREAD_STATES = ['NEW', 'RUNNABLE', 'BLOCKED', 'WAITING', 'TIMED_WAITING', 'TERMINATED'] as const;
export type ThreadState = (typeof THREAD_STATES)[number];

/** One thread of a JVM at the instant of a dump. */
export type DumpThread = {
  /** `Thread.getId()`: the number in a Redisson holder id. */
  readonly javaId: number;
  readonly name: string;
  /** Null: the dump does not show the state of this thread. */
  readonly state: ThreadState | null;
  readonly isVirtual: boolean;
  /** The stack, newest call first: places in the `frames` of the dump. */
  readonly stack: readonly number[];
  /** The number of frames that are not listed. */
  readonly framesBeyond: number;
  /**
   * The monitor that the thread has to enter, or the object for which it is parked, such as a lock. Null: the thread
   * does not wait, or the dump does not show for what.
   */
  readonly waitsFor: JvmWait | null;
};

/** What a thread waits for inside its JVM. */
export type JvmWait = {
  /** An address (`0x61f5f0a58`), which is unique in the dump, or `class@hash`. */
  readonly id: string;
  /** The class of the object; null: not known. */
  readonly className: string | null;
  /**
   * `monitor`: to enter a `synchronized` block. `lock`: parked for a lock or another object of `java.util.concurrent`.
   */
  readonly kind: 'monitor' | 'lock';
  /** The Java id of the thread that holds the lock; null: the dump does not show it. */
  readonly ownerId: number | null;
};

/** One dump of the threads of a JVM. */
export type ThreadDump = {
  readonly format: DumpFormat;
  /** The number of dumps in the text, of which this is the last. */
  readonly dumps: number;
  /**
   * When the dump was taken, in milliseconds since the epoch, by the clock of the JVM; null: it contains no instant.
   */
  readonly takenAtMs: number | null;
  /** The local time in the dump, without a zone (`2026-11-23 14:02:11`); null: it has no time. */
  readonly localTime: string | null;
  /** The version of Java in the dump, for example `17.0.15+6`; null: it has no version. */
  readonly version: string | null;
  /** The number of the Java release: 8 for `1.8.0_402`, 17 for `17.0.15+6`; null: not known. */
  readonly javaVersion: number | null;
  /** Whether the end of the dump was seen. False: threads may be missing. */
  readonly isWhole: boolean;
  /** Whether the format lists virtual threads as well. */
  readonly listsVirtual: boolean;
  /** Every thread with an id, each id once. */
  readonly threads: readonly DumpThread[];
  /** The lines of all stacks, each different line once. */
  readonly frames: readonly string[];
  /** What was around the dump in the text; null: nothing. */
  readonly skipped: Skipped | null;
};

/** A dump as a parser of one format returns it. */
export type ParsedDump = Omit<ThreadDump, 'skipped'>;

/** Other kinds of texts and files, by what they seem to be. */
const NOT_DUMPS = [
  /** `jhsdb jstack`, `jstack -F`: threads by the ids of the operating system. */
  'forced',
  /** A javacore without Java ids of threads, as before IBM Java 6. */
  'j9',
  'android',
  /** Stacks of `gdb` or `pstack`. */
  'native',
  /** Threads of Go, Python or .NET. */
  'other-runtime',
  /** The stack of one exception. */
  'exception',
  'monitor-text',
  'recording',
  /** What `jcmd` prints when it writes the dump into a file. */
  'other-file',
  /** An error of `jstack` or `jcmd`. */
  'no-answer',
  /** What a web server answered in place of the dump. */
  'web-answer',
  ...FILE_KINDS,
] as const;

/**
 * Why a text is not read as a dump:
 *
 *   not-a-dump         it has no threads in a known format
 *   no-ids             its threads have no Java ids, as before Java 8
 *   cut                JSON that does not end
 *   too-many-threads   more than `MOST_THREADS`
 *
 * The others name what the text seems to be.
 */
export const DUMP_FAULTS = ['not-a-dump', 'no-ids', 'cut', 'too-many-threads', ...NOT_DUMPS] as const;
export type DumpFault = (typeof DUMP_FAULTS)[number];

export const MOST_THREADS = 50_000;
export const MOST_FRAMES = 200;
/** Monitors and locks of one thread. */
export const MOST_HELD = 200;
const MOST_NAME = 200;
const MOST_FRAME = 400;

/** A name of a thread, shortened if it is very long. */
export function shortName(name: string): string {
  return name.length > MOST_NAME ? `${name.slice(0, MOST_NAME)}…` : name;
}

/** A line of a stack, shortened if it is very long. */
export function shortFrame(frame: string): string {
  return frame.length > MOST_FRAME ? `${frame.slice(0, MOST_FRAME)}…` : frame;
}

/** The first version of Java with virtual threads, at first as a preview. */
export const FIRST_WITH_VIRTUAL = 19;

/** The release of a version: 17 for `17.0.15+6-LTS`, 8 for `25.402-b06` and `1.8.0_402`; null: not known. */
export function javaVersionOf(version: string): number | null {
  if (/^25\.\d{1,9}-b\d/.test(version)) return 8; // Java 8 names its VM 25.x
  const old = /^1\.(\d{1,2})\./.exec(version)?.[1];
  const first = old ?? /^(\d{1,3})(?:[.+-]|$)/.exec(version)?.[1];
  return first === undefined ? null : Number(first);
}
