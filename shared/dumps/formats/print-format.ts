import { fail, type Result } from '../../base/result.ts';
import type { DumpBuilder } from '../dump-builder.ts';
import { LastDump } from '../last-dump.ts';
import {
  type DumpFault,
  type DumpFormat,
  type JvmWait,
  javaVersionOf,
  type ParsedDump,
  THREAD_STATES,
  type ThreadState,
} from '../thread-dump.ts';
import { linesOf } from './text-lines.ts';
import { threadHeadIn } from './thread-head.ts';
import { ThreadLines } from './thread-lines.ts';

/*
 * What a JVM prints itself: `jstack`, `jcmd Thread.print`, `kill -3`, `jhsdb jstack`. Other programs write `mx-text`,
 * `thread-info` and `debugger`: with other heads of threads (`thread-head.ts`) and without a last line.
 *
 *   2026-11-23 14:02:11
 *   Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):
 *
 *   "worker-1" #22 prio=5 os_prio=0 cpu=1.52ms elapsed=9.08s tid=0x00007f01 nid=0x1a2 waiting for monitor entry  [0x00007f]
 *      java.lang.Thread.State: BLOCKED (on object monitor)
 *           at com.shop.Orders.take(Orders.java:42)
 *           - waiting to lock <0x000000061f5f0a58> (a java.lang.Object)
 *    - com.shop.Orders.take() @bci=10, line=42 (Interpreted frame)          (jhsdb)
 *
 *   JNI global refs: 16, weak refs: 0                                    (the end)
 */

/** The beginning of a dump that a JVM prints. */
const FULL_DUMP = 'Full thread dump ';
/** The line above the threads that has the version, in a dump by `jhsdb`. */
const JHSDB_VERSION = /^JVM version is (\d[^\s]{0,80})/m;

/** Parses the last dump in a text. */
export function parsePrint(text: string): Result<ParsedDump, DumpFault> {
  const { at, dumps } = lastDump(text);
  const reader = new PrintReader(headOf(text, at));
  for (const line of linesOf(at < 0 ? text : text.slice(lineStart(text, at)))) {
    if (!reader.take(line)) break;
  }
  return reader.result(Math.max(1, dumps));
}

/** Where the last head of a dump begins (-1 without one), and the number of heads. */
function lastDump(text: string): { at: number; dumps: number } {
  let dumps = 0;
  let at = -1;
  for (let place = text.indexOf(FULL_DUMP); place >= 0; place = text.indexOf(FULL_DUMP, place + 1)) {
    at = place;
    dumps++;
  }
  return { at, dumps };
}

/** `listed`: the number of threads that the JVM counts itself; 0: not known. */
type Head = { readonly localTime: string | null; readonly version: string | null; readonly listed: number };

/** The head of the dump and the time on the line before it. */
function headOf(text: string, at: number): Head {
  if (at < 0) return { localTime: null, version: JHSDB_VERSION.exec(text.slice(0, 2000))?.[1] ?? null, listed: 0 };
  const begin = lineStart(text, at);
  const before = text.slice(Math.max(0, begin - 200), begin);
  const localTime = /(?:^|[\s"])(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$/.exec(before)?.[1] ?? null;
  const lineEnd = text.indexOf('\n', at);
  const line = text.slice(at, Math.min(lineEnd < 0 ? text.length : lineEnd, at + 500));
  const version = /\((\d[^\s()]{0,80})/.exec(line)?.[1] ?? null;
  const listed = Number(/^_java_thread_list=\S{1,40} length=(\d{1,9}),/m.exec(text.slice(at, at + 2000))?.[1] ?? 0);
  return { localTime, version, listed };
}

function lineStart(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

const LOCK =
  /<(0x[0-9a-f]{1,32}|[0-9a-f]{1,16})>\s*(?:\(an? ([^\s)]{1,300})\))?(?: owned by ".{0,1000}" t@(\d{1,16}))?/;

/** `owned by prices id=52` of Dropwizard, on the line after the line of the lock. */
const OWNER = /^owned by .{1,1000} id=(\d{1,16})$/;
/** `- waiting on (a shop.Prices@1a2b) owned by prices Id=52` of Tomcat. */
const TOMCAT_WAIT = /^waiting on \(a ([^\s)]{1,300})\) owned by .{1,1000} Id=(\d{1,16})$/;

class PrintReader {
  readonly #head: Head;
  readonly #last = new LastDump();
  readonly #lines = new ThreadLines();
  /** The lock that the newest line about a lock names. */
  #lastLock = { id: '', className: null as string | null };
  #isWhole = false;
  #format: DumpFormat = 'print';
  #isOwnable = false;
  #isStated = false;
  #state: ThreadState | null = null;
  #withoutId = 0;
  /** Whether the head of a thread may be missing. */
  #isDamaged = false;
  #mountedThreads = 0;
  /** Whether the head of a thread was seen, with an id or without. */
  #hasHead = false;

  constructor(head: Head) {
    this.#head = head;
  }

  get #builder(): DumpBuilder {
    return this.#last.builder;
  }

  /** Takes the next line. Returns false at the end of the dump. */
  take(line: string): boolean {
    const trimmed = line.trim();
    if (this.#builder.size > 0) {
      if (/^Found (?:one|\d{1,6}) Java-level deadlock/.test(trimmed)) return false;
      const isEnd = trimmed.startsWith('JNI global ref');
      this.#isWhole = isEnd && !this.#isDamaged && this.#builder.size - this.#mountedThreads >= this.#head.listed;
      if (isEnd) return false;
    }
    const isDetail = DETAIL.test(trimmed);
    this.#isDamaged ||= isDetail && !this.#hasHead; // the text begins within a thread
    const isOther = this.#lines.isOther(line, isDetail);
    if (line.startsWith('"')) this.#begin(line);
    else if (trimmed.startsWith('Mounted virtual thread #')) this.#mounted(trimmed);
    else if (trimmed.startsWith('Locked ownable synchronizers')) this.#isOwnable = true;
    else if (isOther) this.#lose(isDetail);
    else this.#detail(trimmed);
    return true;
  }

  result(dumps: number): Result<ParsedDump, DumpFault> {
    const last = this.#last.end();
    if (last.builder.size === 0) return fail(this.#withoutId > 0 ? 'no-ids' : 'not-a-dump');
    const { localTime, version } = this.#head;
    return last.builder.result({
      format: this.#format,
      dumps: dumps + last.dumps - 1,
      takenAtMs: null,
      localTime,
      version,
      javaVersion: version === null ? null : javaVersionOf(version),
      isWhole: this.#isWhole && last.dumps === 1,
      listsVirtual: false,
    });
  }

  #begin(line: string): void {
    const head = threadHeadIn(line);
    if (!head) {
      // a line of the log that the dump is in, or the first part of a name with a line break
      return this.#lose(this.#builder.size > 0);
    }
    this.#lines.begin();
    this.#hasHead = true;
    this.#isOwnable = false;
    this.#isStated = false;
    this.#lastLock = { id: '', className: null };
    this.#state = head.state ?? null;
    if (head.javaId === null) {
      this.#builder.end(); // a thread of the JVM itself, or a dump before Java 8
      if (line.includes(' prio=')) this.#withoutId++;
      return;
    }
    this.#format = head.format;
    this.#last.begin(head.javaId, head.name);
    if (head.state) this.#builder.state(head.state);
    if (head.isVirtual) this.#builder.virtual();
    if (head.wait) this.#builder.waitsFor(head.wait);
  }

  /**
   * Ends the current thread: the lines that follow belong to no known thread. `isDamaged`: the head of their thread is
   * missing.
   */
  #lose(isDamaged: boolean): void {
    this.#builder.end();
    this.#isDamaged ||= isDamaged;
  }

  /** A virtual thread that runs on the carrier thread above it. */
  #mounted(line: string): void {
    const id = /^Mounted virtual thread #(\d{1,16})/.exec(line)?.[1];
    this.#isOwnable = false;
    if (id === undefined) return;
    this.#mountedThreads++;
    this.#last.begin(Number(id), '');
    this.#builder.virtual();
  }

  #detail(line: string): void {
    // the stack of an exception that the application logged is not the stack of a thread
    if (EXCEPTION.test(line.slice(0, 300))) this.#builder.end();
    else if (line.startsWith('at ')) this.#builder.frame(line.slice(3));
    else if (line === '...') this.#builder.more();
    else if (line.startsWith(STATE)) this.#stated(stateIn(line.slice(STATE.length)));
    else this.#lockOrFrame(line);
  }

  /**
   * A thread has one line with its state. A second such line belongs to another thread, whose head is missing. If it is
   * the very next line, two JVMs wrote at the same time, and either state may be the one of this thread.
   */
  #stated(state: ThreadState | null): void {
    if (this.#isStated) {
      this.#builder.forgetStateWithoutFrames();
      return this.#lose(true);
    }
    this.#isStated = true;
    this.#state = state;
    if (state) this.#builder.state(state);
  }

  #lockOrFrame(line: string): void {
    const frame = frameOfJhsdb(line);
    const owner = frame === null ? OWNER.exec(line.slice(0, 1600))?.[1] : undefined;
    if (frame !== null) this.#builder.frame(frame);
    else if (DASH.test(line)) this.#lock(line.slice(2).trimStart());
    else if (owner !== undefined) this.#builder.ownedBy(Number(owner), { ...this.#lastLock, kind: this.#kind });
    else if (this.#format === 'debugger') this.#waitOfDebugger(line);
  }

  /** What a thread waits for, where only its state shows that. */
  get #kind(): JvmWait['kind'] {
    return this.#state === 'BLOCKED' ? 'monitor' : 'lock';
  }

  /**
   * `waiting for worker-2@1240 to release lock on instance of shop.Prices(id=1241)`. In the lines of worker-2, the same
   * object is `<0x4d9>`: 1241 in hexadecimal digits.
   */
  #waitOfDebugger(line: string): void {
    const [, className, id] = / to release lock on instance of ([^\s(]{1,300})\(id=(\d{1,15})\)$/.exec(line) ?? [];
    if (className === undefined || id === undefined) return;
    this.#builder.waitsFor({ id: `0x${Number(id).toString(16)}`, className, kind: 'monitor', ownerId: null });
  }

  #lock(line: string): void {
    const [, bean, beanOwner] = TOMCAT_WAIT.exec(line.slice(0, 1600)) ?? [];
    if (bean !== undefined)
      return this.#waitOfBean({ id: bean, className: bean.replace(/@[\da-f]{1,16}$/, ''), ownerId: Number(beanOwner) });
    const found = LOCK.exec(line.slice(0, 1600));
    const hash = found?.[1];
    if (hash === undefined) return;
    const className = found?.[2] ?? null;
    // an address is unique, a hash only together with its class
    const id = hash.startsWith('0x') ? hash : `${className}@${hash}`;
    const ownerId = found?.[3] === undefined ? null : Number(found[3]);
    this.#lastLock = { id, className };
    if (this.#isOwnable) this.#builder.holds('lock', id);
    else if (line.startsWith('locked ')) this.#builder.holds('monitor', id);
    else if (line.startsWith('waiting on ')) this.#builder.releases(id);
    else if (this.#format === 'mx-text') this.#waitOfBean({ id, className, ownerId });
    else if (line.startsWith('waiting to ')) this.#builder.waitsFor({ id, className, kind: 'monitor', ownerId });
    else if (line.startsWith('parking ')) this.#builder.waitsFor({ id, className, kind: 'lock', ownerId });
  }

  /** ThreadMXBean names the owner. Without one, `parking` may also be a thread in `Object.wait()`. */
  #waitOfBean(wait: Omit<JvmWait, 'kind'>): void {
    const kind = this.#kind;
    if (wait.ownerId !== null || kind === 'monitor') this.#builder.waitsFor({ ...wait, kind });
  }
}

/**
 * `java.io.IOException: no`, also after the beginning of a line of a log; `Caused by: …`;
 * `2026-11-18 10:26:44.120 ERROR …`.
 */
const EXCEPTION =
  /(?:^|[\s:])(?:[a-z_]\w{0,60}\.){1,20}[A-Z][\w$]{0,100}(?:Exception|Error|Throwable)(?::|$)|^(?:Caused by|Suppressed): |^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d.{0,60}\b(?:ERROR|WARN|FATAL|SEVERE)\b/;

const STATE = 'java.lang.Thread.State: ';
const DASH = /^[-\u2013\u2014] /;
/** A line after the head of a thread. */
const DETAIL = /^(?:at |[-\u2013\u2014] |java\.lang\.Thread\.State: |\.\.\.$|owned by |waiting for |blocks )/;

function stateIn(text: string): ThreadState | null {
  const word = /^[A-Z_]{1,20}/.exec(text)?.[0];
  return THREAD_STATES.find((each) => each === word) ?? null;
}

/** `- com.shop.Orders.take(long) @bci=10, line=42 (Interpreted frame)`, with `*` instead of `-` between frames of C. */
const JHSDB_FRAME =
  /^(?:-|0x[0-9a-f]{1,16}\s+\*) ([^\s()]{3,1000})\([^()]{0,1000}\) (?:@bci=|bci:)-?\d{1,10},?(?: line[=:](\d{1,10}))?/;

function frameOfJhsdb(line: string): string | null {
  const [, method, place] = JHSDB_FRAME.exec(line.slice(0, 2500)) ?? [];
  return method === undefined ? null : `${method}(${place === undefined ? 'Unknown Source' : `line ${place}`})`;
}
