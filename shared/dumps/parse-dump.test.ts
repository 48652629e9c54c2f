import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { looksLikeDump } from './looks-like-dump.ts';
import { parseDump } from './parse-dump.ts';
import { javaVersionOf, MOST_FRAMES, MOST_THREADS, type ThreadDump } from './thread-dump.ts';

/** A dump of a real client: `e2e/redisson/dumps/DumpedClient.java`. */
const real = (name: string) => readFileSync(new URL(`../traces/dumps/redisson-4.7.0.${name}`, import.meta.url), 'utf8');

function dumpIn(text: string): ThreadDump {
  const read = parseDump(text);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

const named = ({ threads }: ThreadDump, name: string) => threads.find((thread) => thread.name === name);
const faultIn = (text: string) => {
  const read = parseDump(text);
  return read.ok ? null : read.error;
};

describe('real dumps', () => {
  const files = ['thread-print-l.txt', 'jstack.txt', 'kill-3.txt', 'actuator.json'];

  test.each(files)('%s: threads have their Java ids, states and stacks', (file) => {
    const dump = dumpIn(real(file));
    expect(named(dump, 'orders-1')).toMatchObject({ javaId: 23, state: 'BLOCKED', isVirtual: false });
    expect(named(dump, 'orders-2')).toMatchObject({ javaId: 24, state: 'TIMED_WAITING' });
    expect(dump.threads.map(({ javaId }) => javaId)).not.toContain(25); // thread 25 has ended
    const top = named(dump, 'orders-2')?.stack.map((place) => dump.frames[place]);
    expect(top?.some((frame) => frame?.startsWith('org.redisson.RedissonLock.lock(RedissonLock.java:'))).toBe(true);
    expect(dump.isWhole).toBe(true);
  });

  test.each(files)('%s: a thread that waits for a monitor names its owner', (file) => {
    const wait = named(dumpIn(real(file)), 'orders-1')?.waitsFor;
    expect(wait).toMatchObject({ className: 'java.lang.Object', kind: 'monitor', ownerId: 24 });
  });

  test('of these dumps, only those by Thread.print -l and by the actuator show the owner of a ReentrantLock', () => {
    const ownerIn = (file: string) => named(dumpIn(real(file)), 'parked-1')?.waitsFor?.ownerId;
    expect(files.map(ownerIn)).toEqual([26, null, null, 26]);
  });

  test('a thread in Object.wait() does not wait for a monitor or a lock', () => {
    for (const file of files) expect(named(dumpIn(real(file)), 'waiting-1')).toMatchObject({ waitsFor: null });
  });

  test('the local time and the Java version of Thread.print are read; a response of the actuator has neither', () => {
    const expected = { localTime: '2026-11-23 09:12:32', takenAtMs: null, javaVersion: 17, dumps: 1, format: 'print' };
    expect(dumpIn(real('thread-print-l.txt'))).toMatchObject(expected);
    expect(dumpIn(real('actuator.json'))).toMatchObject({ localTime: null, javaVersion: null, format: 'actuator' });
  });

  test('in a log with a text in front of each line, the same threads are found as in the plain dump', () => {
    const log = real('kill-3.txt')
      .split('\n')
      .map((line) => `app-1  | 2026-11-23T09:12:34.123Z stdout F ${line}`)
      .join('\n');
    const [plain, found] = [dumpIn(real('kill-3.txt')), dumpIn(`app-1  | at work\n${log}\napp-1  | on we go`)];
    const prefix = 'app-1  | 2026-11-23T09:12:34.123Z stdout F ';
    expect(found).toEqual({ ...plain, skipped: { around: ['prefix'], prefix, lines: 2 } });
  });

  test('if a text has several dumps, the last is used', () => {
    const twice = `${real('jstack.txt')}\n${real('thread-print-l.txt')}`;
    expect(dumpIn(twice)).toMatchObject({ dumps: 2, localTime: '2026-11-23 09:12:32', isWhole: true });
  });

  test('a text without its end is not a whole dump, and JSON without its end is refused', () => {
    const cut = real('jstack.txt').split('"orders-2"')[0] ?? '';
    expect(dumpIn(cut)).toMatchObject({ isWhole: false });
    expect(named(dumpIn(cut), 'orders-1')?.waitsFor?.ownerId).toBeNull();
    expect(faultIn(real('actuator.json').slice(0, 5000))).toBe('cut');
  });

  test('Windows line ends and a byte order mark change nothing', () => {
    const text = `\ufeff${real('jstack.txt').replaceAll('\n', '\r\n')}`;
    expect(dumpIn(text)).toEqual(dumpIn(real('jstack.txt')));
  });

  test.each(files)('%s looks like a dump', (file) => {
    expect(looksLikeDump(real(file).slice(0, 4000))).toBe(true);
  });
});

describe('Thread.dump_to_file', () => {
  const OLD = `41232\n2026-11-23T06:02:11.118256Z\n21.0.4+7-LTS\n
#1 "main"
      java.base/java.lang.Thread.sleep0(Native Method)
      com.shop.Main.main(Main.java:9)

#22 "" virtual
      java.base/java.lang.VirtualThread.park(VirtualThread.java:582)

`;
  const NEW = `41232\n2026-11-23T06:02:11.118256Z\n25.0.1+8-LTS\n
#22 "worker "quoted"" BLOCKED 2026-11-23T06:02:11.119Z
      // blocked on java.lang.Object@4f2410ac
      com.shop.Orders.take(Orders.java:42)

#31 "worker-2" virtual WAITING 2026-11-23T06:02:11.120Z
      // parked on java.util.concurrent.locks.ReentrantLock$NonfairSync@1b2c6ec2, owned by #22
      java.base/java.util.concurrent.locks.LockSupport.park(LockSupport.java:221)
      // locked java.lang.Object@4f2410ac

`;

  test('Java 21 writes names and stacks, the instant and the version', () => {
    const dump = dumpIn(OLD);
    expect(dump).toMatchObject({
      format: 'file-text',
      takenAtMs: Date.UTC(2026, 10, 23, 6, 2, 11, 118),
      javaVersion: 21,
    });
    expect(dump).toMatchObject({ isWhole: false, listsVirtual: true });
    expect(dump.threads).toMatchObject([
      { javaId: 1, name: 'main', state: null, isVirtual: false, waitsFor: null },
      { javaId: 22, name: '', isVirtual: true },
    ]);
    expect(dump.threads[0]?.stack.map((place) => dump.frames[place])).toEqual([
      'java.base/java.lang.Thread.sleep0(Native Method)',
      'com.shop.Main.main(Main.java:9)',
    ]);
  });

  test('later versions write states, locks and owners', () => {
    expect(dumpIn(NEW).threads).toMatchObject([
      { name: 'worker "quoted"', state: 'BLOCKED', waitsFor: { kind: 'monitor', ownerId: 31 }, stack: [0] },
      { state: 'WAITING', isVirtual: true, waitsFor: { kind: 'lock', ownerId: 22 } },
    ]);
  });

  test('the JSON of Java 21 and of later versions is read, with ids as texts or numbers', () => {
    const threads = [
      { tid: '1', name: 'main', stack: ['com.shop.Main.main(Main.java:9)'] },
      { tid: 22, name: 'worker-1', virtual: true, state: 'BLOCKED', blockedOn: 'java.lang.Object@4f2410ac', stack: [] },
      {
        tid: 31,
        name: 'w',
        state: 'WAITING',
        parkBlocker: { object: 'Sync@1', owner: '1' },
        stack: [],
        monitorsOwned: [{ depth: 0, locks: ['java.lang.Object@4f2410ac'] }],
      },
    ];
    const about = { time: '2026-11-23T06:02:11.118256Z', runtimeVersion: '25.0.1+8-LTS' };
    const text = JSON.stringify({ threadDump: { ...about, threadContainers: [{ container: '<root>', threads }] } });
    const dump = dumpIn(text);
    expect(dump).toMatchObject({ format: 'file-json', isWhole: true, listsVirtual: true, javaVersion: 25 });
    expect(dump.threads).toMatchObject([
      { javaId: 1, state: null, waitsFor: null },
      { javaId: 22, isVirtual: true, waitsFor: { kind: 'monitor', className: 'java.lang.Object', ownerId: 31 } },
      { javaId: 31, waitsFor: { kind: 'lock', ownerId: 1 } },
    ]);
    expect(looksLikeDump(text)).toBe(true);
    expect(faultIn(text.slice(0, -20))).toBe('cut');
  });
});

describe('other forms', () => {
  test('the text of the actuator names the owner of the lock that a thread waits for', () => {
    const text = `2026-11-23 14:02:11
Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6-LTS mixed mode, sharing):

"worker-1" - Thread t@22
   java.lang.Thread.State: BLOCKED
\tat com.shop.Orders.take(Orders.java:42)
\t- waiting to lock <1b6d3586> (a java.lang.Object) owned by "worker-2" t@31

   Locked ownable synchronizers:
\t- Locked <5e91993f> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)

"worker-2" - Thread t@31
   java.lang.Thread.State: WAITING
\tat java.lang.Object.wait0(Native Method)
\t- parking to wait for <5e91993f> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
`;
    expect(dumpIn(text)).toMatchObject({ format: 'mx-text', isWhole: false, javaVersion: 17 });
    expect(dumpIn(text).threads).toMatchObject([
      { javaId: 22, state: 'BLOCKED', waitsFor: { kind: 'monitor', className: 'java.lang.Object', ownerId: 31 } },
      { javaId: 31, waitsFor: null },
    ]);
  });

  test('a virtual thread on its carrier has its own stack', () => {
    const text = `Full thread dump OpenJDK 64-Bit Server VM (21.0.4+7-LTS mixed mode, sharing):
"ForkJoinPool-1-worker-1" #30 [4711] daemon prio=5 os_prio=0 cpu=1.00ms elapsed=2.00s tid=0x00007f01  [0x00007f02]
   Carrying virtual thread #29
\tat jdk.internal.vm.Continuation.run(java.base@21.0.4/Continuation.java:251)
   Mounted virtual thread #29
\tat com.shop.Orders.take(Orders.java:42)

JNI global refs: 32, weak refs: 0
`;
    const { threads, frames, javaVersion } = dumpIn(text);
    expect(threads).toMatchObject([
      { javaId: 30, stack: [0] },
      { javaId: 29, isVirtual: true, stack: [1] },
    ]);
    expect([frames[1], javaVersion]).toEqual(['com.shop.Orders.take(Orders.java:42)', 21]);
  });

  test('the version of Java is read from that of the VM: 25.402-b06 is Java 8, and 25.0.1 is Java 25', () => {
    expect(['25.402-b06', '17.0.15+6', '21+35', '25.0.1+8-LTS', '1.8.0_402', 'x'].map(javaVersionOf)).toEqual([
      ...[8, 17, 21, 25, 8, null],
    ]);
  });
});

describe('what is not read', () => {
  const HEAD = 'Full thread dump Java HotSpot(TM) 64-Bit Server VM (20.1-b02 mixed mode):\n\n';
  const thread = (id: number) => `"t" #${id} prio=5 tid=0x01 nid=0x02 runnable\n`;
  const head = (name: string) => `"${name}" #7 prio=5 tid=0x01 nid=0x02 x\n`;
  const state = (word: string) => `   java.lang.Thread.State: ${word}\n`;

  test('threads without Java ids, and texts without threads, are not read', () => {
    expect(
      faultIn(`${HEAD}"main" prio=10 tid=0x01 nid=0x02 runnable [0x03]\n   java.lang.Thread.State: RUNNABLE\n`),
    ).toBe('no-ids');
    for (const text of ['hello', '{', '{}', '[]', '{"threads":[]}', HEAD, 'OK\n+1 "MONITOR"']) {
      expect(faultIn(text)).toBe('not-a-dump');
    }
  });

  test('a dump with more threads than the limit is refused', () => {
    const many = Array.from({ length: MOST_THREADS + 1 }, (_, n) => thread(n + 1)).join('');
    expect(faultIn(many)).toBe('too-many-threads');
  });

  test('calls of a stack beyond the limit are counted', () => {
    const deep = `${thread(1)}${'\tat a.B.c(B.java:1)\n'.repeat(MOST_FRAMES + 7)}`;
    expect(dumpIn(deep).threads[0]).toMatchObject({ framesBeyond: 7 });
    expect(dumpIn(deep).frames).toHaveLength(1);
  });

  test('a thread that appears again with another state begins another dump, and a thread with id 0 is left out', () => {
    const text = `${head('a')}${state('RUNNABLE')}${head('b')}${state('WAITING')}"c" #0 prio=5 tid=0x01 nid=0x02 x\n`;
    expect(dumpIn(text)).toMatchObject({ dumps: 2, isWhole: false, threads: [{ javaId: 7, name: 'b' }] });
  });

  test('a thread that appears again with the same state does not begin another dump', () => {
    const same = `${head('a')}${state('RUNNABLE')}"d" #8 prio=5 tid=0x01\n${head('a')}${state('RUNNABLE')}${head('a')}`;
    expect(dumpIn(same)).toMatchObject({ dumps: 1, threads: [{ javaId: 7 }, { javaId: 8 }] });
  });

  test('two texts of 3.3 million characters in hostile lines are read within 3 s of CPU time', () => {
    const long = 'at '.repeat(200_000);
    const lines = [
      `"${'" #'.repeat(200_000)}`,
      long,
      `- locked <${'0'.repeat(500_000)}`,
      `${'<0x1> owned by "'.repeat(50_000)}`,
      `${' '.repeat(41)}\n`.repeat(20_000),
    ];
    // The time on the processor, not on the clock: other processes do not count.
    const begin = process.cpuUsage();
    parseDump(`x Full thread dump \n${lines.join('\n')}\n`);
    parseDump(`Full thread dump \n"a" #1 tid=0x1\n${lines.join('\n')}\n`);
    expect(process.cpuUsage(begin).user).toBeLessThan(3_000_000);
  });
});
