import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { recordAndReplay, recordedSteps } from '../../testing/stories/record-and-replay.ts';
import { command, type Sent, script, stepsAt } from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import { goldens, goldensOfNewest, goldensOfSeveral } from '../../testing/traces/read-trace.ts';
import { signalsFromTrace, stepsFromSignals } from '../../testing/traces/trace-file.ts';
import { redisTime } from '../base/time.ts';
import { Interpreter } from '../events/interpreter.ts';
import type { Step } from '../signals/step.ts';
import { lineFromSignal } from './signal-line.ts';

const TRACES = new URL('../traces/', import.meta.url);

function traceSteps(folder: string, file: string): Step[] {
  const text = readFileSync(new URL(`${folder}/${file}`, TRACES), 'latin1');
  return stepsFromSignals(signalsFromTrace(text), !folder.startsWith('redis-6'));
}

const OF_ONE_SERVER = [...goldensOfNewest(), ...goldensOfSeveral().filter(({ name }) => name !== 'redlock')];

describe.each(OF_ONE_SERVER)('$folder', ({ name, isPushFirst, trace }) => {
  const steps = () => stepsFromSignals(signalsFromTrace(trace()), isPushFirst);

  test(`${name}: a recording gives the same events`, () => {
    const { events, replayed, lines } = recordAndReplay(steps());
    expect(events.length).toBeGreaterThan(0);
    expect(replayed).toEqual(events);
    expect(lines.join('\n')).not.toContain('PING');
  });

  test(`${name}: a recording that was cut short gives the same events, leaving out the last 8 before the cut`, () => {
    const { events, lines } = recordAndReplay(steps());
    const half = lines.slice(0, Math.floor(lines.length / 2));
    const fresh = new Interpreter({ source: 'redis' });
    const replayed = recordedSteps(half).flatMap((step) => fresh.interpret(step));
    // the last command may be incomplete
    expect(replayed.slice(0, -8)).toEqual(events.slice(0, Math.max(0, replayed.length - 8)));
  });
});

test('the manual deletion of a wait queue is recorded, and the state at the start contains the queue', () => {
  const golden = goldens().find(({ folder, name }) => folder === 'redisson-4.7.0' && name === 'fair');
  const steps = golden ? stepsFromSignals(signalsFromTrace(golden.trace()), true) : [];
  const isQueued = steps.findIndex((_, n) => (queueOf(recordAndReplay(steps.slice(0, n)).live)?.length ?? 0) === 2);
  const before = steps.slice(0, isQueued);
  const { live, recorder } = recordAndReplay(before);
  const lines = recorder.beliefs(redisTime(live.lookedAt + 300_000), { level: 'monitor', isPushFirst: true });
  const fresh = new Interpreter({ source: 'redis' });
  for (const step of recordedSteps(lines.map(lineFromSignal))) fresh.interpret(step);
  expect([...(queueOf(fresh)?.entries() ?? [])]).toEqual([...(queueOf(live)?.entries() ?? [])]);
  const [head] = before.at(-1)?.kind === 'command' ? [before.at(-1)] : [];
  const at = head?.kind === 'command' ? head.head.at : redisTime(0);
  const words = ['DEL', 'redisson_lock_queue:{orders:42}', 'secret-of-ours'];
  const deletion: Step = {
    kind: 'command',
    head: { kind: 'line', at, db: 0, client: '10.0.0.9:1', words },
    inner: [],
    pushes: [],
  };
  const reported = recordAndReplay([...before, deletion]);
  expect(reported.events.slice(-2)).toMatchObject([{ reason: 'deleted' }, { reason: 'deleted' }]);
  expect(reported.replayed).toEqual(reported.events);
  expect(reported.lines.join('')).not.toContain('secret-of-ours');
});

function queueOf(interpreter: Interpreter) {
  return interpreter.keys.find(0, 'orders:42')?.mirrors?.queue;
}

describe('scripts of applications', () => {
  const [T, U] = ['d14d167a-8471-41a0-a0d1-e858687fe251', 'd14d167a-8471-41a0-a0d1-e858687fe252'];
  const [NOW, LIMITS, COUNT] = [seconds(0) / 1_000_000, 'throttled:mail', `{lock:stock}:count:${T}`];
  const timed = (end: number) => `ZADD ${LIMITS} ${NOW + end}.125 ${T}`;
  const cut = (at: number, ...ran: string[]) => [
    `ZREMRANGEBYSCORE ${LIMITS} -inf (${NOW + at}.125`,
    `ZCARD ${LIMITS}`,
    ...ran,
  ];
  const limited = (by: string, job: string, at: number, ...ran: string[]) =>
    script(by, `${LIMITS} ${LIMITS}.notes`, `${job} 1 900 ${NOW + at}.125`, ...cut(at, ...ran));
  const release = (sent: Sent): Sent => ({ ...sent, words: sent.words.with(1, 'e'.repeat(40)) });
  test.each<[string, readonly Sent[]]>([
    [
      'a key that a script makes longer',
      [
        script('a', 'lock:stock', `${T} 5000`, `GET ${COUNT}`, `SET {lock:stock} ${T} NX PX 5000`, `SET ${COUNT} 1`),
        script('a', 'lock:stock', `${T} 5000`, `GET ${COUNT}`, `INCR ${COUNT}`, 'PEXPIRE {lock:stock} 5000'),
        release(script('a', 'lock:stock', T, `GET ${COUNT}`, `DEL ${COUNT}`, 'GET {lock:stock}', 'DEL {lock:stock}')),
        release(script('a', 'lock:stock', T, `GET ${COUNT}`, 'GET {lock:stock}')),
      ],
    ],
    [
      'a limiter with times that are not whole numbers',
      [
        limited('a', T, 0, timed(900)),
        limited('b', U, 1),
        command('a', `ZREM ${LIMITS} ${T}`),
        limited('b', T, 2, timed(902)),
      ],
    ],
    [
      'a token for each key',
      [
        script('a', 'k1 k2', `${T} ${U} 5000`, 'exists k1', `set k1 ${T} PX 5000`, 'exists k2', `set k2 ${U} PX 5000`),
        release(script('a', 'k1 k2', `${T} ${U}`, 'get k1', 'del k1', 'get k2', 'del k2')),
        release(script('a', 'k1 k2', `${T} ${U}`, 'get k1', 'get k2')),
      ],
    ],
    [
      'a list that wakes waiters',
      [
        command('a', `SET lock:k ${T} NX EX 30`),
        release(script('a', 'lock:k list', `${T} 30`, 'GET lock:k', 'DEL lock:k', `RPUSH list ${T}`, 'EXPIRE list 30')),
        release(script('a', 'lock:k list', `${T} 30`, 'GET lock:k')),
      ],
    ],
    [
      'the end of a lease in a second key',
      [
        command('a', `MSETNX lock:k ${T} lock:end ${NOW + 60}`),
        command('a', 'DEL lock:k'),
        command('a', 'DEL lock:end'),
      ],
    ],
  ])('%s: a recording gives the same events', (_, sent) => {
    const { events, replayed } = recordAndReplay(stepsAt(sent.map((each, n) => ({ sent: each, atMs: n * 1000 }))));
    expect(events.length).toBeGreaterThan(1);
    expect(replayed).toEqual(events);
  });
});

describe('the state at the start', () => {
  test('a recording that starts while a lock is held begins with the same holders and clients', () => {
    const steps = traceSteps('redisson-4.7.0', 'watchdog.trace');
    const held = steps.findIndex((_, n) => [...recordAndReplay(steps.slice(0, n)).live.keys.held()].length > 0);
    const { live, recorder } = recordAndReplay(steps.slice(0, held + 1));
    const at = redisTime(live.lookedAt + 300_000);
    const lines = recorder.beliefs(at, { level: 'monitor', isPushFirst: true }).map(lineFromSignal);
    const fresh = new Interpreter({ source: 'redis' });
    for (const step of recordedSteps(lines)) fresh.interpret(step);
    const beliefOf = (from: Interpreter) =>
      [...from.keys.held()].map(({ name, holders, expiresAt }) => ({ name, holders: [...holders.keys()], expiresAt }));
    expect(beliefOf(fresh)).toEqual(beliefOf(live));
    expect(fresh.clients.all().map(({ uuid }) => uuid)).toEqual(live.clients.all().map(({ uuid }) => uuid));
  });
});
