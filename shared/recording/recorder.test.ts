import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { command, type Sent, script, stepsAt } from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import { goldens, goldensOfNewest, goldensOfSeveral } from '../../testing/traces/read-trace.ts';
import { signalsFromTrace, stepsFromSignals } from '../../testing/traces/trace-file.ts';
import { redisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import { Interpreter } from '../events/interpreter.ts';
import type { LineSignal, Signal } from '../signals/signal.ts';
import type { Step } from '../signals/step.ts';
import { signalFromJson } from './parse-signal-line.ts';
import { Recorder } from './recorder.ts';
import { lineFromSignal } from './signal-line.ts';
import { stepsFromRecording } from './steps-from-recording.ts';

const TRACES = new URL('../traces/', import.meta.url);
const HOLDER = '0d5d9d1c-5c12-4b4c-9d1a-2b1a5e1e7f11:62';

/** Records steps while they are interpreted, then interprets the recording. */
function recordAndReplay(steps: readonly Step[], hasCommands = true) {
  const live = new Interpreter({ source: 'redis', hasCommands });
  const recorder = new Recorder(live);
  const events: LockEvent[] = [];
  const lines: string[] = [];
  for (const step of steps) {
    const made = live.interpret(step);
    lines.push(...recorder.note(step, made.length).map(lineFromSignal));
    events.push(...made);
  }
  const fresh = new Interpreter({ source: 'redis', hasCommands });
  const replayed = recordedSteps(lines).flatMap((step) => fresh.interpret(step));
  return { live, recorder, events, lines, replayed, fresh };
}

function recordedSteps(lines: readonly string[]): Step[] {
  return stepsFromRecording(
    lines.map((line) => {
      const signal = signalFromJson(JSON.parse(line));
      if (!signal.ok) throw new Error(`${signal.error}: ${line}`);
      return signal.value;
    }),
  );
}

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

  test(`${name}: a recording that was cut short replays to the first of the same events`, () => {
    const { events, lines } = recordAndReplay(steps());
    const half = lines.slice(0, Math.floor(lines.length / 2));
    const fresh = new Interpreter({ source: 'redis' });
    const replayed = recordedSteps(half).flatMap((step) => fresh.interpret(step));
    // the last command may be incomplete
    expect(replayed.slice(0, -8)).toEqual(events.slice(0, Math.max(0, replayed.length - 8)));
  });
});

test('edits of a queue by hand are kept, and its content is part of the state at the start', () => {
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

test.each(['SET', 'GETSET'])(
  'a lock that the user asked for by name is recorded with its tokens, and no other string is: %s',
  (overwrite) => {
    const live = new Interpreter({ source: 'redis', isNamed: (name) => name.startsWith('mutex:') });
    const recorder = new Recorder(live);
    const run = (ms: number, ...words: string[]): Step => ({
      kind: 'command',
      head: line(ms, ...words),
      inner: [],
      pushes: [],
    });
    const read = {
      ...{ db: 0, name: 'mutex:1', type: 'string', fields: {}, pttl: 5000, hasChanged: false },
      subscribers: null,
    };
    const steps: Step[] = [
      run(0, 'SET', 'seen:1', 'secret', 'NX', 'PX', '5000'),
      run(1, 'SET', 'mutex:1', 'worker-1', 'NX', 'PX', '5000'),
      { kind: 'bookmark', at: at(2), reads: [{ ...read, companions: { token: ['worker-1'] } }] },
      run(3, 'SET', 'mutex:1', 'worker-2', 'NX', 'PX', '5000'),
      run(4, 'GETEX', 'mutex:1', 'PX', '9000'),
      run(5, 'SETEX', 'mutex:1', '20', 'worker-1'),
      { kind: 'bookmark', at: at(6), reads: [{ ...read, pttl: 20_000, companions: { token: ['worker-1'] } }] },
      run(7, overwrite, 'mutex:1', 'secret', ...(overwrite === 'SET' ? ['Px', '1000'] : [])),
      ...(overwrite === 'SET' ? [run(2000, 'SET', 'mutex:1', 'worker-2', 'NX', 'PX', '5000')] : []),
    ];
    const lines: string[] = [];
    const events = steps.flatMap((step) => {
      const made = live.interpret(step);
      lines.push(...recorder.note(step, made.length).map(lineFromSignal));
      return made;
    });
    const again = overwrite === 'SET' ? ['lock.acquired'] : []; // the other value has expired
    expect(events.map(({ type }) => type)).toEqual([
      ...['lock.acquired', 'lock.refused', 'lease.renewed', 'lease.renewed', 'lock.deleted', ...again],
    ]);
    const fresh = new Interpreter({ source: 'redis' });
    expect(recordedSteps(lines).flatMap((step) => fresh.interpret(step))).toEqual(events);
    expect(lines.join('')).not.toContain('secret');
  },
);

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
      'a limiter with times that are no whole numbers',
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
      'the end of a lock beside it',
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
  test('the state at any place gives the same holders', () => {
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

const at = (ms: number) => redisTime(1_760_000_000_000_000 + ms * 1000);
const line = (ms: number, ...words: string[]): LineSignal => ({
  kind: 'line',
  at: at(ms),
  db: 0,
  client: 'c:1',
  words,
});
const bookmark = (ms: number, name: string, fields: Record<string, string>, type = 'hash', pttl = 30_000): Signal => ({
  kind: 'bookmark',
  at: at(ms),
  reads: [{ db: 0, name, type, fields, pttl, hasChanged: false, subscribers: null }],
});
const heldLock = bookmark(0, 'orders:42', { [HOLDER]: '1' });

describe('only lock fields are kept', () => {
  test.each<[string, Signal]>([
    ['a value', line(10, 'SET', 'orders:42', 'secret')],
    ['a value that may not be set', line(10, 'SET', 'orders:42', 'secret', 'NX')],
    ['a value set with another', line(10, 'MSET', 'secret', 'secret', 'orders:42', 'secret')],
    ['a key that is copied', line(10, 'COPY', 'secret', 'orders:42', 'DB', 'secret', 'REPLACE')],
    ['a dump', line(10, 'RESTORE', 'orders:42', '0', 'secret', 'REPLACE')],
    ['a field', line(10, 'HDEL', 'orders:42', HOLDER, 'secret')],
    ['a key deleted with a lock', line(10, 'DEL', 'secret', 'orders:42')],
    ['a new name', line(10, 'RENAME', 'orders:42', 'secret')],
    ['a word in place of a database number', line(10, 'SWAPDB', '0', '1', 'secret')],
    ['a channel subscribed with a lock’s', line(10, 'SUBSCRIBE', 'secret', 'redisson_lock__channel:{orders:42}')],
    ['a password', line(10, 'HELLO', '3', 'AUTH', 'user', 'secret', 'SETNAME', 'secret')],
    ['a key that is read', bookmark(10, 'secret', { secret: 'secret' })],
    ['a field beside a holder’s', bookmark(10, 'orders:42', { [HOLDER]: '1', secret: 'secret' })],
    ['a value in place of a lock', bookmark(10, 'orders:42', { secret: 'secret' })],
    ['a message', { kind: 'push', at: at(10), channel: '__keyevent@0__:expired', message: 'secret' }],
    [
      'a connection',
      {
        kind: 'clients',
        at: at(10),
        clients: [{ address: 'c:9', name: 'secret', library: '', ageSeconds: 1, idleSeconds: 1 }],
      },
    ],
  ])('%s', (_what, signal) => {
    const steps = stepsFromSignals([heldLock, signal, line(60_000, 'GET', 'secret')], true);
    const { events, replayed, lines } = recordAndReplay(steps);
    expect(events.length).toBeGreaterThan(0);
    expect(replayed).toEqual(events);
    expect(lines.join('\n')).not.toContain('secret');
  });

  test.each([
    [0, 'RENAME secret orders:42'],
    [7, 'MOVE orders:42 0'],
    [7, 'COPY secret orders:42 DB 0'],
    [0, 'RESTORE orders:42 0 secret'],
  ])('a lock that comes back: in database %i, %s', (db, command) => {
    const back = { ...line(20, ...command.split(' ')), db };
    const read = bookmark(30, 'orders:42', { [HOLDER]: '1' });
    const steps = stepsFromSignals([heldLock, line(10, 'MOVE', 'orders:42', '7'), back, read], true);
    const { events, replayed, lines } = recordAndReplay(steps);
    expect(events.map(({ type }) => type)).toEqual(['lock.found', 'lock.deleted', 'lock.found']);
    expect(replayed).toEqual(events);
    expect(lines.join('\n')).not.toContain('secret');
  });

  test('a renewal of a group lock without a holder is recorded only for a known lock', () => {
    const words = ['EVAL', 'return 0', '1', 'secret', '1000', '1760000000000', '', 'SecretSessionId0123456'];
    const renewal = [line(10, ...words), { ...line(10, 'exists', 'secret'), client: null }];
    const { events, lines } = recordAndReplay(stepsFromSignals([heldLock, ...renewal], true));
    expect(events).toHaveLength(1);
    expect(lines.join('\n').toLowerCase()).not.toContain('secret');
  });

  test('a lock that SWAPDB takes away and brings back, the second time without an event', () => {
    const swaps = [line(10, 'SWAPDB', '0', '3'), line(20, 'SWAPDB', '3', '0')];
    const steps = stepsFromSignals([heldLock, ...swaps, bookmark(30, 'orders:42', { [HOLDER]: '1' })], true);
    const { events, replayed } = recordAndReplay(steps);
    expect(events.map(({ type }) => type)).toEqual(['lock.found', 'lock.deleted', 'lock.found']);
    expect(replayed).toEqual(events);
  });

  test('another script keeps only its command on the lock', () => {
    const script = { ...line(10, 'EVAL', `<script ${'a'.repeat(40)}>`, '1', 'secret', 'secret'), client: 'c:2' };
    const lua = (...words: string[]): LineSignal => ({ ...line(10, ...words), client: null });
    const steps = stepsFromSignals([heldLock, script, lua('set', 'secret', 'x'), lua('del', 'orders:42')], true);
    const { events, replayed, lines } = recordAndReplay(steps);
    expect(events.map(({ type }) => type)).toEqual(['lock.found', 'lock.deleted']);
    expect(replayed).toEqual(events);
    expect(lines.join('\n')).not.toContain('secret');
  });

  test('other keys of a lock script are not kept', () => {
    const head = line(10, 'EVALSHA', 'b'.repeat(40), '1', 'orders:7', '30000', HOLDER, 'secret');
    const lua = (...words: string[]): LineSignal => ({ ...line(10, ...words), client: null });
    const inner = [
      lua('exists', 'orders:7'),
      lua('hincrby', 'orders:7', HOLDER, '1'),
      lua('pexpire', 'orders:7', '30000'),
      lua('set', 'x', 'secret'),
    ];
    const { events, replayed, lines } = recordAndReplay(stepsFromSignals([head, ...inner], true));
    expect(events.map(({ type }) => type)).toEqual(['lock.acquired']);
    expect(replayed).toEqual(events);
    expect(lines.join('\n')).not.toContain('secret');
  });
});

test('the passing of time is recorded only if it caused an event', () => {
  const quiet = Array.from({ length: 1000 }, (_, n) => line(n * 100, 'GET', 'x'));
  const { events, replayed, lines } = recordAndReplay(stepsFromSignals([heldLock, ...quiet], true));
  expect(events.map(({ type }) => type)).toEqual(['lock.found', 'lease.expired']);
  expect(replayed).toEqual(events);
  expect(lines).toHaveLength(2);
});

test('without commands, a recording contains the key that disappeared and what happened to it', () => {
  const push = (ms: number, channel: string, message: string): Signal => ({
    kind: 'push',
    at: at(ms),
    channel,
    message,
  });
  const steps = stepsFromSignals(
    [
      heldLock,
      push(100, '__keyevent@0__:del', 'orders:42'),
      push(200, '__keyevent@0__:hset', 'secret'),
      bookmark(300, 'orders:42', { [HOLDER]: '1' }),
      push(400, '__keyevent@0__:del', 'orders:42'),
      push(401, 'redisson_lock__channel:{orders:42}', '0'),
    ],
    true,
  );
  const { events, replayed, lines } = recordAndReplay(steps, false);
  expect(events.map(({ type }) => type)).toContain('lock.deleted');
  expect(events.map(({ type }) => type)).toContain('wakeup.published');
  expect(replayed).toEqual(events);
  expect(lines.join('\n')).not.toContain('secret');
});
