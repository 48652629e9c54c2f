import { fail, type Result } from '../../base/result.ts';
import { DumpBuilder } from '../dump-builder.ts';
import { type DumpFault, type JvmWait, javaVersionOf, type ParsedDump, type ThreadState } from '../thread-dump.ts';
import { linesOf } from './text-lines.ts';

/*
 * A javacore of OpenJ9 or IBM Java (`javacore.*.txt`, also what `kill -3` and `jcmd Dump.java` write). Each line begins
 * with a tag:
 *
 *   1TIDATETIMEUTC Date: 2026/11/23 at 14:02:11:157 (UTC)
 *   3XMTHREADINFO      "worker-1" J9VMThread:0x00123400, omrthread_t:0x00007F01, java/lang/Thread:0xFFF5, state:B, prio=5
 *   3XMJAVALTHREAD            (java/lang/Thread getId:0x1F, isDaemon:false)
 *   3XMTHREADBLOCK     Blocked on: shop/Prices@0xFFF61C90 Owned by: "prices" (J9VMThread:0x00124100, java/lang/Thread:0xFFF6)
 *   4XESTACKTRACE                at shop/Prices.load(Prices.java:40(Compiled Code))
 *   5XESTACKTRACE                   (entered lock: shop/Orders@0xFFF61D00, entry count: 1)
 */

const THREAD = '3XMTHREADINFO ';
const TITLE = /^0SECTION\s{1,20}TITLE\b/gm;

/** Whether a text is a javacore, or the part of one with its threads. */
export function isJavacore(text: string): boolean {
  return text.includes(THREAD);
}

/** Parses the last javacore in a text. */
export function parseJavacore(text: string): Result<ParsedDump, DumpFault> {
  const begins = [...text.matchAll(TITLE)].map(({ index }) => index);
  const last = text.slice(begins.at(-1) ?? 0);
  const reader = new JavacoreReader(idsIn(last));
  for (const line of linesOf(last)) reader.take(line);
  return reader.result(Math.max(1, begins.length));
}

type Head = { readonly name: string; readonly address: string | undefined; readonly state: string };

/** The first line of a thread. Its name may contain quotes. */
function headIn(line: string): Head | undefined {
  const [begin, end] = [line.indexOf('"'), line.lastIndexOf('" ')];
  const rest = line.slice(end + 2, end + 1000);
  const state = /\bstate:([A-Z]{1,3})\b/.exec(rest)?.[1];
  if (begin < 0 || end <= begin || state === undefined) return undefined;
  return { name: line.slice(begin + 1, end), address: /^J9VMThread:(0x[0-9A-F]{1,16})/.exec(rest)?.[1], state };
}

const ID = /^3XMJAVALTHREAD\s{1,40}\([^\s)]{1,300} getId:0x([0-9A-F]{1,13})\b/;

/** The Java ids of threads by the address that names the owner of a lock. */
function idsIn(text: string): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  let address: string | undefined;
  for (const line of linesOf(text)) {
    if (line.startsWith(THREAD)) address = headIn(line)?.address;
    const id = address === undefined ? undefined : ID.exec(line)?.[1];
    if (address === undefined || id === undefined) continue;
    ids.set(address, Number.parseInt(id, 16));
    address = undefined;
  }
  return ids;
}

const BLOCK = /^3XMTHREADBLOCK\s{1,20}(Blocked|Parked|Waiting) on: (?:([^\s@]{1,300})@(0x[0-9A-F]{1,16}))?/;
const OWNER = /" \(J9VMThread:(0x[0-9A-F]{1,16})/;
const ENTERED = /^5XESTACKTRACE\s{1,40}\(entered lock: [^\s@]{1,300}@(0x[0-9A-F]{1,16})/;
const DATE = /Date: (\d{4})\/(\d\d)\/(\d\d) at (\d\d:\d\d:\d\d)(?::(\d{3}))?/;
const VERSION = /^1CIJAVAVERSION\s{1,20}(?:J[RD][EK] )?(\S{1,40}).{0,200}?(?:\(build (\d[^\s()]{0,80})|$)/;

class JavacoreReader {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #builder = new DumpBuilder();
  #head: Head | undefined;
  /** The state of the thread whose lines are read. */
  #state = '';
  #takenAtMs: number | null = null;
  #localTime: string | null = null;
  #version: string | null = null;
  #javaVersion: number | null = null;
  #isWhole = false;

  constructor(ids: ReadonlyMap<string, number>) {
    this.#ids = ids;
  }

  take(line: string): void {
    if (line.startsWith(THREAD)) this.#begin(line);
    else if (line.startsWith('3XMJAVALTHREAD')) this.#named(line);
    else if (line.startsWith('3XMTHREADBLOCK')) this.#blocked(line.slice(0, 3000));
    else if (line.startsWith('4XESTACKTRACE')) this.#frame(line);
    else if (line.startsWith('5XESTACKTRACE')) this.#entered(line);
    else if (line.startsWith('1TIDATETIME')) this.#dated(line);
    else if (line.startsWith('1CIJAVAVERSION')) this.#versioned(line);
    else if (line.startsWith('NULL') && line.includes('END OF DUMP')) this.#isWhole = true;
  }

  /** Threads of the JVM itself have no Java id. */
  #begin(line: string): void {
    this.#builder.end();
    this.#head = headIn(line);
  }

  #named(line: string): void {
    const id = ID.exec(line)?.[1];
    if (!this.#head || id === undefined) return;
    const { name, state } = this.#head;
    this.#builder.begin(Number.parseInt(id, 16), name);
    this.#state = state;
    const known = STATES[state];
    if (known) this.#builder.state(known);
    this.#head = undefined;
  }

  #blocked(line: string): void {
    const [, how, className, id] = BLOCK.exec(line) ?? [];
    if (className === undefined || id === undefined) return;
    if (how === 'Waiting') return this.#builder.releases(id);
    const owner = OWNER.exec(line)?.[1];
    const ownerId = owner === undefined ? null : (this.#ids.get(owner) ?? null);
    const wait: JvmWait = {
      ...{ id, className: className.replaceAll('/', '.') },
      ...{ kind: how === 'Blocked' ? ('monitor' as const) : ('lock' as const), ownerId },
    };
    this.#builder.waitsFor(wait);
  }

  /** Class names have slashes, and compiled code is marked: `shop/Prices.load(Prices.java:40(Compiled Code))`. */
  #frame(line: string): void {
    const [, method, place] = /^4XESTACKTRACE\s{1,40}at ([^\s(]{1,1000})\((.{0,300})\)/.exec(line) ?? [];
    if (method === undefined || place === undefined) return;
    const frame = `${method.replaceAll('/', '.')}(${place.replace(/\(.{0,40}\)$/, '')})`;
    this.#builder.frame(frame);
    // a javacore does not show whether a wait has a limit, but the call at which it waits does
    const state = /^[CP]/.test(this.#state) ? CALLS.find(([call]) => frame.startsWith(call))?.[1] : undefined;
    if (!state) return;
    this.#builder.state(state);
    this.#state = '';
  }

  #entered(line: string): void {
    const id = ENTERED.exec(line)?.[1];
    if (id !== undefined) this.#builder.holds('monitor', id);
  }

  #dated(line: string): void {
    const [, year, month, day, time, ms = '000'] = DATE.exec(line) ?? [];
    if (time === undefined) return;
    const date = `${year}-${month}-${day}`;
    if (line.startsWith('1TIDATETIMEUTC')) this.#takenAtMs = Date.parse(`${date}T${time}.${ms}Z`);
    else this.#localTime = `${date} ${time}`;
  }

  /** `JRE 17 Linux amd64-64 (build 17.0.9+9)`, `JRE 1.8.0 Linux amd64-64 build 8.0.5.40 - pxa6480`. */
  #versioned(line: string): void {
    const [, first, build] = VERSION.exec(line) ?? [];
    this.#version = build ?? first ?? null;
    this.#javaVersion = first === undefined ? null : javaVersionOf(first);
  }

  result(dumps: number): Result<ParsedDump, DumpFault> {
    if (this.#builder.size === 0) return fail('no-ids');
    return this.#builder.result({
      ...{ format: 'javacore', dumps, takenAtMs: this.#takenAtMs, localTime: this.#localTime },
      ...{ version: this.#version, javaVersion: this.#javaVersion, isWhole: this.#isWhole, listsVirtual: false },
    });
  }
}

/**
 * The states that are also states of Java. The wait of a thread in CW or P may have a time limit or not. A suspended
 * thread (S) has no state of Java.
 */
const STATES: Readonly<Partial<Record<string, ThreadState>>> = { R: 'RUNNABLE', B: 'BLOCKED', Z: 'TERMINATED' };

/** Calls that show whether the wait in them has a limit. */
const CALLS: readonly (readonly [call: string, state: ThreadState])[] = [
  ['java.lang.Thread.sleep(', 'TIMED_WAITING'],
  ['java.util.concurrent.locks.LockSupport.parkNanos(', 'TIMED_WAITING'],
  ['java.util.concurrent.locks.LockSupport.parkUntil(', 'TIMED_WAITING'],
  ['java.util.concurrent.locks.LockSupport.park(', 'WAITING'],
];
