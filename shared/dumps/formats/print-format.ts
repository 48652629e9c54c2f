import { fail, type Result } from '../../base/result.ts';
import { DumpBuilder } from '../dump-builder.ts';
import {
  type DumpFault,
  type JvmWait,
  javaVersionOf,
  THREAD_STATES,
  type ThreadDump,
  type ThreadState,
} from '../thread-dump.ts';
import { FULL_DUMP, withoutPrefix } from './log-prefix.ts';
import { linesOf } from './text-lines.ts';

/*
 * What a JVM prints itself: `jstack`, `jcmd Thread.print`, `kill -3`. `mx-text` is made from ThreadMXBean: other heads of
 * threads, and no end.
 *
 *   2026-11-23 14:02:11
 *   Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):
 *
 *   "worker-1" #22 prio=5 os_prio=0 cpu=1.52ms elapsed=9.08s tid=0x00007f01 nid=0x1a2 waiting for monitor entry  [0x00007f]
 *      java.lang.Thread.State: BLOCKED (on object monitor)
 *           at com.shop.Orders.take(Orders.java:42)
 *           - waiting to lock <0x000000061f5f0a58> (a java.lang.Object)
 *
 *   "worker-2" - Thread t@22                                             (mx-text)
 *
 *   JNI global refs: 16, weak refs: 0                                    (the end)
 */

/** Parses the last dump in a text. */
export function parsePrint(text: string): Result<ThreadDump, DumpFault> {
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

type Head = { readonly hasPrefix: boolean; readonly localTime: string | null; readonly version: string | null };

/** The head of the dump and the time on the line before it. */
function headOf(text: string, at: number): Head {
  if (at < 0) return { hasPrefix: true, localTime: null, version: null };
  const begin = lineStart(text, at);
  const before = text.slice(lineStart(text, Math.max(0, begin - 1)), Math.max(0, begin - 1));
  const localTime = /(?:^|\s)(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$/.exec(before.slice(-200))?.[1] ?? null;
  const lineEnd = text.indexOf('\n', at);
  const line = text.slice(at, Math.min(lineEnd < 0 ? text.length : lineEnd, at + 500));
  const version = /\((\d[^\s()]{0,80})/.exec(line)?.[1] ?? null;
  return { hasPrefix: at > begin, localTime, version };
}

function lineStart(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

const THREAD = /^#(\d{1,16})(?:\s|$)/;
const MX_THREAD = /^ - Thread t@(\d{1,16})\s*$/;
const LOCK =
  /<(0x[0-9a-f]{1,32}|[0-9a-f]{1,16})>\s*(?:\(an? ([^\s)]{1,300})\))?(?: owned by ".{0,1000}" t@(\d{1,16}))?/;

class PrintReader {
  readonly #head: Head;
  readonly #builder = new DumpBuilder();
  #isWhole = false;
  #isMx = false;
  #isOwnable = false;
  #state: ThreadState | null = null;
  #withoutId = 0;

  constructor(head: Head) {
    this.#head = head;
  }

  /** Takes the next line. Returns false at the end of the dump. */
  take(line: string): boolean {
    const part = this.#head.hasPrefix ? withoutPrefix(line) : line;
    if (part === null) return true;
    const trimmed = part.trim();
    if (trimmed.startsWith('JNI global ref')) {
      this.#isWhole = this.#builder.size > 0;
      return false;
    }
    if (/^Found (?:one|\d{1,6}) Java-level deadlock/.test(trimmed)) return false;
    if (part.startsWith('"')) this.#begin(part);
    else if (trimmed.startsWith('Mounted virtual thread #')) this.#mounted(trimmed);
    else this.#detail(trimmed);
    return true;
  }

  result(dumps: number): Result<ThreadDump, DumpFault> {
    if (this.#builder.size === 0) return fail(this.#withoutId > 0 ? 'no-ids' : 'not-a-dump');
    const { localTime, version } = this.#head;
    return this.#builder.result({
      format: this.#isMx ? 'mx-text' : 'print',
      dumps,
      takenAtMs: null,
      localTime,
      version,
      javaVersion: version === null ? null : javaVersionOf(version),
      isWhole: this.#isWhole,
      listsVirtual: false,
    });
  }

  /** `"name" #22 …`: the name may contain quotes, so the last one ends it. */
  #begin(line: string): void {
    this.#isOwnable = false;
    this.#state = null;
    const end = line.lastIndexOf('"');
    const rest = line.slice(end + 1);
    const mx = MX_THREAD.exec(rest)?.[1];
    const id = mx ?? THREAD.exec(rest.trimStart())?.[1];
    if (mx !== undefined) this.#isMx = true;
    if (id !== undefined && end > 0) return this.#builder.begin(Number(id), line.slice(1, end));
    this.#builder.end(); // a thread of the JVM itself, or a dump before Java 8
    if (rest.includes(' prio=')) this.#withoutId++;
  }

  /** A virtual thread that runs on the carrier thread above it. */
  #mounted(line: string): void {
    const id = /^Mounted virtual thread #(\d{1,16})/.exec(line)?.[1];
    this.#isOwnable = false;
    if (id === undefined) return;
    this.#builder.begin(Number(id), '');
    this.#builder.virtual();
  }

  #detail(line: string): void {
    if (line.startsWith('at ')) return this.#builder.frame(line.slice(3));
    if (line.startsWith(STATE)) {
      this.#state = stateIn(line.slice(STATE.length));
      if (this.#state) this.#builder.state(this.#state);
    } else if (line.startsWith('Locked ownable synchronizers')) this.#isOwnable = true;
    else if (line.startsWith('- ')) this.#lock(line.slice(2));
  }

  #lock(line: string): void {
    const found = LOCK.exec(line.slice(0, 1600));
    const hash = found?.[1];
    if (hash === undefined) return;
    const className = found?.[2] ?? null;
    // an address is unique, a hash only together with its class
    const id = hash.startsWith('0x') ? hash : `${className}@${hash}`;
    const ownerId = found?.[3] === undefined ? null : Number(found[3]);
    if (this.#isOwnable) this.#builder.holds('lock', id);
    else if (line.startsWith('locked ')) this.#builder.holds('monitor', id);
    else if (line.startsWith('waiting on ')) this.#builder.releases(id);
    else if (this.#isMx) this.#waitOfBean({ id, className, ownerId });
    else if (line.startsWith('waiting to ')) this.#builder.waitsFor({ id, className, kind: 'monitor', ownerId });
    else if (line.startsWith('parking ')) this.#builder.waitsFor({ id, className, kind: 'lock', ownerId });
  }

  /** ThreadMXBean names the owner. Without one, `parking` may also be a thread in `Object.wait()`. */
  #waitOfBean(wait: Omit<JvmWait, 'kind'>): void {
    const kind = this.#state === 'BLOCKED' ? 'monitor' : 'lock';
    if (wait.ownerId !== null || kind === 'monitor') this.#builder.waitsFor({ ...wait, kind });
  }
}

const STATE = 'java.lang.Thread.State: ';

function stateIn(text: string): ThreadState | null {
  const word = /^[A-Z_]{1,20}/.exec(text)?.[0];
  return THREAD_STATES.find((each) => each === word) ?? null;
}
