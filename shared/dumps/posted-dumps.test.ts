import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textOfBytes } from '../unwrap/text-bytes.ts';
import { stackOf } from './frames.ts';
import { looksLikeDump } from './looks-like-dump.ts';
import { parseDump } from './parse-dump.ts';
import type { DumpThread, ThreadDump } from './thread-dump.ts';

/** Thread dumps in the forms in which people post and attach them. */
const read = (name: string) => readFileSync(new URL(`../traces/texts/${name}`, import.meta.url), 'utf8');
const JSTACK = read('jstack.txt');
const FILE = read('dump-to-file.txt');
const INFO = read('thread-info.txt');
const CORE = read('javacore.txt');
const LIST: unknown[] = JSON.parse(read('actuator-list.json'));

const each = (change: (line: string, n: number) => string, text = JSTACK.trimEnd()) =>
  text.split('\n').map(change).join('\n');
/** Line by line, one of each of two JVMs. */
const both = (one: string, other: string) =>
  JSTACK.split('\n')
    .flatMap((line) => [`${one}${line.replaceAll('worker', 'clerk').replace('#31', '#30')}`, `${other}${line}`])
    .join('\n');
/** The same with a change of each line of the first JVM, and of each line of the second one. */
const mixed = (one: (line: string) => string, other: (line: string) => string) =>
  JSTACK.trimEnd()
    .split('\n')
    .flatMap((line) => [one(line.replaceAll('worker', 'clerk').replace('#31', '#30')), other(line)])
    .join('\n');
/** `ThreadInfo` as other programs print it: the name, the id, the state, what is waited for, its owner, and the stack. */
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
const DROPWIZARD = infoAs(({ name, id, state, lock, hash, owner, ownerId, stack }) => {
  const on = state === 'BLOCKED' ? ['- waiting to lock'] : ['- waiting on', '- locked'];
  const locks = lock === undefined ? [] : on.map((how) => `    ${how} <0x${hash}> (a ${lock})`);
  const owned = owner === undefined ? [] : [`     owned by ${owner} id=${ownerId}`];
  return [`"${name}" id=${id} state=${state}`, ...locks, ...owned, ...stack.map((line) => `    ${line}`), ''].join(
    '\n',
  );
});
const TOMCAT = infoAs(({ name, id, state, lock, hash, owner, ownerId, stack }) => {
  const times = 'cpu=120000 ns usr=100000 ns blocked 1 for -1 ms waited 2 for -1 ms';
  const owned = owner === undefined ? '' : ` owned by ${owner} Id=${ownerId}`;
  const on = lock === undefined ? [] : [`        - waiting on (a ${lock}@${hash})${owned}`];
  const [top, ...rest] = stack.map((line) => `        ${line}`);
  return [`"${name}" Id=${id} ${times}`, `   java.lang.Thread.State: ${state}`, top, ...on, ...rest, ''].join('\r\n');
});
const EARLIER = INFO.replace(/Id=31 BLOCKED on.*/, 'Id=31 RUNNABLE');
const COROUTINE =
  '\nCoroutine "c#2":StandaloneCoroutine{Active}@1a2b, state: SUSPENDED\n\tat shop.Job.run(Job.kt:12)\n';
const FROM_MAIN = JSTACK.slice(JSTACK.indexOf('"main"'));
const NO_HEAD = FROM_MAIN.slice(0, FROM_MAIN.indexOf('"VM Thread"'));
const LOCKS = { locks: ['shop.Prices@1a'] };
const FILE_THREADS = [
  { tid: '31', name: 'worker-1', state: 'BLOCKED', blockedOn: 'shop.Prices@1a', stack: ['shop.Prices.load(P.java:4)'] },
  { tid: '52', name: 'prices', state: 'RUNNABLE', stack: ['shop.Prices.a(P.java:1)'], monitorsOwned: [LOCKS] },
];
const OF_FILE = ['31 worker-1 BLOCKED<52 1 Prices.load', '52 prices RUNNABLE 1 Prices.a'];
const CONTAINERS = [{ container: '<root>', parent: null, owner: null, threads: FILE_THREADS }];
const html = (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const wildfly = (value: unknown) =>
  JSON.stringify(value).replace(
    /"(\w+)":/g,
    (_, name: string) => `"${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}":`,
  );
const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\n');
/** A cell of a table, quoted only if it has to be. */
const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const printable = (text: string) =>
  Buffer.from(text)
    .toString('latin1')
    .replace(/[=\x80-\xff]/g, (letter) => `=${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .split('\n')
    .map((line) => line.match(/(?:=..|[^=]){1,70}/g)?.join('=\n') ?? '')
    .join('\n');
const until = (mark: string, plus = 0, text = JSTACK) => text.slice(0, text.indexOf(mark) + plus);

/** `31 worker-1 BLOCKED<52 4 Prices.load`: id, name, state, the owner that it waits for, the number of frames, the newest. */
function shown(dump: ThreadDump, thread: DumpThread): string {
  const { javaId, isVirtual, name, state, waitsFor, stack } = thread;
  const owner = waitsFor?.ownerId ? `<${waitsFor.ownerId}` : '';
  const top = /(\w+\.\w+)\(/.exec(stackOf(dump, thread)[0] ?? '')?.[1] ?? '-';
  return `${javaId}${isVirtual ? 'v' : ''} ${name} ${state}${owner} ${stack.length} ${top}`;
}

const MAIN = '1 main RUNNABLE 2 SocketInputStream.socketRead0';
const WORKER = '31 worker-1 BLOCKED<52 4 Prices.load';
const WAITER = '45 worker-2 WAITING 8 Unsafe.park';
const PRICES = '52 prices TIMED_WAITING 4 Thread.sleep';
const STORY = [MAIN, WORKER, WAITER, PRICES];
const OF_CORE = [
  ...[MAIN, WORKER, WAITER, '52 prices TIMED_WAITING 5 Thread.sleepImpl', '60 mail "a" null 3 Object.wait'],
  '61 mail-2 BLOCKED 1 Mail.add',
];
const rowsOf = (lines: readonly string[]) => lines.map((line) => `2026,${cell(line)}`).join('\n');
const MX = JSTACK.trimEnd()
  .replace(/^"([^"]+)" #(\d+).*$/gm, '"$1" - Thread t@$2')
  .replace(/<0x0+(\w+)>/g, '<$1>');
const withoutOwner = (threads: readonly string[]) => threads.map((thread) => thread.replace('<52', ''));

test.each<[name: string, text: string, threads: readonly string[], facts?: Partial<ThreadDump>]>([
  [
    'java 8',
    JSTACK.replace('(17.0.15+6 mixed mode, sharing)', '(25.402-b06 mixed mode)')
      .replace(/cpu=\S+ elapsed=\S+ /g, '')
      .replace('JNI global refs: 16, weak refs: 0', 'JNI global references: 345'),
    STORY,
    { javaVersion: 8, isWhole: true },
  ],
  [
    'java 21 with os id',
    JSTACK.replace(/(#\d+) /g, '$1 [4711] ').replace(/nid=0x(\w+)/g, 'nid=4711'),
    STORY,
    { isWhole: true },
  ],
  ['jcmd pid line', `812:\n${JSTACK}`, STORY, { localTime: '2026-11-18 10:26:44' }],
  ['allocated', JSTACK.replaceAll(' tid=', ' allocated=1234K defined_classes=12 tid='), STORY],
  [
    'json log lines around kill -3',
    `{"@timestamp":"2026-11-18T10:26:40Z","level":"INFO","message":"started"}\n${JSTACK}{"@timestamp":"2026-11-18T10:26:50Z","level":"INFO","message":"go on"}\n`,
    STORY,
    { isWhole: true },
  ],
  [
    'json log lines in the dump',
    JSTACK.replace(
      '\n"worker-2"',
      '\n{"@timestamp":"2026-11-18T10:26:40Z","level":"INFO","message":"at \\"work\\""}\n"worker-2"',
    ),
    STORY,
  ],
  [
    'log4j json lines with threadName around',
    `{"threadId":12,"threadName":"http-1","level":"INFO","message":"started"}\n${JSTACK}`,
    STORY,
  ],
  ['cut in head number', until('#52', 2), withoutOwner(STORY.slice(0, 3)), { isWhole: false }],
  [
    'cut mx number',
    '"prices" - Thread t@52\n   java.lang.Thread.State: RUNNABLE\n\tat a.B.c(B.java:1)\n\n"w" - Thread t@5',
    ['52 prices RUNNABLE 1 B.c'],
  ],
  ['cut owner', '#22 "w" WAITING 2026-11-23T06:02:11Z\n    - parked on X@1, owned by #5', ['22 w WAITING 0 -']],
  ['cut owner info', '"a" prio=5 Id=7 BLOCKED on x.Y@1a owned by "b" Id=5', ['7 a BLOCKED 0 -']],
  [
    'cut javacore id',
    CORE.slice(0, CORE.indexOf('getId:0x34') + 9),
    [
      '1 main RUNNABLE 2 SocketInputStream.socketRead0',
      '31 worker-1 BLOCKED 4 Prices.load',
      '45 worker-2 WAITING 8 Unsafe.park',
    ],
  ],
  ['cut in state', until('BLOCKED', 4), ['1 main RUNNABLE 2 SocketInputStream.socketRead0', '31 worker-1 null 0 -']],
  [
    'snip',
    JSTACK.replace(/\n"worker-2"[\s\S]*?\n\n/, '\n[... 120 lines truncated ...]\n\n'),
    [MAIN, WORKER, PRICES],
    { isWhole: false },
  ],
  ['snip2', JSTACK.replace(/\n"worker-2"[\s\S]*?\n\n/, '\n<snip>\n\n'), [MAIN, WORKER, PRICES], { isWhole: false }],
  ['snip3', JSTACK.replace(/\n"worker-2"[\s\S]*?\n\n/, '\n...\n\n'), [MAIN, WORKER, PRICES], { isWhole: false }],
  [
    'snip by SMR',
    JSTACK.replace(
      '\n\n"main"',
      '\n\nThreads class SMR info:\n_java_thread_list=0x00007f21f00f5630, length=4, elements={\n0x1, 0x2, 0x3, 0x4\n}\n\n"main"',
    ).replace(/\n"worker-2"[\s\S]*?\n\n/, '\n'),
    [MAIN, WORKER, PRICES],
    { isWhole: false },
  ],
  [
    'names',
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
    'names in compose',
    each(
      (l) => `app-1  | ${l}`,
      '"a "b" #9 [x]: y" #31 prio=5 tid=0x1\n"工人-1" #32 prio=5 tid=0x1\n"" #33 prio=5 tid=0x1\n"worker | " #34 daemon prio=5 tid=0x1\n"Thread #1 "x"" #35 prio=5 tid=0x1\n',
    ),
    [
      '31 a "b" #9 [x]: y null 0 -',
      '32 工人-1 null 0 -',
      '33  null 0 -',
      '34 worker |  null 0 -',
      '35 Thread #1 "x" null 0 -',
    ],
  ],
  [
    'name like a print head',
    '"x" prio=5 Id=9 RUNNABLE "y" #31 prio=5 tid=0x1\n   java.lang.Thread.State: RUNNABLE\n\tat a.B.c(B.java:1)\n',
    ['31 x" prio=5 Id=9 RUNNABLE "y RUNNABLE 1 B.c'],
  ],
  ['pod prefix+ts', each((l, n) => `[pod/app-7d9f-x/app] 2026-11-18T10:26:44.${100000000 + n}Z ${l}`), STORY],
  ['journald short-iso', each((l) => `2026-11-18T10:26:44+0100 host-1 java[812]: ${l}`), STORY],
  [
    'journald json',
    each(
      (l) =>
        JSON.stringify({
          _PID: '812',
          __REALTIME_TIMESTAMP: '1795000000000000',
          SYSLOG_IDENTIFIER: 'java',
          MESSAGE: l,
          PRIORITY: '6',
        }),
      JSTACK.trimEnd(),
    ),
    STORY,
  ],
  ['rsyslog #011', each((l) => `Nov 18 10:26:44 host-1 java[812]: ${l.replaceAll('\t', '#011')}`), STORY],
  ['cat -A ^I$', each((l) => `${l.replaceAll('\t', '^I')}$`, JSTACK.trimEnd()), STORY],
  ['cat -T', each((l) => l.replaceAll('\t', '^I')), STORY],
  ['two jvms in journald', both('Nov 18 10:26:44 host-1 java[812]: ', 'Nov 18 10:26:44 host-1 java[899]: '), STORY],
  ['two pods in stern', both('app-7d9f-aaa app ', 'app-7d9f-bbb app '), STORY],
  [
    'two dynos',
    both('2026-11-18T10:26:44.120000+00:00 app[web.1]: ', '2026-11-18T10:26:44.120000+00:00 app[web.2]: '),
    STORY,
  ],
  ['kubetail', both('[app-7d9f-aaa] ', '[app-7d9f-bbb] '), STORY],
  [
    'csv with minimal quotes',
    `@timestamp,@message\n${JSTACK.trimEnd()
      .split('\n')
      .map((l) => `2026-11-18 10:26:44.120,${cell(l)}`)
      .join('\n')}\n`,
    STORY,
  ],
  [
    'csv datadog minimal',
    `Date,Host,Service,Message\n${JSTACK.trimEnd()
      .split('\n')
      .map((l) => `"2026-11-18T10:26:44.120Z",host-1,shop,${cell(l)}`)
      .join('\n')}\n`,
    STORY,
  ],
  [
    'csv all quoted',
    `"time","line"\n${JSTACK.trimEnd()
      .split('\n')
      .map((l) => `"x","${l.replaceAll('"', '""')}"`)
      .join('\n')}\n`,
    STORY,
  ],
  [
    'csv newest first',
    `"time","line"\n${JSTACK.trimEnd()
      .split('\n')
      .reverse()
      .map((l) => `"x","${l.replaceAll('"', '""')}"`)
      .join('\n')}\n`,
    STORY,
  ],
  ['newest first bare', JSTACK.trimEnd().split('\n').reverse().join('\n'), STORY],
  [
    'cloudwatch json',
    JSON.stringify(
      {
        events: JSTACK.trimEnd()
          .split('\n')
          .map((message, n) => ({
            logStreamName: 'a',
            timestamp: 1795000000000 + n,
            message,
            ingestionTime: 1795000000000,
            eventId: `37${n}`,
          })),
        searchedLogStreams: [],
      },
      null,
      4,
    ),
    STORY,
  ],
  [
    'logcli jsonl',
    each(
      (line) => JSON.stringify({ labels: { app: 'shop' }, line, timestamp: '2026-11-18T10:26:44Z' }),
      JSTACK.trimEnd(),
    ),
    STORY,
  ],
  ['logcli default', each((l) => `2026-11-18T10:26:44Z {app="shop", pod="a"} ${l}`), STORY],
  [
    'grafana json',
    JSON.stringify(
      JSTACK.trimEnd()
        .split('\n')
        .map((line) => ({
          line,
          timestamp: '1795000000000000000',
          date: '2026-11-18T10:26:44Z',
          fields: { app: 'shop' },
        })),
    ),
    STORY,
  ],
  [
    'splunk json',
    JSTACK.trimEnd()
      .split('\n')
      .map((l, n) => JSON.stringify({ preview: false, offset: n, result: { _raw: l, _time: 'x' } }))
      .join('\n'),
    STORY,
  ],
  ['splunk one event', JSON.stringify({ preview: false, result: { _raw: JSTACK, host: 'h' } }), STORY],
  ['splunk csv one event', `"_raw","_time"\n"${JSTACK.replaceAll('"', '""')}","2026"\n`, STORY],
  [
    'logger: head line prefixed',
    INFO.replace(/^"/gm, '2026-11-18 10:26:44.120  WARN 812 --- [  scheduling-1] c.s.DeadlockWatch : "'),
    STORY,
  ],
  [
    'exception of the application in a log',
    JSTACK.replace(
      '\n\n"worker-2"',
      '\n2026-11-18 10:26:44 ERROR shop.Mail: no mail\njava.io.IOException: no\n\tat shop.Mail.send(Mail.java:1)\n\tat shop.Mail.run(Mail.java:2)\n\n"worker-2"',
    ),
    STORY,
  ],
  ['cat -n', each((l, n) => `${String(n + 1).padStart(6)}\t${l}`), STORY],
  ['less -N', each((l, n) => `${String(n + 1).padStart(7)} ${l}`), STORY],
  ['grep -n', each((l, n) => `${n + 1}:${l}`), STORY],
  ['grep -n context', each((l, n) => `${n + 1}${l.startsWith('"') ? ':' : '-'}${l}`), STORY],
  [
    'grep -Hn context',
    each((l, n) => `dump.txt${l.startsWith('"') ? ':' : '-'}${n + 1}${l.startsWith('"') ? ':' : '-'}${l}`),
    STORY,
  ],
  ['grep -H', each((l) => `dump.txt:${l}`), STORY],
  ['diff +', each((l) => `+${l}`), STORY],
  ['diff >', each((l) => `> ${l}`), STORY],
  ['blockquote fence', each((l) => `> ${l}`, `\`\`\`java\n${JSTACK}\`\`\``), STORY],
  ['github actions', each((l) => `2026-11-18T10:26:44.1200000Z ${l}`), STORY],
  ['gitlab', each((l) => `2026-11-18T10:26:44.120000Z 01O ${l}`), STORY],
  ['heroku', each((l) => `2026-11-18T10:26:44.120000+00:00 app[web.1]: ${l}`), STORY],
  ['jenkins', each((l) => `[2026-11-18T10:26:44.120Z] ${l}`), STORY],
  ['slack', each((l) => l.replace(/^\s+/, '')), STORY],
  ['stripped file text', each((l) => l.replace(/^\s+/, ''), FILE), STORY],
  ['tabbed file text', each((l) => l.replace(/^ {4}/, '\t'), FILE), STORY],
  [
    'stripped java 21 file text',
    '812\n2026-11-18T10:26:44.120Z\n21.0.4+7-LTS\n\n#1 "main"\njava.base/java.lang.Thread.sleep0(Native Method)\nshop.Main.main(Main.java:9)\n\n#22 "" virtual\njava.base/java.lang.VirtualThread.park(VirtualThread.java:582)\n',
    ['1 main null 2 Thread.sleep0', '22v  null 1 VirtualThread.park'],
  ],
  ['quoted-printable', printable(JSTACK), STORY],
  [
    'quoted-printable name',
    printable(JSTACK.replaceAll('worker-1', 'Büro')),
    STORY.map((l) => l.replace('worker-1', 'Büro')),
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
  ['two dumps, second cut', JSTACK + until('"prices"'), withoutOwner(STORY.slice(0, 3)), { dumps: 2, isWhole: false }],
  ['pid prefix', each((l) => `[812] ${l}`), STORY],
  ['stdout prefix logback', each((l) => `2026-11-18 10:26:44.120 INFO  [stdout] (Signal Dispatcher) ${l}`), STORY],
  ['actuator html escaped', JSON.stringify({ threads: LIST }).replaceAll('"', '&quot;'), STORY],
  [
    'actuator in curl -i',
    `HTTP/1.1 200 \nContent-Type: application/vnd.spring-boot.actuator.v3+json\n\n${JSON.stringify({ threads: LIST })}`,
    STORY,
  ],
  [
    'actuator within markdown',
    `Here:\n\`\`\`json\n${JSON.stringify({ threads: LIST }, null, 2)}\n\`\`\`\nthanks {see above}`,
    STORY,
  ],
  ['actuator in a log line', `2026-11-18 10:26:44 INFO dump: ${JSON.stringify({ threads: LIST })}`, STORY],
  [
    'actuator ndjson two answers',
    `${JSON.stringify({ threads: LIST })}\n${JSON.stringify({ threads: LIST })}\n`,
    STORY,
    { dumps: 2 },
  ],
  [
    'java 25 json',
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
    'ibm java 8 javacore windows',
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
  ['slack bullets', each((l) => `• ${l}`), STORY],
  ['discord ts', each((l) => `[10:26] ${l}`), STORY],
  ['jira noformat', `{noformat}\n${JSTACK}{noformat}\n`, STORY],
  [
    'confluence html',
    `<div class="code"><pre>${JSTACK.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</pre></div>`,
    STORY,
  ],
  [
    'html br nbsp',
    JSTACK.replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('\t', '&nbsp;&nbsp;&nbsp;&nbsp;')
      .replaceAll('\n', '<br>'),
    STORY,
  ],
  ['wrapped 80', each((l) => l.replace(/.{80}(?=.)/g, '$&\n')), STORY],
  ['no time', JSTACK.slice(20), STORY, { localTime: null }],
  ['yaml block', `log: |\n${each((l) => `  ${l}`)}`, STORY],
  ['python repr', `'${JSTACK.replaceAll('\n', '\\n').replaceAll('\t', '\\t')}'`, STORY],
  ['log4j xml', `<log4j:message><![CDATA[${JSTACK}]]></log4j:message>\n`, STORY],
  [
    'json logs, interleaved per line',
    each((l, n) => (n % 5 === 4 ? `${l}\n{"ts":"x","level":"INFO","msg":"\\"a\\" #7 prio=5"}` : l)),
    STORY,
  ],
  ['pretty json log before', `{\n  "level": "INFO",\n  "thread": "main"\n}\n${JSTACK}`, STORY],
  ['actuator answer then jstack', `${JSON.stringify({ threads: LIST })}\n${JSTACK}`, STORY],
  ['minimal csv newest first', `@timestamp,@message\n${rowsOf(JSTACK.trimEnd().split('\n').reverse())}`, STORY],
  [
    'csv semicolon',
    `zeit;zeile\n${JSTACK.trimEnd()
      .split('\n')
      .map((l) => `2026;${/["; ]/.test(l) ? `"${l.replaceAll('"', '""')}"` : l}`)
      .join('\n')}`,
    STORY,
  ],
  [
    'csv crlf minimal',
    `@timestamp,@message\n${rowsOf(JSTACK.trimEnd().split('\n'))}\n`.replaceAll('\n', '\r\n'),
    STORY,
  ],
  ['file text newest first', FILE.trimEnd().split('\n').reverse().join('\n'), STORY],
  ['info newest first', INFO.trimEnd().split('\n').reverse().join('\n'), STORY],
  ['javacore newest first', CORE.trimEnd().split('\n').reverse().join('\n'), OF_CORE],
  ['file text in grep context', each((l, n) => `${n + 1}${l.startsWith('#') ? ':' : '-'}${l}`, FILE.trimEnd()), STORY],
  [
    'file text rsyslog',
    each((l) => `Nov 18 10:26:44 host java[812]: ${l.replace(/^ {4}/, '#011')}`, FILE.trimEnd()),
    STORY,
  ],
  [
    'info logger, each thread own event',
    INFO.replace(/^"/gm, '10:26:44.120 [scheduling-1] WARN  c.s.DeadlockWatch - "'),
    STORY,
  ],
  [
    'info joined in one log line with \\n',
    `2026-11-18 WARN ${INFO.replaceAll('\n', '\\n').replaceAll('\t', '\\t')}`,
    STORY,
  ],
  [
    'logger head then exception with frames',
    `${INFO.replace(/^"/gm, '2026-11-18 10:26:44 WARN W : "')}\n2026-11-18 10:26:45 ERROR M : no\njava.lang.IllegalStateException\n\tat shop.Mail.a(Mail.java:1)\n`,
    STORY,
  ],
  [
    'kill -3 exc inside thread, same line prefix',
    JSTACK.replace(
      '\n\tat shop.Worker.run(Worker.java:9)\n\tat java.lang.Thread.run(Thread.java:840)\n\n"worker-2"',
      '\n\tat shop.Worker.run(Worker.java:9)\nException in thread "mail" java.lang.RuntimeException: a\n\tat shop.Mail.b(Mail.java:1)\n\n"worker-2"',
    ),
    [MAIN, '31 worker-1 BLOCKED<52 3 Prices.load', WAITER, PRICES],
  ],
  [
    'deadlock section',
    JSTACK.replace(
      'JNI global refs: 16, weak refs: 0\n',
      'JNI global refs: 16, weak refs: 0\n\n\nFound one Java-level deadlock:\n=============================\n"worker-1":\n  waiting to lock monitor 0x00007f (object 0x00000000f0a1b2c8, a shop.Prices),\n  which is held by "prices"\n\nJava stack information for the threads listed above:\n===================================================\n"worker-1":\n\tat shop.Other.a(Other.java:1)\n\nFound 1 deadlock.\n',
    ),
    STORY,
  ],
  [
    'dump_to_file 24 with carrier note',
    '812\n2026-11-18T10:26:44.12Z\n24+36\n\n#31 "worker-1" virtual WAITING 2026-11-18T10:26:44.12Z\n      // carrier #30\n      // parked on java.util.concurrent.locks.ReentrantLock$NonfairSync@1, owned by #52\n      java.base/java.lang.VirtualThread.park(VirtualThread.java:582)\n',
    ['31v worker-1 WAITING<52 1 VirtualThread.park'],
  ],
  [
    'dump_to_file name with quote+words',
    '#31 "a" virtual BLOCKED "b" WAITING 2026-11-18T10:26:44.12Z\n',
    ['31 a" virtual BLOCKED "b WAITING 0 -'],
  ],
  ['jstack name with newline', JSTACK.replace('"worker-1"', '"worker\n1"'), [MAIN, WAITER, PRICES]],
  [
    'jstack name ends with quote',
    JSTACK.replace('"worker-1"', '"worker-1""'),
    STORY.map((l) => l.replace('worker-1', 'worker-1"')),
  ],
  [
    'name has backslash in json',
    each((l) => JSON.stringify({ message: l }), JSTACK.replaceAll('worker-1', 'C:\\new\\"t').trimEnd()),
    STORY.map((l) => l.replace('worker-1', 'C:\\new\\"t')),
  ],
  [
    'name has html in html',
    `<pre>${JSTACK.replaceAll('worker-1', 'a<b>&c').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</pre>`,
    STORY.map((l) => l.replace('worker-1', 'a<b>&c')),
  ],
  ['Select-String context', each((l, n) => `${l.startsWith('"') ? '> ' : '  '}dump.txt:${n + 1}:${l}`), STORY],
  ['blank lines removed', JSTACK.replace(/\n\n+/g, '\n'), STORY],
  [
    'two column pdf copy: lock line merged',
    JSTACK.replace('\n\t- waiting', ' - waiting'),
    [MAIN, '31 worker-1 BLOCKED 4 Prices.load', WAITER, PRICES],
  ],

  ['the text of VisualVM', MX, STORY],
  ['the text of VisualVM in compose', each((l) => `app-1  | ${l}`, MX), STORY],
  ['the text of VisualVM in a diff', each((l) => `+${l}`, MX), STORY],
  [
    'two dumps, newest line first',
    `${JSTACK}\n${JSTACK}`.trimEnd().split('\n').reverse().join('\n'),
    STORY,
    { dumps: 2 },
  ],
  [
    'two pods, one after the other',
    `${each((l) => `app-1  | ${l}`)}\n${each((l) => `app-2  | ${l.replace('#31', '#33')}`)}`,
    [MAIN, WORKER.replace('31', '33'), WAITER, PRICES],
  ],
  [
    'an error with a stack, of any class',
    JSTACK.replace(
      '\n\n"worker-2"',
      '\n\n2026-11-18 10:26:44.120 ERROR [main] x.Y - boom\n\tat shop.Mail.a(Mail.java:1)\n\n"worker-2"',
    ),
    STORY,
  ],
  [
    'the cause of an exception',
    JSTACK.replace(
      '\n\n"worker-2"',
      '\n\nCaused by: shop.Boom\n\tat shop.Mail.a(Mail.java:1)\n\t... 12 more\n\n"worker-2"',
    ),
    STORY,
  ],
  [
    'a stack with a gap',
    JSTACK.replace('\tat shop.Worker.run(Worker.java:9)\n', '\t[...]\n'),
    [MAIN, WORKER.replace(' 4 ', ' 3 '), WAITER, PRICES],
    { isWhole: false },
  ],
  [
    'one thread',
    JSTACK.slice(JSTACK.indexOf('"worker-1"'), JSTACK.indexOf('"worker-2"')),
    withoutOwner([WORKER]),
    { isWhole: false },
  ],
  [
    'the actuator with escapes',
    JSON.stringify({ threads: LIST }).replaceAll('worker-1', '\\u5de5\\u4eba'),
    STORY.map((l) => l.replace('worker-1', '工人')),
  ],
  ['the actuator as a text in json', JSON.stringify({ message: JSON.stringify({ threads: LIST }) }), STORY],

  ['dropwizard', DROPWIZARD, STORY],
  ['dropwizard in a web page', `<pre>${html(DROPWIZARD)}</pre>`, STORY],
  ['tomcat', `OK - JVM thread dump\r\n${TOMCAT}`, STORY],
  ['arthas', INFO.replace(/" prio=5 (Id=\d+) /g, '" $1 cpuUsage=0.1% deltaTime=0ms time=23ms '), STORY],
  ['jenkins', INFO.replace(/" prio=5 (Id=\d+) /g, '" $1 Group=main '), STORY],
  ['the management of wildfly', `{"outcome":"success","result":${wildfly(LIST)}}`, STORY],
  ['jq .threads[]', LIST.map((each) => JSON.stringify(each, null, 2)).join('\n'), STORY, { isWhole: false, dumps: 1 }],
  ['jq -c .threads[], twice', [...LIST, ...LIST].map((each) => JSON.stringify(each)).join('\n'), STORY, { dumps: 2 }],
  ['jq .threads[1]', JSON.stringify(LIST[1], null, 2), [WORKER]],
  [
    'the actuators of two instances',
    JSON.stringify([
      { of: 'a', threads: [] },
      { of: 'b', threads: LIST },
    ]),
    STORY,
  ],
  ['the actuator in a search', JSON.stringify({ hits: [{ _source: { threads: LIST } }] }, null, 2), STORY],
  [
    'the actuator by curl -v',
    `< HTTP/1.1 200\n{ [5 bytes data]\n${JSON.stringify({ threads: LIST })}* Connection left`,
    STORY,
  ],
  ['the actuator in broken lines', JSON.stringify({ threads: LIST }).replace(/.{80}(?=.)/g, '$&\n'), STORY],
  ['jq .threadDump', JSON.stringify({ threadContainers: CONTAINERS }, null, 2), OF_FILE],
  ['jq .threadContainers', JSON.stringify(CONTAINERS), OF_FILE],
  ['jq .threads[] of a file', FILE_THREADS.map((each) => JSON.stringify(each, null, 2)).join('\n'), OF_FILE],
  ['thread-info twice', `${EARLIER}\n${INFO}`, STORY, { dumps: 2 }],
  ['thread-info, a thread quoted behind it', `${INFO}\n${INFO.split('\n\n')[1]}\n`, STORY, { dumps: 1 }],
  [
    'file text twice, no head',
    `${FILE.slice(FILE.indexOf('#1 ')).replace('BLOCKED', 'NEW')}\n${FILE.slice(FILE.indexOf('#1 '))}`,
    STORY,
  ],
  ['coroutines behind thread-info', INFO + COROUTINE, STORY],
  ['coroutines behind a file text', FILE + COROUTINE, STORY],
  ['coroutines behind threads', NO_HEAD + COROUTINE, STORY],
  [
    'wrapped heads of threads without a stack',
    each(
      (l) => (l.startsWith('"') ? `${l.replace(/ elapsed/, '\n elapsed')}` : l),
      JSTACK.replace(
        /\n"worker-1"/,
        '"S" #4 prio=9 tid=0x1\n nid=0x1\n   java.lang.Thread.State: RUNNABLE\n"worker-1"',
      ),
    ),
    [MAIN, '4 S RUNNABLE 0 -', WORKER, WAITER, PRICES],
  ],
  ['heads that were shortened', JSTACK.replace(/os_prio.*(?= (?:runnable|waiting|sleeping))/g, '...'), STORY],
  ['heads of another vendor', JSTACK.replace(/ cpu=/g, ' allocated=1248B (1.2KB) cpu='), STORY],
  ['a head that is missing', JSTACK.replace(/\n"worker-2".*\n.*\n/, '\n'), [MAIN, WORKER, PRICES], { isWhole: false }],
  [
    'a head and an empty line that are missing',
    JSTACK.replace(/\n\n"worker-2".*\n/, '\n'),
    [MAIN, WORKER, PRICES],
    { isWhole: false },
  ],
  ['a head that is missing in a file text', FILE.replace(/\n#45.*\n/, '\n'), [MAIN, WORKER, PRICES]],
  ['a note in a box', `Thanks, "worker-1" #31 prio=5 is stuck\n${each((l) => `| ${l} |`)}`, STORY],
  ['a sentence before', `We look at "worker-1" #31 prio=5 here:\n\n${FROM_MAIN}`, STORY],
  ['sentences behind', `${NO_HEAD}\nSo "worker-1" #31 prio=5 is stuck, and "x" #99 prio=5 too.\n`, STORY],
  [
    'an id broken by a wrap',
    '"a" #3\n1 prio=5 tid=0x1\n   java.lang.Thread.State: NEW\n\n"b" #45 prio=5 tid=0x1\n',
    ['45 b null 0 -'],
  ],
  [
    'an owner broken by a wrap',
    '"a" Id=7 BLOCKED on x.Y@1 owned by "b" Id=5\n2\n\tat a.B.c(B.java:1)',
    ['7 a BLOCKED 1 B.c'],
  ],
  ['words of a frame on two lines', JSTACK.replaceAll('(Native M', '(Native \nM'), STORY],
  ['journalctl -o export', each((l, n) => `__CURSOR=s=a;i=${n}\n_PID=812\nMESSAGE=${l}\n`), STORY],
  [
    'journalctl -o verbose',
    each((l) => `Wed 2026-11-18 10:26:44.12 UTC [s=a;i=1]\n    _PID=812\n    MESSAGE=${l}`),
    STORY,
  ],
  [
    'two jvms in journalctl -o json',
    mixed(
      (l) => JSON.stringify({ _PID: '899', MESSAGE: l }),
      (l) => JSON.stringify({ _PID: '812', MESSAGE: l }),
    ),
    STORY,
  ],
  [
    'two pods in json',
    mixed(
      (l) => JSON.stringify({ log: l, container_name: 'app', pod_name: 'app-b' }),
      (l) => JSON.stringify({ log: l, container_name: 'app', pod_name: 'app-a' }),
    ),
    STORY,
  ],
  [
    'two hosts in a table',
    `host,message\n${mixed(
      (l) => `b,"${l.replaceAll('"', '""')}"`,
      (l) => `a,"${l.replaceAll('"', '""')}"`,
    )}`,
    STORY,
  ],
  [
    'two processes in syslog',
    both('<134>1 2026-11-18T10:26:44Z h java 899 - - ', '<134>1 2026-11-18T10:26:44Z h java 812 - - '),
    STORY,
  ],
  ['two tasks of a service', both('shop_app.2.aa@host-2    | ', 'shop_app.1.bb@host-1    | '), STORY],
  [
    'two streams of a log',
    both('2026-11-18T10:26:44.1+00:00 app/ff12 ', '2026-11-18T10:26:44.1+00:00 app/0a1b '),
    STORY,
  ],
  [
    'two machines',
    both('2026-11-18T10:26:44Z app[ffff1234] ams [info]', '2026-11-18T10:26:44Z app[4d891234] ams [info]'),
    STORY,
  ],
  [
    'two pods in json of another tool',
    mixed(
      (l) => JSON.stringify({ message: l, podName: 'b', containerName: 'app' }),
      (l) => JSON.stringify({ message: l, podName: 'a', containerName: 'app' }),
    ),
    STORY,
  ],
  ['weblogic', each((l) => `<Nov 18, 2026 10:26:44 AM> <Notice> <Stdout> <${l}>`), STORY],
  ['sed -n l', each((l) => `${l.replaceAll('\t', '\\t')}$`), STORY],
  ['two processes with unknown names', both('shop-a> ', 'shop-b> '), STORY],
  ['two processes with unknown loggers', both('2026-11-18 INFO shop-a - ', '2026-11-18 INFO shop-b - '), STORY],
  ['a file text in journalctl -o export', each((l) => `_PID=812\nMESSAGE=${l}\n`, FILE.trimEnd()), STORY],
  ['a file text with other blanks', FILE.replaceAll(' ', '\u00a0'), STORY],
  [
    'the actuator by a collector',
    each((l) => `[0] a: [[1.5, {}], {"log"=>${JSON.stringify(l)}}]`, JSON.stringify(LIST, null, 1)),
    STORY,
  ],
  ['a short and a whole field', JSON.stringify({ short_message: JSTACK.slice(0, 400), full_message: JSTACK }), STORY],
  ['a recording of a terminal', each((l) => JSON.stringify([0.1, 'o', `${l}\r\n`])), STORY],
  ['cdata', `<body><![CDATA[${FROM_MAIN}]]></body>`, STORY],
  ['a box', each((l) => `│${l.padEnd(140)}│`), STORY],
  ['rows of markdown', `| line |\n| --- |\n${each((l) => `| ${l} |`)}`, STORY],
  ['a list of yaml', each((l) => `  - '${l}'`), STORY],
  ['marks of markdown escaped', JSTACK.replace(/([#_<>[\]])/g, '\\$1'), STORY],
  ['rtf', `{\\rtf1\\ansi {\\fonttbl\\f0 Courier;}\n${each((l) => `${l.replace('\t', '\\tab ')}\\par`)}\n}`, STORY],
  [
    'rtf of another program',
    `{\\rtf1\\ansi\n\\f0 ${JSTACK.replaceAll('\t', '\\tab ').replaceAll('\n', '\\\n')}}`,
    STORY,
  ],
  ['dashes of a text program', JSTACK.replace(/\t- /g, '\t– '), STORY],
  ['cat -v with other ends of lines', each((l) => `${l}^M`), STORY],
  [
    'a diff of two texts',
    `--- a.txt\n+++ b.txt\n@@ -1,40 +1,40 @@\n${each((l) => (/BLOCKED|#31/.test(l) ? `-${l.replace('BLOCKED', 'RUNNABLE')}\n+${l}` : ` ${l}`))}`,
    STORY,
  ],
  [
    'a diff without lines between',
    '10c10\n< "a" #31 prio=5 tid=0x1\n---\n> "b" #31 prio=5 tid=0x1\n20c20\n< \tat a.B.c(B.java:1)\n---\n> \tat a.B.d(B.java:1)\n',
    ['31 b null 0 -'],
    { isWhole: false },
  ],
  ['base64 of a mail', `Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n${base64(JSTACK)}\n`, STORY],
  [
    'a mail with a web page',
    `Content-Type: multipart/alternative;\n boundary="b1"\n\n--b1\nContent-Type: text/plain\n\n${JSTACK}\n--b1\nContent-Type: text/html\n\n<pre>${html(JSTACK)}</pre>\n--b1--\n`,
    STORY,
    { dumps: 1 },
  ],
])('the threads are read that are certain, and no other: %s', (_, text, threads, facts = {}) => {
  const found = parseDump(textOfBytes(Buffer.from(text)).text);
  if (!found.ok) throw new Error(found.error);
  expect(looksLikeDump(text)).toBe(true);
  expect(found.value.threads.map((thread) => shown(found.value, thread))).toEqual(threads);
  expect(found.value).toMatchObject(facts);
});

test.each([
  [
    'list of log lines with threadName is not a dump',
    JSON.stringify([
      { threadName: 'http-1', threadId: 31, message: 'a' },
      { threadName: 'http-2', threadId: 32, message: 'b' },
    ]),
    'not-a-dump',
  ],
  [
    'one log line in json with threadName',
    '{"threadId":12,"threadName":"http-1","level":"INFO","message":"started"}\n',
    'not-a-dump',
  ],
  ['base64', `Here is it:\n\n${Buffer.from(JSTACK).toString('base64').replace(/.{76}/g, '$&\n')}\n`, 'encoded'],
  ['actuator cut', JSON.stringify({ threads: LIST }).slice(0, 2500), 'cut'],
  [
    'hs_err',
    '#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n#  SIGSEGV (0xb) at pc=0x00007f, pid=812, tid=831\n#\nJava Threads: ( => current thread )\n  0x00007f10a0027800 JavaThread "main"                              [_thread_blocked, id=813, stack(0x1,0x2)]\n=>0x00007f10a0127800 JavaThread "worker-1" daemon [_thread_in_vm, id=831, stack(0x1,0x2)]\n',
    'not-a-dump',
  ],
  ['Thread.toString', 'Thread[#31,worker-1,5,main]\n\tat shop.Prices.load(Prices.java:40)\n', 'not-a-dump'],
  [
    'jstack error',
    "812: Unable to open socket file /tmp/.java_pid812: target process 812 doesn't respond within 10500ms or HotSpot VM not loaded\n",
    'not-a-dump',
  ],
  ['jps', '812 shop.jar\n900 Jps\n', 'not-a-dump'],

  ['a sentence with a priority', 'Our thread "worker-1" #31 prio=5 is stuck since Monday.', 'not-a-dump'],
  ['a line with a priority', '"worker-1" #31 prio=5 is the thread that we mean.\n', 'not-a-dump'],
  ['a sentence with a state', 'The thread "worker-1" Id=31 BLOCKED all night, what now?\n', 'not-a-dump'],
  ['a sentence', 'In issue "lock hangs" #31 we said that thread dumps help.', 'not-a-dump'],
  ['a sentence that begins with a number', '#31 "worker-1" is stuck again, says the team\n', 'not-a-dump'],
  ['a list of titles', '#1 "main" idea\n#2 "other" idea\n', 'not-a-dump'],
  ['a line of git', '* Merge pull request "fix" #31\n', 'not-a-dump'],
  ['threads of a forum', JSON.stringify([{ threadId: 31, threadName: 'hello', threadState: 'OPEN' }]), 'not-a-dump'],
  [
    'threads of a forum without a state',
    JSON.stringify({ threads: [{ threadId: 31, title: 'hello', stackTrace: null }] }),
    'not-a-dump',
  ],
  [
    'a crash of a JVM with numbers',
    '=>0x00007f10a0127800 JavaThread "worker-1" #31 daemon [_thread_in_vm, id=831]\n',
    'not-a-dump',
  ],
  [
    'a word of MONITOR with a thread',
    '1795000000.000037 [0 10.0.0.11:40001] "SET" "a" "\\"w\\" #31 prio=5 tid=0x1"\n',
    'monitor-text',
  ],
])('a text without a dump is refused: %s', (_, text, fault) => {
  expect(parseDump(text)).toEqual({ ok: false, error: fault });
});
