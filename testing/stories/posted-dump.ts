import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { stackOf } from '../../shared/dumps/frames.ts';
import { looksLikeDump } from '../../shared/dumps/looks-like-dump.ts';
import { parseDump } from '../../shared/dumps/parse-dump.ts';
import type { DumpThread, ThreadDump } from '../../shared/dumps/thread-dump.ts';
import { textOfBytes } from '../../shared/unwrap/text-bytes.ts';

/* Thread dumps in the forms in which people post and attach them. */

const read = (name: string) => readFileSync(new URL(`../../shared/traces/texts/${name}`, import.meta.url), 'utf8');
export const JSTACK = read('jstack.txt');
export const FILE = read('dump-to-file.txt');
export const INFO = read('thread-info.txt');
export const CORE = read('javacore.txt');
export const LIST: unknown[] = JSON.parse(read('actuator-list.json'));

export const each = (change: (line: string, n: number) => string, text = JSTACK.trimEnd()) =>
  text.split('\n').map(change).join('\n');
/** The lines of two JVMs in turn, with the prefixes `first` and `second`. */
export const both = (first: string, second: string) =>
  JSTACK.split('\n')
    .flatMap((line) => [`${first}${line.replaceAll('worker', 'clerk').replace('#31', '#30')}`, `${second}${line}`])
    .join('\n');
/** The lines of two JVMs in turn. `first` changes each line of the first JVM, `second` each line of the second one. */
export const mixed = (first: (line: string) => string, second: (line: string) => string) =>
  JSTACK.trimEnd()
    .split('\n')
    .flatMap((line) => [first(line.replaceAll('worker', 'clerk').replace('#31', '#30')), second(line)])
    .join('\n');
/**
 * `ThreadInfo` as other programs print it: the name, the id, the state, what is waited for, its owner, and the stack.
 */
const infoAs = (print: (info: Info) => string) =>
  INFO.trimEnd()
    .split('\n\n')
    .map((text) => {
      const [head = '', ...stack] = text.split('\n');
      const form = /^"(.*)" prio=5 Id=(\d+) (\w+)(?: on (\S+)@(\w+))?(?: owned by "(.*)" Id=(\d+))?/;
      const [, name = '', id = '', state = '', lock, hash, owner, ownerId] = form.exec(head) ?? [];
      return print({ ...{ name, id, state, lock, hash, owner, ownerId }, stack: stack.map((line) => line.trim()) });
    })
    .join('\n');
type Info = Readonly<Record<'name' | 'id' | 'state', string>> &
  Readonly<Record<'lock' | 'hash' | 'owner' | 'ownerId', string | undefined>> & { readonly stack: readonly string[] };
export const DROPWIZARD = infoAs(({ name, id, state, lock, hash, owner, ownerId, stack }) => {
  const on = state === 'BLOCKED' ? ['- waiting to lock'] : ['- waiting on', '- locked'];
  const locks = lock === undefined ? [] : on.map((how) => `    ${how} <0x${hash}> (a ${lock})`);
  const owned = owner === undefined ? [] : [`     owned by ${owner} id=${ownerId}`];
  return [`"${name}" id=${id} state=${state}`, ...locks, ...owned, ...stack.map((line) => `    ${line}`), ''].join(
    '\n',
  );
});
export const TOMCAT = infoAs(({ name, id, state, lock, hash, owner, ownerId, stack }) => {
  const times = 'cpu=120000 ns usr=100000 ns blocked 1 for -1 ms waited 2 for -1 ms';
  const owned = owner === undefined ? '' : ` owned by ${owner} Id=${ownerId}`;
  const on = lock === undefined ? [] : [`        - waiting on (a ${lock}@${hash})${owned}`];
  const [top, ...rest] = stack.map((line) => `        ${line}`);
  return [`"${name}" Id=${id} ${times}`, `   java.lang.Thread.State: ${state}`, top, ...on, ...rest, ''].join('\r\n');
});
export const EARLIER = INFO.replace(/Id=31 BLOCKED on.*/, 'Id=31 RUNNABLE');
export const COROUTINE =
  '\nCoroutine "c#2":StandaloneCoroutine{Active}@1a2b, state: SUSPENDED\n\tat shop.Job.run(Job.kt:12)\n';
export const FROM_MAIN = JSTACK.slice(JSTACK.indexOf('"main"'));
export const NO_HEAD = FROM_MAIN.slice(0, FROM_MAIN.indexOf('"VM Thread"'));
const LOCKS = { locks: ['shop.Prices@1a'] };
export const FILE_THREADS = [
  { tid: '31', name: 'worker-1', state: 'BLOCKED', blockedOn: 'shop.Prices@1a', stack: ['shop.Prices.load(P.java:4)'] },
  { tid: '52', name: 'prices', state: 'RUNNABLE', stack: ['shop.Prices.a(P.java:1)'], monitorsOwned: [LOCKS] },
];
export const OF_FILE = ['31 worker-1 BLOCKED<52 1 Prices.load', '52 prices RUNNABLE 1 Prices.a'];
export const CONTAINERS = [{ container: '<root>', parent: null, owner: null, threads: FILE_THREADS }];
export const html = (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
export const wildfly = (value: unknown) =>
  JSON.stringify(value).replace(
    /"(\w+)":/g,
    (_, name: string) => `"${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}":`,
  );
export const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\n');
/** A cell of a table, quoted only if it has to be. */
export const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
export const printable = (text: string) =>
  Buffer.from(text)
    .toString('latin1')
    .replace(/[=\x80-\xff]/g, (letter) => `=${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .split('\n')
    .map((line) => line.match(/(?:=..|[^=]){1,70}/g)?.join('=\n') ?? '')
    .join('\n');
export const until = (mark: string, plus = 0, text = JSTACK) => text.slice(0, text.indexOf(mark) + plus);

/**
 * `31 worker-1 BLOCKED<52 4 Prices.load`: id, name, state, the owner that it waits for, the number of frames, the
 * newest.
 */
function shown(dump: ThreadDump, thread: DumpThread): string {
  const { javaId, isVirtual, name, state, waitsFor, stack } = thread;
  const owner = waitsFor?.ownerId ? `<${waitsFor.ownerId}` : '';
  const top = /(\w+\.\w+)\(/.exec(stackOf(dump, thread)[0] ?? '')?.[1] ?? '-';
  return `${javaId}${isVirtual ? 'v' : ''} ${name} ${state}${owner} ${stack.length} ${top}`;
}

export const MAIN = '1 main RUNNABLE 2 SocketInputStream.socketRead0';
export const WORKER = '31 worker-1 BLOCKED<52 4 Prices.load';
export const WAITER = '45 worker-2 WAITING 8 Unsafe.park';
export const PRICES = '52 prices TIMED_WAITING 4 Thread.sleep';
export const STORY = [MAIN, WORKER, WAITER, PRICES];
export const THREADS_OF_CORE = [
  ...[MAIN, WORKER, WAITER, '52 prices TIMED_WAITING 5 Thread.sleepImpl', '60 mail "a" null 3 Object.wait'],
  '61 mail-2 BLOCKED 1 Mail.add',
];
export const rowsOf = (lines: readonly string[]) => lines.map((line) => `2026,${cell(line)}`).join('\n');
export const MX = JSTACK.trimEnd()
  .replace(/^"([^"]+)" #(\d+).*$/gm, '"$1" - Thread t@$2')
  .replace(/<0x0+(\w+)>/g, '<$1>');
export const withoutOwner = (threads: readonly string[]) => threads.map((thread) => thread.replace('<52', ''));

/** A posted dump: its form, its text, the threads that are certain, and what else is known. */
export type Posted = [name: string, text: string, threads: readonly string[], facts?: Partial<ThreadDump>];

/**
 * Expects that a text looks like a dump, that these threads are read from it and no others, and that `facts` are true.
 */
export function expectThreads(text: string, threads: readonly string[], facts: Partial<ThreadDump> = {}): void {
  const found = parseDump(textOfBytes(Buffer.from(text)).text);
  if (!found.ok) throw new Error(found.error);
  expect(looksLikeDump(text)).toBe(true);
  expect(found.value.threads.map((thread) => shown(found.value, thread))).toEqual(threads);
  expect(found.value).toMatchObject(facts);
}
