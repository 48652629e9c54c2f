import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isWaitingInRedisson, stackOf } from './frames.ts';
import { looksLikeDump } from './looks-like-dump.ts';
import { parseDump } from './parse-dump.ts';
import { suggestedClient } from './suggest-client.ts';
import type { ThreadDump } from './thread-dump.ts';

const CLIENT = 'aaaaaaaa-0000-4000-8000-000000000001';
const read = (path: string) => readFileSync(new URL(`../traces/${path}`, import.meta.url), 'utf8');

function dumpIn(text: string): ThreadDump {
  const found = parseDump(text);
  if (!found.ok) throw new Error(found.error);
  return found.value;
}

const faultIn = (text: string) => {
  const found = parseDump(text);
  return found.ok ? null : found.error;
};
const named = (dump: ThreadDump, name: string) => dump.threads.find((thread) => thread.name === name);

/** Forms of one dump: thread 31 waits for a monitor of thread 52, thread 45 waits in Redisson. */
test.each([
  'jstack.txt',
  'jstack.docker.txt',
  'actuator-list.json',
  'thread-info.txt',
  'dump-to-file.txt',
  'javacore.txt',
])('the client of %s is found by its waiter, and thread 31 is blocked by a monitor of thread 52', (name) => {
  const dump = dumpIn(read(`texts/${name}`));
  const threads = new Map(dump.threads.map((thread) => [thread.javaId, thread]));
  expect(threads.get(31)).toMatchObject({ state: 'BLOCKED', waitsFor: { kind: 'monitor', ownerId: 52 } });
  expect(stackOf(dump, threads.get(31) ?? { stack: [] })[0]).toBe('shop.Prices.load(Prices.java:40)');
  const waiting = dump.threads.filter((thread) => isWaitingInRedisson(dump, thread));
  expect(waiting.map(({ javaId }) => javaId)).toEqual([45]);
  const waits = [{ holder: `${CLIENT}:45`, since: null }];
  const found = suggestedClient({ dump, threads, takenAt: null, waiting: 1 }, [{ client: CLIENT, waits }]);
  expect(found).toEqual({ client: CLIENT, waiters: 1 });
});

describe('real dumps of Java 25', () => {
  const dump = (name: string) => dumpIn(read(`dumps/java-25.${name}`));

  test.each(['jstack.txt', 'jhsdb.txt', 'thread-info.txt', 'dump-to-file.txt', 'dump-to-file.json'])(
    '%s: a thread waits for the monitor of another thread',
    (name) => {
      const found = dump(name);
      expect(named(found, 'owner')).toMatchObject({ javaId: 21, state: 'TIMED_WAITING' });
      expect(named(found, 'blocked')).toMatchObject({
        ...{ javaId: 22, state: 'BLOCKED' },
        waitsFor: { kind: 'monitor', className: 'java.lang.Object', ownerId: 21 },
      });
      expect(named(found, 'waiting')?.waitsFor).toBeNull();
      const [top = ''] = stackOf(found, named(found, 'blocked') ?? { stack: [] });
      expect(top).toMatch(/^(?:app\/\/)?T\.lambda\$main\$1\((?:T\.java:6|line 6)\)$/);
    },
  );

  test('in Thread.dump_to_file a virtual thread waits for a monitor of a platform thread', () => {
    for (const name of ['dump-to-file.txt', 'dump-to-file.json']) {
      expect(dump(name).threads.find(({ javaId }) => javaId === 28)).toMatchObject({
        ...{ isVirtual: true, state: 'BLOCKED', waitsFor: { ownerId: 21 } },
      });
    }
  });
});

test.each(['dumps/java-17.jhsdb.txt', 'dumps/java-17.jhsdb-mixed.txt'])(
  '%s: the Java id of a blocked thread and the version of Java are read',
  (path) => {
    const dump = dumpIn(read(path));
    expect(named(dump, 'blocked')).toMatchObject({ javaId: 13, state: 'BLOCKED' });
    expect(dump).toMatchObject({ version: '17.0.15+6-Debian-1deb12u1', isWhole: false });
  },
);

test('the text of ThreadInfo names the thread that blocks another thread, and shows where a stack was cut off', () => {
  const dump = dumpIn(read('texts/thread-info.txt'));
  expect(named(dump, 'worker-1')).toMatchObject({
    ...{ javaId: 31, state: 'BLOCKED' },
    waitsFor: { id: 'shop.Prices@1a2b3c4d', className: 'shop.Prices', kind: 'monitor', ownerId: 52 },
  });
  expect(named(dump, 'worker-2')).toMatchObject({ javaId: 45, state: 'WAITING', waitsFor: null });
  expect(dumpIn('"a "b" c" Id=7 RUNNABLE (in native)\n\tat a.B.c(B.java:1)\n\t...\n\n').threads).toMatchObject([
    { javaId: 7, name: 'a "b" c', state: 'RUNNABLE', framesBeyond: 1 },
  ]);
});

test('the thread dump that a debugger exports contains the Java id of each thread as tid', () => {
  const text = `"worker-1@1234" daemon prio=5 tid=0x1f nid=NA waiting for monitor entry
  java.lang.Thread.State: BLOCKED
\t waiting for prices@1240 to release lock on instance of shop.Prices(id=1241)
\t  at shop.Prices.load(Prices.java:40)

"prices@1240" prio=5 tid=0x34 nid=NA sleeping
  java.lang.Thread.State: TIMED_WAITING
\t blocks worker-1@1234
\t  at shop.Prices.fetch(Prices.java:55)
\t  - locked <0x4d9> (a shop.Prices)
`;
  expect(dumpIn(text)).toMatchObject({ format: 'debugger' });
  expect(dumpIn(text).threads).toMatchObject([
    { javaId: 31, name: 'worker-1', state: 'BLOCKED', waitsFor: { ownerId: 52, className: 'shop.Prices' } },
    { javaId: 52, name: 'prices', state: 'TIMED_WAITING', waitsFor: null },
  ]);
});

test('a bare list of threads, and the same list as the value of Jolokia, is read as a response of the actuator', () => {
  const list = read('texts/actuator-list.json');
  expect(dumpIn(list)).toMatchObject({ format: 'actuator' });
  expect(dumpIn(list).threads.map(({ javaId }) => javaId)).toEqual([1, 31, 45, 52]);
  expect(dumpIn(`{"request":{},"value":${list}}`).threads).toHaveLength(4);
  expect(faultIn(list.slice(0, -300))).toBe('cut');
});

test('if there are several texts of Thread.dump_to_file, the last is used', () => {
  const text = read('texts/dump-to-file.txt');
  expect(dumpIn(`${text.replace('25.0.3', '25.0.1')}\n${text}`)).toMatchObject({ dumps: 2, version: '25.0.3+9-LTS' });
});

test('a part of a Thread.dump_to_file text without its head is read, without a version and an instant', () => {
  const text = read('texts/dump-to-file.txt');
  expect(dumpIn(text.slice(text.indexOf('#31')))).toMatchObject({ version: null, takenAtMs: null });
});

describe('a javacore of OpenJ9', () => {
  const text = read('texts/javacore.txt');
  const dump = dumpIn(text);

  test('has the threads with a Java id, its time and its version', () => {
    expect(dump.threads.map(({ javaId, name, state }) => [javaId, name, state])).toEqual([
      [1, 'main', 'RUNNABLE'],
      [31, 'worker-1', 'BLOCKED'],
      [45, 'worker-2', 'WAITING'],
      [52, 'prices', 'TIMED_WAITING'],
      [60, 'mail "a"', null], // a javacore does not show whether this wait has a limit
      [61, 'mail-2', 'BLOCKED'],
    ]);
    expect(dump).toMatchObject({
      ...{ format: 'javacore', takenAtMs: Date.UTC(2026, 10, 18, 10, 26, 44, 157), localTime: '2026-11-18 11:26:44' },
      ...{ version: '17.0.15+6', javaVersion: 17, isWhole: true, dumps: 1, skipped: null },
    });
  });

  test('names the owner of a monitor, unless Object.wait() released the monitor', () => {
    expect(named(dump, 'worker-1')?.waitsFor).toEqual({
      ...{ id: '0x00000000F0A1B2C8', className: 'shop.Prices', kind: 'monitor', ownerId: 52 },
    });
    const withoutOwner = text.replace('Owned by: "prices" (J9VMThread:0x0000000000124100', 'Owned by: <unknown> (');
    expect(named(dumpIn(withoutOwner), 'worker-1')?.waitsFor).toMatchObject({ ownerId: 52 });
    expect(named(dump, 'mail-2')?.waitsFor).toMatchObject({ className: 'shop.Mail', ownerId: null });
    expect(named(dump, 'mail "a"')?.waitsFor).toBeNull();
  });

  test('is the last one in a text with several, and may lack its end or its head', () => {
    expect(dumpIn(`${text.replace('17.0.15', '17.0.9')}\n${text}`)).toMatchObject({ dumps: 2, version: '17.0.15+6' });
    expect(dumpIn(text.slice(0, text.indexOf('mail-2')))).toMatchObject({ isWhole: false });
    const part = dumpIn(text.slice(text.indexOf('3XMTHREADINFO')));
    expect(part).toMatchObject({ version: null, takenAtMs: null, threads: { length: 6 } });
  });

  test('is read within a log, and is recognised by its first lines', () => {
    expect(dumpIn(`app-1  | ${text.trimEnd().replaceAll('\n', '\napp-1  | ')}`)).toMatchObject({
      threads: dump.threads,
    });
    expect(looksLikeDump(text.slice(0, 500))).toBe(true);
  });
});

test('a deadlock that jhsdb reports before the threads is not the end of the dump', () => {
  const deadlock =
    'Found one Java-level deadlock:\n=====\n\n"a":\n  waiting to lock Monitor@0x1\n\nFound a total of 1 deadlock.\n\n';
  expect(dumpIn(deadlock + read('dumps/java-17.jhsdb.txt')).threads).toHaveLength(12);
});

test.each([
  ['forced', read('texts/jstack-forced.txt')],
  [
    'j9',
    '3XMTHREADINFO      "main" J9VMThread:0x1, java/lang/Thread:0x2, state:R, prio=5\n4XESTACKTRACE  at a/B.c(B.java:1)\n',
  ],
  [
    'android',
    'DALVIK THREADS:\n"main" prio=5 tid=1 Native\n  | group="main" sCount=1 dsCount=0\n  at a.B.c(B.java:1)\n',
  ],
  ['native', 'Thread 2 (Thread 0x7f00 (LWP 12)):\n#0  0x00007f00 in poll () from libc.so\n'],
  ['other-runtime', 'goroutine 1 [running]:\nmain.main()\n'],
  ['other-runtime', 'Thread 0x00007f0012345678 (most recent call first):\n  File "a.py", line 3 in run\n'],
  ['exception', 'java.lang.IllegalMonitorStateException: no\n\tat org.redisson.RedissonBaseLock.unlock(A.java:1)\n'],
  ['monitor-text', '1795000000.000037 [0 10.0.0.11:40001] "GET" "a"\n'],
  ['recording', '{"lockscope":"recording","format":1}\n'],
  ['empty', ' \n'],
])(
  'a text of kind "%s" is refused with that reason, and a recording or an empty text in a log as not-a-dump',
  (fault, text) => {
    expect(faultIn(text)).toBe(fault);
    expect(faultIn(`app-1  | ${text.replaceAll('\n', '\napp-1  | ')}`)).toBe(
      fault === 'recording' || fault === 'empty' ? 'not-a-dump' : fault,
    );
  },
);
