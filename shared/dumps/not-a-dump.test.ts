import { expect, test } from 'vitest';
import { JSTACK, LIST } from '../../testing/stories/posted-dump.ts';
import { parseDump } from './parse-dump.ts';

test.each([
  [
    'a JSON list of log lines with threadName',
    JSON.stringify([
      { threadName: 'http-1', threadId: 31, message: 'a' },
      { threadName: 'http-2', threadId: 32, message: 'b' },
    ]),
    'not-a-dump',
  ],
  [
    'one JSON log line with threadName',
    '{"threadId":12,"threadName":"http-1","level":"INFO","message":"started"}\n',
    'not-a-dump',
  ],
  [
    'a dump in base64 after a sentence',
    `Here is it:\n\n${Buffer.from(JSTACK).toString('base64').replace(/.{76}/g, '$&\n')}\n`,
    'encoded',
  ],
  ['a response of the actuator without its end', JSON.stringify({ threads: LIST }).slice(0, 2500), 'cut'],
  [
    'a crash report of a JVM (hs_err)',
    '#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n#  SIGSEGV (0xb) at pc=0x00007f, pid=812, tid=831\n#\nJava Threads: ( => current thread )\n  0x00007f10a0027800 JavaThread "main"                              [_thread_blocked, id=813, stack(0x1,0x2)]\n=>0x00007f10a0127800 JavaThread "worker-1" daemon [_thread_in_vm, id=831, stack(0x1,0x2)]\n',
    'not-a-dump',
  ],
  [
    'the report of a deadlock without a dump',
    'Found one Java-level deadlock:\n===\n"a":\n  waiting to lock monitor 0x1 (object 0x2, a X),\n  which is held by "b"\n',
    'no-ids',
  ],
  [
    'a dump of coroutines',
    'Coroutines dump 2026/08/18 14:00:08\n\nCoroutine "c#1":BlockingCoroutine{Active}@146ba0ac, state: RUNNING\n\tat a.B.c(B.kt:1)\n',
    'no-ids',
  ],
  [
    'a thread as JConsole shows it',
    'Name: worker-1\nState: BLOCKED on shop.Prices@1a owned by: prices\nTotal blocked: 3  Total waited: 5\n\nStack trace: \nshop.Prices.load(P.java:4)\n',
    'no-ids',
  ],
  [
    'the threads of Python by py-spy',
    'Process 12: python app.py\nThread 12 (idle): "MainThread"\n    wait (threading.py:312)\n',
    'other-runtime',
  ],
  [
    'the threads of .NET by dotnet-stack',
    'Thread (0x1A2B):\n  System.Threading.Monitor.Wait(class System.Object)\n',
    'other-runtime',
  ],
  [
    'a thread as the debugger of Eclipse shows it',
    'Thread [worker-2] (Suspended)\n\tRedissonLock.lock() line: 90\n',
    'no-ids',
  ],
  [
    'the freeze report of an IDE, without ids in the heads',
    '"AWT" prio=0 tid=0x0 nid=0x0 blocked\n     java.lang.Thread.State: BLOCKED\n on a.B@1 owned by "x" Id=45\n\tat a.B.c(B.java:1)\n',
    'no-ids',
  ],
  [
    'a stack below Thread.toString()',
    'Thread[#31,worker-1,5,main]\n\tat shop.Prices.load(Prices.java:40)\n',
    'not-a-dump',
  ],
  [
    'an error of jstack',
    "812: Unable to open socket file /tmp/.java_pid812: target process 812 doesn't respond within 10500ms or HotSpot VM not loaded\n",
    'no-answer',
  ],
  ['the answer of jcmd that it wrote a file', '812:\nCreated /tmp/threads.txt\n', 'other-file'],
  [
    'the answer of jcmd that it wrote a file, after the command',
    '$ jcmd 812 Thread.dump_to_file /tmp/t\n812:\nCreated /tmp/t\n',
    'other-file',
  ],
  ['a note', 'Created by the team on Monday\n', 'not-a-dump'],
  [
    'an error of the actuator',
    '{"timestamp":"2026-11-18T10:26:44.120+00:00","status":404,"error":"Not Found","path":"/actuator/threaddump"}',
    'web-answer',
  ],
  ['a web page', '<!DOCTYPE html><html><body>Sign in</body></html>', 'web-answer'],
  [
    'a thread without tid whose owner is on the next line',
    '"worker-1" #31 BLOCKED\nWaiting on: shop.Prices@1a2b owned by: "prices" #52\n    at shop.Prices.load(Prices.java:40)\n',
    'not-a-dump',
  ],
  ['the output of jps', '812 shop.jar\n900 Jps\n', 'not-a-dump'],

  ['a sentence with a priority', 'Our thread "worker-1" #31 prio=5 is stuck since Monday.', 'not-a-dump'],
  ['a line with a priority', '"worker-1" #31 prio=5 is the thread that we mean.\n', 'not-a-dump'],
  ['a sentence with a state', 'The thread "worker-1" Id=31 BLOCKED all night, what now?\n', 'not-a-dump'],
  ['a sentence with a number', 'In issue "lock hangs" #31 we said that thread dumps help.', 'not-a-dump'],
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
    'a crash report of a JVM whose threads have numbers',
    '=>0x00007f10a0127800 JavaThread "worker-1" #31 daemon [_thread_in_vm, id=831]\n',
    'not-a-dump',
  ],
  [
    'a line of MONITOR with the head of a thread in an argument',
    '1795000000.000037 [0 10.0.0.11:40001] "SET" "a" "\\"w\\" #31 prio=5 tid=0x1"\n',
    'monitor-text',
  ],
])('a text that is not a readable dump is refused with its reason: %s', (_, text, fault) => {
  expect(parseDump(text)).toEqual({ ok: false, error: fault });
});
