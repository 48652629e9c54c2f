import { expect, test } from 'vitest';
import { heardStory } from '../../testing/stories/heard-story.ts';
import { recordedSteps } from '../../testing/stories/record-and-replay.ts';
import { seconds } from '../../testing/stories/story.ts';
import { Recorder } from '../recording/recorder.ts';
import { lineFromSignal } from '../recording/signal-line.ts';
import type { Step } from '../signals/step.ts';
import { Interpreter } from './interpreter.ts';

const [T1, T2] = ['c4b8e2f0-1111-4a5b-8c6d-000000000001', 'c4b8e2f0-2222-4a5b-8c6d-000000000002'];

const push = (at: number, event: string, key: string): Step => {
  return { kind: 'push', at: seconds(at), channel: `__keyevent@0__:${event}`, message: key };
};
const set = (at: number, key: string) => [push(at, 'set', key), push(at, 'expire', key)];

/** A read of a string at level `events`. `library`: what the reader adds if the name and the value show a lock. */
function read(at: number, name: string, token: string | undefined, ...library: string[]): Step {
  const isThere = token !== undefined;
  const companions = { token: isThere ? [token] : [], ...(library.length > 0 && { library }) };
  const found = { type: isThere ? 'string' : 'none', fields: {}, pttl: isThere ? 8000 : -2, companions };
  return { kind: 'bookmark', at: seconds(at), reads: [{ db: 0, name, hasChanged: true, subscribers: null, ...found }] };
}

const ends = (steps: readonly Step[]) =>
  heardStory(...steps).map((event) => [event.type.replace('lock.', ''), 'how' in event ? event.how : undefined]);

test('[T9] without commands, it is unknown how a hold of an own lock ended, also before the key was known as a lock', () => {
  const rounds = [T1, T2].flatMap((token, n) => [
    ...set(n * 5, 'stock:7'),
    read(n * 5 + 1, 'stock:7', token),
    push(n * 5 + 4, 'del', 'stock:7'),
  ]);
  expect(ends([...rounds, read(10, 'stock:7', undefined)])).toEqual([
    ['acquired', undefined],
    ['released', 'unknown'],
    ['acquired', undefined],
    ['released', 'unknown'],
  ]);
});

test.each([
  ['stock:7', 5],
  ['order:token:7', 0],
  ['captcha:7', 0],
  ['ws:user:7', 0],
])('[T9] without commands, the key %s that is deleted within seconds again and again gives %i events', (key, count) => {
  const round = (n: number) => [
    ...set(n * 5, key),
    read(n * 5 + 0.1, key, n % 2 ? T2 : T1),
    push(n * 5 + 3, 'del', key),
  ];
  expect(ends([0, 1, 2].flatMap(round))).toHaveLength(count);
});

test('[T9] the name of a worker is a token in the next hold of the same lock as well', () => {
  const steps = [
    ...set(0, 'lock:nightly'),
    read(1, 'lock:nightly', 'worker-1-a1b2c3', 'unknown'),
    push(3, 'del', 'lock:nightly'),
    ...set(3, 'lock:nightly'),
    read(3, 'lock:nightly', 'worker-2-d4e5f6'),
    push(5, 'del', 'lock:nightly'),
    read(6, 'lock:nightly', undefined),
  ];
  expect(ends(steps).map(([type]) => type)).toEqual(['acquired', 'released', 'acquired', 'released']);
});

test('[T9] without commands, a word under the name of a lock is a lock once it is gone within seconds twice; a number may be a counter', () => {
  const round = (n: number, key: string, word: string) => [
    ...set(n * 5, key),
    read(n * 5 + 0.1, key, word),
    push(n * 5 + 3, 'del', key),
  ];
  const rounds = (key: string, word: string) => [0, 1, 2, 3].flatMap((n) => round(n, key, word));
  const held = [
    ['acquired', undefined],
    ['released', 'unknown'],
  ];
  const fourHolds = [held, held, held, held].flat();
  expect(ends([...rounds('lock:nightly', 'locked'), read(20, 'lock:nightly', undefined)])).toEqual(fourHolds);
  expect(ends(rounds('lock:login:7', '1'))).toEqual([]);
  expect(ends(rounds('nightly', 'locked'))).toEqual([]);
  const long = [0, 1, 2].flatMap((n) => [
    ...set(n * 60, 'lock:7'),
    read(n * 60, 'lock:7', 'locked'),
    push(n * 60 + 50, 'del', 'lock:7'),
  ]);
  expect(ends(long)).toEqual([]);
});

test('[T9] without commands, no end of a hold is reported if its lease seemed over and no read saw the renewal', () => {
  const steps = [
    ...[...set(0, 'stock:7'), read(0.1, 'stock:7', T1), push(1, 'del', 'stock:7')],
    ...[...set(1, 'stock:7'), read(1.1, 'stock:7', T2)], // T2 has it until 9.1 s, after the renewal until 11 s
    ...[push(3, 'expire', 'stock:7'), push(10, 'del', 'stock:7'), read(12, 'stock:7', undefined)],
  ];
  expect(ends(steps)).toEqual([
    ['acquired', undefined],
    ['released', 'unknown'],
  ]);
});

/** A key gets a new value every 4 s, and a read shows it 0.1 s later. */
const beats = (key: string, values: readonly string[], ...library: string[]) =>
  values.flatMap((value, n) => [...set(n * 4, key), read(n * 4 + 0.1, key, value, ...library)]);
const OTHER = 'd7f1a3b5-93ac-4e0d-9d52-6a6c0f6f7c11';
const VALUES = [8, 9, 10].map((n) => `worker-1-a1b2c3d4:${n}`);

test('[T8] without commands, a holder that writes its next value keeps the lock, because the key never disappeared', () => {
  const events = heardStory(
    ...beats('lock:nightly', VALUES, 'unknown'),
    push(11, 'del', 'lock:nightly'),
    read(12, 'lock:nightly', undefined),
  );
  expect(events.map(({ type }) => type)).toEqual([
    ...['lock.acquired', 'lease.renewed', 'lease.renewed', 'lock.released'],
  ]);
  expect(events.at(-1)).toMatchObject({ holder: VALUES[0], how: 'unknown' });
});

test('[T8] without commands, the next value after a deletion or an expiry belongs to another hold', () => {
  for (const gone of ['del', 'expired']) {
    const [first = '', second = ''] = VALUES;
    const steps = [
      ...beats('lock:nightly', [first], 'unknown'),
      push(6, gone, 'lock:nightly'),
      ...set(7, 'lock:nightly'),
      read(7.1, 'lock:nightly', second),
    ];
    const types = ends(steps).map(([type]) => type);
    expect(types).toEqual(['acquired', gone === 'del' ? 'released' : 'lease.expired', 'acquired']);
  }
});

test('[T8] without commands, another value over a held lock is found, not acquired, if Redis publishes deletions', () => {
  const over = (...other: Step[]) =>
    heardStory(
      ...[push(0, 'set', 'lock:nightly'), read(0.1, 'lock:nightly', T1, 'unknown'), ...other],
      ...[push(4, 'set', 'lock:nightly'), read(4.1, 'lock:nightly', OTHER)],
    ).map(({ type, certainty }) => `${type} ${certainty}`);
  const before = ['lock.acquired inferred', 'lock.released inferred'];
  expect(over(push(1, 'expire', 'lock:nightly'))).toEqual([...before, 'lock.found inferred']);
  expect(over()).toEqual([...before, 'lock.acquired inferred']);
});

test.each([
  ['APPEND, of which Redis publishes an event', [push(1, 'append', 'lock:nightly')], 'lock.found'],
  ['SETBIT, of which no event is listened for', [], 'lock.found'],
  ['a deletion and another SET', [push(1, 'del', 'lock:nightly'), ...set(2, 'lock:nightly')], 'lock.acquired'],
])('[T8] without commands, a hold ends if a read within its lease finds another value after %s', (_, steps, type) => {
  const held = [...set(0, 'lock:nightly'), read(0.1, 'lock:nightly', T1, 'unknown')];
  const before = [...held, push(0.5, 'expire', 'lock:nightly')];
  expect(heardStory(...before, ...steps, read(4, 'lock:nightly', OTHER)).map((e) => e.type)).toEqual([
    ...['lock.acquired', 'lock.released', type],
  ]);
});

/** A hold of ShedLock, then these steps, then a read of another value. */
function afterShedLock(...steps: Step[]) {
  const [name, tokenOf] = ['job-lock:default:nightly', (n: number) => `ADDED:2026-11-21T01:14:5${n}.552Z@vm:b7a212db`];
  const found = (at: number, n: number) => read(at, name, tokenOf(n), 'shedlock', 'sure');
  const events = heardStory(...set(0, name), found(0.1, 1), push(0.5, 'expire', name), ...steps, found(4, 2));
  return events.map(({ type, certainty, ...event }) => {
    const holder = 'holder' in event ? event.holder : undefined;
    return `${type} ${holder === tokenOf(1) ? 1 : holder === tokenOf(2) ? 2 : '?'} ${certainty}`;
  });
}

test('[T8] without commands, another value over a held lock of a known library takes it from its holder', () => {
  const name = 'job-lock:default:nightly';
  const took = ['lock.acquired 1 inferred', 'lock.deleted 1 inferred', 'lock.acquired 2 inferred'];
  expect(afterShedLock(push(3, 'set', name))).toEqual(took);
  expect(afterShedLock()).toEqual(took); // no key event showed the change
  const released = ['lock.acquired 1 inferred', 'lock.released 1 inferred', 'lock.acquired 2 inferred'];
  expect(afterShedLock(push(2, 'del', name), ...set(3, name))).toEqual(released);
  const expired = ['lock.acquired 1 inferred', 'lease.expired 1 observed', 'lock.acquired 2 inferred'];
  expect(afterShedLock(push(2, 'expired', name), ...set(3, name))).toEqual(expired);
});

test('[T8] without commands, a lock of redislock with other text behind its token still has its holder', () => {
  const token = 'q1w2e3r4t5y6u7i8o9p0aQ';
  const found = (at: number, value: string) => read(at, 'orders', value, 'redislock', 'sure');
  const taken = [...set(0, 'orders'), found(0.1, `${token}one`), ...set(3, 'orders')];
  expect(heardStory(...taken, found(3.1, `${token}two`)).map((e) => e.type)).toEqual([
    'lock.acquired',
    'lease.renewed',
  ]);
  expect(heardStory(...taken, found(3.1, 'z'.repeat(22))).map((e) => e.type)).toContain('lock.deleted');
});

test('[T8] without commands, another value after the end of the lease or after a blind spot may be another hold', () => {
  const held = [...set(0, 'lock:nightly'), read(0.1, 'lock:nightly', T1, 'unknown')];
  const before = [...held, push(0.5, 'expire', 'lock:nightly')];
  const late = heardStory(...before, read(9, 'lock:nightly', OTHER));
  expect(late.map((e) => e.type)).toEqual(['lock.acquired', 'lease.expired', 'lock.acquired']);
  const gap = (at: number, phase: 'began' | 'ended'): Step => {
    return { kind: 'blind-spot', at: seconds(at), phase, reason: 'connection-lost' };
  };
  const after = heardStory(...before, gap(1, 'began'), gap(2, 'ended'), read(4, 'lock:nightly', OTHER));
  expect(after.at(-1)).toMatchObject({ type: 'lock.found', certainty: 'observed' });
});

test('[T15] without commands, a lock whose value is its end expires before another client writes a new end', () => {
  const until = (s: number) => String(Number(seconds(s)) / 1_000_000);
  const steps = [push(0, 'set', 'lock:nightly'), read(0.1, 'lock:nightly', until(2), 'unknown')];
  const later = [push(3.5, 'set', 'lock:nightly'), read(3.6, 'lock:nightly', until(9), 'unknown')];
  const endless = [...steps, push(1, 'persist', 'lock:nightly'), ...later].map((step) =>
    step.kind === 'bookmark' ? { ...step, reads: step.reads.map((each) => ({ ...each, pttl: -1 })) } : step,
  );
  expect(heardStory(...endless).map(({ type }) => type)).toEqual(['lock.acquired', 'lease.expired', 'lock.acquired']);
});

test('[T9] a heartbeat is not a lock that changes hands: its value changes while the key exists', () => {
  const stopped = (n: number) => push(n, 'del', 'worker:7');
  const steps = [
    ...[...beats('worker:7', VALUES), stopped(9)],
    ...[...set(20, 'worker:7'), read(20.1, 'worker:7', VALUES[2]), stopped(25), read(26, 'worker:7', undefined)],
  ];
  expect(ends(steps)).toEqual([]);
});

test('[T8] a recording that begins between two values of a holder shows one hold, as the events do', () => {
  const [first = '', second = '', third = ''] = VALUES;
  const live = new Interpreter({ source: 'story', hasCommands: false });
  const recorder = new Recorder(live);
  const before = beats('lock:nightly', [first, second], 'unknown');
  for (const step of before) recorder.note(step, live.interpret(step).length);
  const begins = recorder.beliefs(seconds(5), { level: 'events', isPushFirst: true }).map(lineFromSignal);
  const fresh = new Interpreter({ source: 'story', hasCommands: false });
  const round = read(6, 'lock:nightly', second);
  const beat = [...set(8, 'lock:nightly'), read(8.1, 'lock:nightly', third)];
  const events = [...recordedSteps(begins), round, ...beat].flatMap((step) => fresh.interpret(step));
  expect(events.map(({ type }) => type)).toEqual(['lock.found', 'lease.renewed', 'lease.renewed']);
  expect(events[0]).toMatchObject({ holders: [{ holder: first }] });
});
