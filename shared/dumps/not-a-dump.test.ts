import { expect, test } from 'vitest';
import { JSTACK, LIST } from '../../testing/stories/posted-dump.ts';
import { parseDump } from './parse-dump.ts';

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
  [
    'only a deadlock',
    'Found one Java-level deadlock:\n===\n"a":\n  waiting to lock monitor 0x1 (object 0x2, a X),\n  which is held by "b"\n',
    'no-ids',
  ],
  [
    'coroutines',
    'Coroutines dump 2026/08/18 14:00:08\n\nCoroutine "c#1":BlockingCoroutine{Active}@146ba0ac, state: RUNNING\n\tat a.B.c(B.kt:1)\n',
    'no-ids',
  ],
  [
    'a thread of JConsole',
    'Name: worker-1\nState: BLOCKED on shop.Prices@1a owned by: prices\nTotal blocked: 3  Total waited: 5\n\nStack trace: \nshop.Prices.load(P.java:4)\n',
    'no-ids',
  ],
  [
    'py-spy',
    'Process 12: python app.py\nThread 12 (idle): "MainThread"\n    wait (threading.py:312)\n',
    'other-runtime',
  ],
  ['dotnet-stack', 'Thread (0x1A2B):\n  System.Threading.Monitor.Wait(class System.Object)\n', 'other-runtime'],
  ['the debugger of Eclipse', 'Thread [worker-2] (Suspended)\n\tRedissonLock.lock() line: 90\n', 'no-ids'],
  [
    'the freeze of an IDE',
    '"AWT" prio=0 tid=0x0 nid=0x0 blocked\n     java.lang.Thread.State: BLOCKED\n on a.B@1 owned by "x" Id=45\n\tat a.B.c(B.java:1)\n',
    'no-ids',
  ],
  ['Thread.toString', 'Thread[#31,worker-1,5,main]\n\tat shop.Prices.load(Prices.java:40)\n', 'not-a-dump'],
  [
    'jstack error',
    "812: Unable to open socket file /tmp/.java_pid812: target process 812 doesn't respond within 10500ms or HotSpot VM not loaded\n",
    'no-answer',
  ],
  ['jcmd that wrote a file', '812:\nCreated /tmp/threads.txt\n', 'other-file'],
  [
    'jcmd that wrote a file, with its command',
    '$ jcmd 812 Thread.dump_to_file /tmp/t\n812:\nCreated /tmp/t\n',
    'other-file',
  ],
  ['a note', 'Created by the team on Monday\n', 'not-a-dump'],
  [
    'an error of the actuator',
    '{"timestamp":"2026-11-18T10:26:44.120+00:00","status":404,"error":"Not Found","path":"/actuator/threaddump"}',
    'web-answer',
  ],
  ['a page', '<!DOCTYPE html><html><body>Sign in</body></html>', 'web-answer'],
  [
    'an owner on a line of its own',
    '"worker-1" #31 BLOCKED\nWaiting on: shop.Prices@1a2b owned by: "prices" #52\n    at shop.Prices.load(Prices.java:40)\n',
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
