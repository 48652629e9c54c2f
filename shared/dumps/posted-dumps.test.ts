import { test } from 'vitest';
import {
  CONTAINERS,
  CORE,
  COROUTINE,
  DROPWIZARD,
  EARLIER,
  each,
  expectThreads,
  FILE,
  FILE_THREADS,
  INFO,
  JSTACK,
  LIST,
  MAIN,
  MX,
  NO_HEAD,
  OF_FILE,
  type Posted,
  PRICES,
  STORY,
  TOMCAT,
  until,
  WAITER,
  WORKER,
  wildfly,
  withoutOwner,
} from '../../testing/stories/posted-dump.ts';

test.each<Posted>([
  [
    'jstack of Java 8',
    JSTACK.replace('(17.0.15+6 mixed mode, sharing)', '(25.402-b06 mixed mode)')
      .replace(/cpu=\S+ elapsed=\S+ /g, '')
      .replace('JNI global refs: 16, weak refs: 0', 'JNI global references: 345'),
    STORY,
    { javaVersion: 8, isWhole: true },
  ],
  [
    'jstack of Java 21 with the thread id of the system',
    JSTACK.replace(/(#\d+) /g, '$1 [4711] ').replace(/nid=0x(\w+)/g, 'nid=4711'),
    STORY,
    { isWhole: true },
  ],
  ['the process id that jcmd writes above', `812:\n${JSTACK}`, STORY, { localTime: '2026-11-18 10:26:44' }],
  [
    'heads with allocated memory and defined classes',
    JSTACK.replaceAll(' tid=', ' allocated=1234K defined_classes=12 tid='),
    STORY,
  ],
  [
    'names with quotes, brackets, other letters or no letters',
    '"a "b" #9 [x]: y" #31 prio=5 tid=0x1\n"工人-1" #32 prio=5 tid=0x1\n"" #33 prio=5 tid=0x1\n"worker " #34 daemon prio=5 tid=0x1\n"Thread #1 "x"" #35 prio=5 tid=0x1\n"c@coroutine#2" #36 prio=5 tid=0x1\n"at x (y)" #37 prio=5 tid=0x1\n',
    [
      '31 a "b" #9 [x]: y null 0 -',
      '32 工人-1 null 0 -',
      '33  null 0 -',
      '34 worker  null 0 -',
      '35 Thread #1 "x" null 0 -',
      '36 c@coroutine#2 null 0 -',
      '37 at x (y) null 0 -',
    ],
  ],
  [
    'a name that looks like the head of a thread',
    '"x" prio=5 Id=9 RUNNABLE "y" #31 prio=5 tid=0x1\n   java.lang.Thread.State: RUNNABLE\n\tat a.B.c(B.java:1)\n',
    ['31 x" prio=5 Id=9 RUNNABLE "y RUNNABLE 1 B.c'],
  ],
  [
    'jfr print',
    `jdk.ThreadDump {\n  startTime = 10:26:44.123 (2026-11-18)\n  result = "${JSTACK}\n"\n}\n\n`,
    STORY,
    { isWhole: true, localTime: '2026-11-18 10:26:44' },
  ],
  [
    'jfr print --json',
    JSON.stringify(
      { recording: { events: [{ type: 'jdk.ThreadDump', values: { startTime: 'x', result: JSTACK } }] } },
      null,
      2,
    ),
    STORY,
  ],
  [
    'two dumps, the second without its end',
    JSTACK + until('"prices"'),
    withoutOwner(STORY.slice(0, 3)),
    { dumps: 2, isWhole: false },
  ],
  [
    'two answers of the actuator, one a line',
    `${JSON.stringify({ threads: LIST })}\n${JSON.stringify({ threads: LIST })}\n`,
    STORY,
    { dumps: 2 },
  ],
  [
    'Thread.dump_to_file as JSON, format version 2',
    JSON.stringify({
      threadDump: {
        formatVersion: 2,
        processId: 812,
        time: '2026-11-18T10:26:44.12Z',
        runtimeVersion: '26+36',
        threadContainers: [
          {
            container: '<root>',
            parent: null,
            owner: null,
            threads: [
              {
                tid: 31,
                time: 'x',
                name: 'worker-1',
                state: 'BLOCKED',
                blockedOn: 'shop.Prices@1a',
                stack: ['shop.Prices.load(Prices.java:40)'],
              },
              {
                tid: 52,
                name: 'prices',
                state: 'TIMED_WAITING',
                stack: ['java.lang.Thread.sleep(Native Method)'],
                monitorsOwned: [{ depth: 1, locks: [null, 'shop.Prices@1a'] }],
              },
            ],
            threadCount: 2,
          },
          {
            container: 'java.util.concurrent.ThreadPerTaskExecutor@2',
            parent: '<root>',
            owner: null,
            threads: [
              {
                tid: 61,
                virtual: true,
                carrier: 60,
                name: '',
                state: 'WAITING',
                parkBlocker: { object: 'X$Sync@3', owner: 31 },
                waitingOn: null,
                stack: [],
              },
            ],
            threadCount: 1,
          },
        ],
      },
    }),
    ['31 worker-1 BLOCKED<52 1 Prices.load', '52 prices TIMED_WAITING 1 Thread.sleep', '61v  WAITING<31 0 -'],
    { isWhole: true },
  ],
  [
    'a javacore of IBM Java 8 on Windows',
    CORE.replaceAll('\n', '\r\n').replace(
      'JRE 17 Linux amd64-64 (build 17.0.15+6)',
      'JRE 1.8.0 Windows 10 amd64-64 build 8.0.8.20 - pwa6480sr8fp20',
    ),
    [
      '1 main RUNNABLE 2 SocketInputStream.socketRead0',
      '31 worker-1 BLOCKED<52 4 Prices.load',
      '45 worker-2 WAITING 8 Unsafe.park',
      '52 prices TIMED_WAITING 5 Thread.sleepImpl',
      '60 mail "a" null 3 Object.wait',
      '61 mail-2 BLOCKED 1 Mail.add',
    ],
    { javaVersion: 8 },
  ],
  ['jstack without its time', JSTACK.slice(20), STORY, { localTime: null }],
  ['an answer of the actuator, then jstack', `${JSON.stringify({ threads: LIST })}\n${JSTACK}`, STORY],
  [
    'jstack with the report of a deadlock',
    JSTACK.replace(
      'JNI global refs: 16, weak refs: 0\n',
      'JNI global refs: 16, weak refs: 0\n\n\nFound one Java-level deadlock:\n=============================\n"worker-1":\n  waiting to lock monitor 0x00007f (object 0x00000000f0a1b2c8, a shop.Prices),\n  which is held by "prices"\n\nJava stack information for the threads listed above:\n===================================================\n"worker-1":\n\tat shop.Other.a(Other.java:1)\n\nFound 1 deadlock.\n',
    ),
    STORY,
  ],
  [
    'Thread.dump_to_file of Java 24 with the carrier of a virtual thread',
    '812\n2026-11-18T10:26:44.12Z\n24+36\n\n#31 "worker-1" virtual WAITING 2026-11-18T10:26:44.12Z\n      // carrier #30\n      // parked on java.util.concurrent.locks.ReentrantLock$NonfairSync@1, owned by #52\n      java.base/java.lang.VirtualThread.park(VirtualThread.java:582)\n',
    ['31v worker-1 WAITING<52 1 VirtualThread.park'],
  ],
  [
    'Thread.dump_to_file with a name that contains quotes, "virtual" and a state',
    '#31 "a" virtual BLOCKED "b" WAITING 2026-11-18T10:26:44.12Z\n',
    ['31 a" virtual BLOCKED "b WAITING 0 -'],
  ],
  [
    'a thread is left out if its name has a line end',
    JSTACK.replace('"worker-1"', '"worker\n1"'),
    [MAIN, WAITER, PRICES],
  ],
  [
    'a name that ends with a quote',
    JSTACK.replace('"worker-1"', '"worker-1""'),
    STORY.map((line) => line.replace('worker-1', 'worker-1"')),
  ],
  [
    'a name with backslashes and a quote, in JSON log lines',
    each((line) => JSON.stringify({ message: line }), JSTACK.replaceAll('worker-1', 'C:\\new\\"t').trimEnd()),
    STORY.map((line) => line.replace('worker-1', 'C:\\new\\"t')),
  ],

  ['the text of VisualVM', MX, STORY],
  [
    'a stack with a gap',
    JSTACK.replace('\tat shop.Worker.run(Worker.java:9)\n', '\t[...]\n'),
    [MAIN, WORKER.replace(' 4 ', ' 3 '), WAITER, PRICES],
    { isWhole: false },
  ],
  [
    'one thread alone',
    JSTACK.slice(JSTACK.indexOf('"worker-1"'), JSTACK.indexOf('"worker-2"')),
    withoutOwner([WORKER]),
    { isWhole: false },
  ],
  [
    'a response of the actuator with escaped letters',
    JSON.stringify({ threads: LIST }).replaceAll('worker-1', '\\u5de5\\u4eba'),
    STORY.map((line) => line.replace('worker-1', '工人')),
  ],
  ['the actuator as a text in json', JSON.stringify({ message: JSON.stringify({ threads: LIST }) }), STORY],

  ['the thread dump of Dropwizard', DROPWIZARD, STORY],
  ['the thread dump of Tomcat', `OK - JVM thread dump\r\n${TOMCAT}`, STORY],
  [
    'the thread heads of Arthas',
    INFO.replace(/" prio=5 (Id=\d+) /g, '" $1 cpuUsage=0.1% deltaTime=0ms time=23ms '),
    STORY,
  ],
  ['a response of the management of WildFly', `{"outcome":"success","result":${wildfly(LIST)}}`, STORY],
  ['jq .threads[]', LIST.map((each) => JSON.stringify(each, null, 2)).join('\n'), STORY, { isWhole: false, dumps: 1 }],
  ['jq -c .threads[], twice', [...LIST, ...LIST].map((each) => JSON.stringify(each)).join('\n'), STORY, { dumps: 2 }],
  ['jq .threads[1]', JSON.stringify(LIST[1], null, 2), [WORKER]],
  [
    'responses of the actuators of two instances',
    JSON.stringify([
      { of: 'a', threads: [] },
      { of: 'b', threads: LIST },
    ]),
    STORY,
  ],
  ['jq .threadDump', JSON.stringify({ threadContainers: CONTAINERS }, null, 2), OF_FILE],
  ['jq .threadContainers', JSON.stringify(CONTAINERS), OF_FILE],
  ['jq .threads[] of a file', FILE_THREADS.map((each) => JSON.stringify(each, null, 2)).join('\n'), OF_FILE],
  ['thread-info twice', `${EARLIER}\n${INFO}`, STORY, { dumps: 2 }],
  ['thread-info, a thread quoted behind it', `${INFO}\n${INFO.split('\n\n')[1]}\n`, STORY, { dumps: 1 }],
  [
    'two texts of Thread.dump_to_file without their heads',
    `${FILE.slice(FILE.indexOf('#1 ')).replace('BLOCKED', 'NEW')}\n${FILE.slice(FILE.indexOf('#1 '))}`,
    STORY,
  ],
  ['coroutines behind thread-info', INFO + COROUTINE, STORY],
  ['coroutines behind a file text', FILE + COROUTINE, STORY],
  ['coroutines behind threads', NO_HEAD + COROUTINE, STORY],
  ['heads of another vendor', JSTACK.replace(/ cpu=/g, ' allocated=1248B (1.2KB) cpu='), STORY],
])('the expected threads and no others are read from a dump as a tool writes it: %s', (_, text, threads, facts) => {
  expectThreads(text, threads, facts);
});
