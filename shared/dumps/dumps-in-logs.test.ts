import { test } from 'vitest';
import {
  both,
  CORE,
  cell,
  each,
  expectThreads,
  FILE,
  INFO,
  JSTACK,
  LIST,
  MAIN,
  MX,
  mixed,
  type Posted,
  PRICES,
  rowsOf,
  STORY,
  THREADS_OF_CORE,
  WAITER,
  WORKER,
} from '../../testing/stories/posted-dump.ts';

test.each<Posted>([
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
  [
    'names with quotes, brackets or no letters, in a log of Compose',
    each(
      (line) => `app-1  | ${line}`,
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
  ['pod prefix+ts', each((line, n) => `[pod/app-7d9f-x/app] 2026-11-18T10:26:44.${100000000 + n}Z ${line}`), STORY],
  ['journald short-iso', each((line) => `2026-11-18T10:26:44+0100 host-1 java[812]: ${line}`), STORY],
  [
    'journald json',
    each(
      (line) =>
        JSON.stringify({
          _PID: '812',
          __REALTIME_TIMESTAMP: '1795000000000000',
          SYSLOG_IDENTIFIER: 'java',
          MESSAGE: line,
          PRIORITY: '6',
        }),
      JSTACK.trimEnd(),
    ),
    STORY,
  ],
  [
    'syslog with tabs as #011',
    each((line) => `Nov 18 10:26:44 host-1 java[812]: ${line.replaceAll('\t', '#011')}`),
    STORY,
  ],
  ['two jvms in journald', both('Nov 18 10:26:44 host-1 java[812]: ', 'Nov 18 10:26:44 host-1 java[899]: '), STORY],
  ['two pods in stern', both('app-7d9f-aaa app ', 'app-7d9f-bbb app '), STORY],
  [
    'two dynos',
    both('2026-11-18T10:26:44.120000+00:00 app[web.1]: ', '2026-11-18T10:26:44.120000+00:00 app[web.2]: '),
    STORY,
  ],
  ['two pods in kubetail', both('[app-7d9f-aaa] ', '[app-7d9f-bbb] '), STORY],
  [
    'csv with minimal quotes',
    `@timestamp,@message\n${JSTACK.trimEnd()
      .split('\n')
      .map((line) => `2026-11-18 10:26:44.120,${cell(line)}`)
      .join('\n')}\n`,
    STORY,
  ],
  [
    'csv of Datadog with minimal quotes',
    `Date,Host,Service,Message\n${JSTACK.trimEnd()
      .split('\n')
      .map((line) => `"2026-11-18T10:26:44.120Z",host-1,shop,${cell(line)}`)
      .join('\n')}\n`,
    STORY,
  ],
  [
    'csv all quoted',
    `"time","line"\n${JSTACK.trimEnd()
      .split('\n')
      .map((line) => `"x","${line.replaceAll('"', '""')}"`)
      .join('\n')}\n`,
    STORY,
  ],
  [
    'csv newest first',
    `"time","line"\n${JSTACK.trimEnd()
      .split('\n')
      .reverse()
      .map((line) => `"x","${line.replaceAll('"', '""')}"`)
      .join('\n')}\n`,
    STORY,
  ],
  ['newest line first, without a prefix', JSTACK.trimEnd().split('\n').reverse().join('\n'), STORY],
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
  ['logcli default', each((line) => `2026-11-18T10:26:44Z {app="shop", pod="a"} ${line}`), STORY],
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
      .map((line, n) => JSON.stringify({ preview: false, offset: n, result: { _raw: line, _time: 'x' } }))
      .join('\n'),
    STORY,
  ],
  ['splunk one event', JSON.stringify({ preview: false, result: { _raw: JSTACK, host: 'h' } }), STORY],
  ['splunk csv one event', `"_raw","_time"\n"${JSTACK.replaceAll('"', '""')}","2026"\n`, STORY],
  [
    'a logger whose prefix is before each head of a thread',
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
  ['github actions', each((line) => `2026-11-18T10:26:44.1200000Z ${line}`), STORY],
  ['a job log of GitLab', each((line) => `2026-11-18T10:26:44.120000Z 01O ${line}`), STORY],
  ['a log of Heroku', each((line) => `2026-11-18T10:26:44.120000+00:00 app[web.1]: ${line}`), STORY],
  ['a build log of Jenkins', each((line) => `[2026-11-18T10:26:44.120Z] ${line}`), STORY],
  ['a process id before each line', each((line) => `[812] ${line}`), STORY],
  [
    'stdout through Logback',
    each((line) => `2026-11-18 10:26:44.120 INFO  [stdout] (Signal Dispatcher) ${line}`),
    STORY,
  ],
  ['actuator in a log line', `2026-11-18 10:26:44 INFO dump: ${JSON.stringify({ threads: LIST })}`, STORY],
  [
    'json logs, interleaved per line',
    each((line, n) => (n % 5 === 4 ? `${line}\n{"ts":"x","level":"INFO","msg":"\\"a\\" #7 prio=5"}` : line)),
    STORY,
  ],
  ['pretty json log before', `{\n  "level": "INFO",\n  "thread": "main"\n}\n${JSTACK}`, STORY],
  ['minimal csv newest first', `@timestamp,@message\n${rowsOf(JSTACK.trimEnd().split('\n').reverse())}`, STORY],
  [
    'csv semicolon',
    `zeit;zeile\n${JSTACK.trimEnd()
      .split('\n')
      .map((line) => `2026;${/["; ]/.test(line) ? `"${line.replaceAll('"', '""')}"` : line}`)
      .join('\n')}`,
    STORY,
  ],
  [
    'csv crlf minimal',
    `@timestamp,@message\n${rowsOf(JSTACK.trimEnd().split('\n'))}\n`.replaceAll('\n', '\r\n'),
    STORY,
  ],
  ['a text of Thread.dump_to_file, newest line first', FILE.trimEnd().split('\n').reverse().join('\n'), STORY],
  ['ThreadInfo texts, newest line first', INFO.trimEnd().split('\n').reverse().join('\n'), STORY],
  ['javacore newest first', CORE.trimEnd().split('\n').reverse().join('\n'), THREADS_OF_CORE],
  [
    'a text of Thread.dump_to_file in syslog with tabs as #011',
    each((line) => `Nov 18 10:26:44 host java[812]: ${line.replace(/^ {4}/, '#011')}`, FILE.trimEnd()),
    STORY,
  ],
  [
    'a logger that writes each ThreadInfo as its own event',
    INFO.replace(/^"/gm, '10:26:44.120 [scheduling-1] WARN  c.s.DeadlockWatch - "'),
    STORY,
  ],
  [
    'ThreadInfo texts in one log line, line ends as \\n',
    `2026-11-18 WARN ${INFO.replaceAll('\n', '\\n').replaceAll('\t', '\\t')}`,
    STORY,
  ],
  [
    'ThreadInfo texts by a logger, then an exception with its stack',
    `${INFO.replace(/^"/gm, '2026-11-18 10:26:44 WARN W : "')}\n2026-11-18 10:26:45 ERROR M : no\njava.lang.IllegalStateException\n\tat shop.Mail.a(Mail.java:1)\n`,
    STORY,
  ],
  [
    'an exception is printed within a stack of kill -3',
    JSTACK.replace(
      '\n\tat shop.Worker.run(Worker.java:9)\n\tat java.lang.Thread.run(Thread.java:840)\n\n"worker-2"',
      '\n\tat shop.Worker.run(Worker.java:9)\nException in thread "mail" java.lang.RuntimeException: a\n\tat shop.Mail.b(Mail.java:1)\n\n"worker-2"',
    ),
    [MAIN, '31 worker-1 BLOCKED<52 3 Prices.load', WAITER, PRICES],
  ],
  ['the text of VisualVM in compose', each((line) => `app-1  | ${line}`, MX), STORY],
  [
    'two dumps, newest line first',
    `${JSTACK}\n${JSTACK}`.trimEnd().split('\n').reverse().join('\n'),
    STORY,
    { dumps: 2 },
  ],
  [
    'two pods, one after the other',
    `${each((line) => `app-1  | ${line}`)}\n${each((line) => `app-2  | ${line.replace('#31', '#33')}`)}`,
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
  ['the thread heads of Jenkins', INFO.replace(/" prio=5 (Id=\d+) /g, '" $1 Group=main '), STORY],
  ['the actuator in a search', JSON.stringify({ hits: [{ _source: { threads: LIST } }] }, null, 2), STORY],
  ['journalctl -o export', each((line, n) => `__CURSOR=s=a;i=${n}\n_PID=812\nMESSAGE=${line}\n`), STORY],
  [
    'journalctl -o verbose',
    each((line) => `Wed 2026-11-18 10:26:44.12 UTC [s=a;i=1]\n    _PID=812\n    MESSAGE=${line}`),
    STORY,
  ],
  [
    'two jvms in journalctl -o json',
    mixed(
      (line) => JSON.stringify({ _PID: '899', MESSAGE: line }),
      (line) => JSON.stringify({ _PID: '812', MESSAGE: line }),
    ),
    STORY,
  ],
  [
    'two pods in json',
    mixed(
      (line) => JSON.stringify({ log: line, container_name: 'app', pod_name: 'app-b' }),
      (line) => JSON.stringify({ log: line, container_name: 'app', pod_name: 'app-a' }),
    ),
    STORY,
  ],
  [
    'two hosts in a table',
    `host,message\n${mixed(
      (line) => `b,"${line.replaceAll('"', '""')}"`,
      (line) => `a,"${line.replaceAll('"', '""')}"`,
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
      (line) => JSON.stringify({ message: line, podName: 'b', containerName: 'app' }),
      (line) => JSON.stringify({ message: line, podName: 'a', containerName: 'app' }),
    ),
    STORY,
  ],
  ['a wrapper of services', each((line) => `INFO   | jvm 1    | 2026/11/18 17:41:57 | ${line}`), STORY],
  ['a time above each line', each((line) => `2026-11-18T10:26:44.120Z\n\n${line}\n`), STORY],
  ['ends of lines as one letter', JSON.stringify({ message: JSTACK.replaceAll('\n', '\u2028') }), STORY],
  [
    'rsyslog #012',
    `Nov 18 10:26:44 host java[812]: ${JSTACK.replaceAll('\n', '#012').replaceAll('\t', '#011')}`,
    STORY,
  ],
  ['monolog', each((line) => `[2026-11-18T10:26:40.123+00:00] app.DEBUG: ${line} [] []`), STORY],
  [
    'json by .NET',
    `{"text":"${JSON.stringify(JSTACK).slice(1, -1).replaceAll('\\"', '\\u0022').replaceAll('<', '\\u003C')}"}`,
    STORY,
  ],
  ['weblogic', each((line) => `<Nov 18, 2026 10:26:44 AM> <Notice> <Stdout> <${line}>`), STORY],
  [
    'two processes, line by line without names',
    JSTACK.split('\n')
      .flatMap((line) => [line.replaceAll('worker', 'clerk').replace('#31', '#30'), line])
      .join('\n'),
    [
      '1 main null 0 -',
      '30 clerk-1 null 0 -',
      ...['31 worker-1', '45 worker-2', '52 prices'].map((t) => `${t} null 0 -`),
    ],
    { isWhole: false },
  ],
  ['two processes with unknown names', both('shop-a> ', 'shop-b> '), STORY],
  ['two processes with unknown loggers', both('2026-11-18 INFO shop-a - ', '2026-11-18 INFO shop-b - '), STORY],
  ['a file text in journalctl -o export', each((line) => `_PID=812\nMESSAGE=${line}\n`, FILE.trimEnd()), STORY],
  [
    'the actuator by a collector',
    each((line) => `[0] a: [[1.5, {}], {"log"=>${JSON.stringify(line)}}]`, JSON.stringify(LIST, null, 1)),
    STORY,
  ],
  ['a short and a whole field', JSON.stringify({ short_message: JSTACK.slice(0, 400), full_message: JSTACK }), STORY],
])('the expected threads and no others are read from a dump in a log: %s', (_, text, threads, facts) => {
  expectThreads(text, threads, facts);
});
