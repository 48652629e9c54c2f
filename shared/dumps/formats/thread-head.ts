import { type DumpFormat, type JvmWait, THREAD_STATES, type ThreadState } from '../thread-dump.ts';

/** The first line of a thread in a text. */
type ThreadHead = {
  readonly name: string;
  /**
   * The id of the thread in Java. Null: the head has none, because the thread belongs to the JVM itself, or the JVM is
   * older than Java 8.
   */
  readonly javaId: number | null;
  readonly format: DumpFormat;
  readonly isVirtual?: boolean;
  /** Absent: the head line does not contain a state. */
  readonly state?: ThreadState | null;
  readonly wait?: JvmWait | null;
};

const LONGEST = 4000;

/**
 * Reads the first line of a thread; undefined for another line. A name may contain quotes.
 *
 *   "worker-1" #22 [4711] daemon prio=5 os_prio=0 tid=0x00007f01 …            print
 *   "worker-1" - Thread t@22                                                mx-text
 *   "worker-1" daemon prio=5 Id=22 BLOCKED on java.lang.Object@1b6d3586 owned by "worker-2" Id=31
 *   "worker-1" id=22 state=BLOCKED                                          Dropwizard
 *   "worker-1@1234" daemon prio=5 tid=0x16 nid=NA waiting for monitor entry       debugger: its tid is the Java id
 */
export function threadHeadIn(line: string): ThreadHead | undefined {
  if (!line.startsWith('"')) return undefined;
  const print = printHead(line);
  if (print && print.javaId !== null) return print;
  return infoHead(line.slice(0, LONGEST)) ?? debuggerHead(line.slice(0, LONGEST)) ?? print;
}

/** Arthas, Jenkins and Tomcat write fields after the id; Tomcat and Dropwizard the owner on another line. */
const INFO =
  /^"(.*)" (?:daemon )?(?:prio=\d{1,3} )?Id=(\d{1,16}) (?:Group=.{1,200}? |(?:\w{1,20}=\S{1,40} ){1,5})?([A-Z_]{3,20})(?=\s*$| on | \(| owned by )(?: on ([^\s]{1,500}))?(?: owned by "(?:.*)" Id=(\d{1,16}))?/;
const WITHOUT_LOCK = /^"(.*)" (?:Id=(\d{1,16}) cpu=-?\d{1,20} ns usr=|id=(\d{1,16}) state=([A-Z_]{3,20})(?=\s*$| \())/;

function infoHead(line: string): ThreadHead | undefined {
  const [, name, id, word, lock, owner] = INFO.exec(line) ?? [];
  if (name === undefined || id === undefined) return headWithoutLock(line);
  const state = THREAD_STATES.find((each) => each === word) ?? null;
  return { name, javaId: Number(id), format: 'thread-info', state, wait: infoWait(state, lock, owner) };
}

function headWithoutLock(line: string): ThreadHead | undefined {
  const [, name, id, other, word] = WITHOUT_LOCK.exec(line) ?? [];
  if (name === undefined) return undefined;
  const state = THREAD_STATES.find((each) => each === word) ?? null;
  return { name, javaId: Number(id ?? other), format: 'thread-info', state };
}

/** A thread in `Object.wait()` waits on something that has no owner. */
function infoWait(state: ThreadState | null, lock = '', owner?: string): JvmWait | null {
  const kind = state === 'BLOCKED' ? 'monitor' : 'lock';
  if (lock === '' || (owner === undefined && kind === 'lock')) return null;
  const end = lock.lastIndexOf('@');
  const className = end > 0 ? lock.slice(0, end) : null;
  return { id: lock, className, kind, ownerId: owner === undefined ? null : Number(owner) };
}

const DEBUGGER = /^"(.*)@\d{1,18}"(?: daemon)?(?: prio=\d{1,3})? tid=0x([0-9a-f]{1,13}) nid=NA( virtual)?/;

function debuggerHead(line: string): ThreadHead | undefined {
  const [, name, id, virtual] = DEBUGGER.exec(line) ?? [];
  if (name === undefined || id === undefined) return undefined;
  return { name, javaId: Number.parseInt(id, 16), format: 'debugger', isVirtual: virtual !== undefined };
}

const NUMBER = /^\s{0,20}#(\d{1,16})(?:\s|$)/;
/** What may follow the number of a thread. In a sentence, other words follow it. The last word of a line may be cut. */
const BEHIND_NUMBER =
  /^(?:\s{1,20}(?:\[\d{1,10}\]|daemon|virtual|\.{3}|…|(?![tn]id=)[\w-]{1,30}=\S{1,60}))*\s{0,20}(?:$|[tn]id=|(\S{1,60})$|(?:runnable|waiting|sleeping|in Object\.wait)\b|\[0x)/;
const LAST_WORDS = [
  'daemon',
  'virtual',
  'prio=',
  'os_prio=',
  'cpu=',
  'elapsed=',
  'allocated=',
  'defined_classes=',
  'tid=',
  'nid=',
];

function isBehindNumber(text: string): boolean {
  if (/\s[tn]id=(?:0x)?\d/.test(text)) return true;
  const [found, last] = BEHIND_NUMBER.exec(text) ?? [];
  return (
    found !== undefined &&
    (last === undefined || LAST_WORDS.some((word) => word.startsWith(last.replace(/[.…]{1,3}$/, ''))))
  );
}

const MX_NUMBER = /^ - Thread t@(\d{1,16})\s*[|│]?\s*$/;

function printHead(line: string): ThreadHead | undefined {
  const end = line.lastIndexOf('"');
  if (end === 0) return undefined;
  const rest = line.slice(end + 1);
  const name = line.slice(1, end);
  const mx = MX_NUMBER.exec(rest)?.[1];
  if (mx !== undefined) return { name, javaId: Number(mx), format: 'mx-text' };
  const number = NUMBER.exec(rest);
  if (number) {
    const isHead = isBehindNumber(rest.slice(number[0].trimEnd().length, LONGEST));
    return isHead ? { name, javaId: Number(number[1]), format: 'print' } : undefined;
  }
  return / (?:os_)?prio=| tid=0x/.test(rest.slice(0, LONGEST)) ? { name, javaId: null, format: 'print' } : undefined;
}
