import { expect, test } from 'vitest';
import { command, eventsFromScripts, stepsAt } from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import type { KeyRead } from '../signals/signal.ts';
import type { LockEvent } from './event.ts';
import { Interpreter } from './interpreter.ts';

const [T1, T2] = ['8b6ead8e-e546-4f18-a040-2fc000000001', '8f92d9c6-e546-4f18-ae70-2fc000000002'];

const reported = (...sent: Parameters<typeof eventsFromScripts>[0]) =>
  eventsFromScripts(sent).map(({ type, lock }) => `${type} ${lock}`);

test('[T1] DELIFEQ and DELEX with the token of an attempt show a lock', () => {
  for (const release of [`DELIFEQ k ${T1}`, `DELEX k IFEQ ${T1}`]) {
    const sent = [
      command('a', `SET k ${T1} NX PX 5000`),
      command('b', `SET k ${T2} NX PX 5000`),
      command('a', release),
    ];
    expect(reported(...sent)).toEqual(['lock.acquired k', 'lock.refused k', 'lock.released k']);
  }
});

test('[T1] DELIFEQ or DELEX shows no lock if no attempt had the same value', () => {
  expect(reported(command('a', `DELIFEQ k ${T1}`), command('a', `DELEX k IFEQ ${T1}`))).toEqual([]);
  expect(reported(command('a', `SET k ${T1} NX PX 5000`), command('b', `DELIFEQ k ${T2}`))).toEqual([]);
});

test('[T2] MSETEX NX acquires all of its keys, or none', () => {
  const sent = [
    command('a', `MSETEX 2 lock:a ${T1} lock:b ${T1} NX PX 5000`),
    command('b', `MSETEX 2 lock:b ${T2} lock:c ${T2} NX PX 5000`),
    command('a', `DELIFEQ lock:a ${T1}`),
    command('a', `DELIFEQ lock:b ${T1}`),
    command('b', `MSETEX 2 lock:b ${T2} lock:c ${T2} NX PX 5000`),
    command('b', `DELIFEQ lock:c ${T2}`),
  ];
  expect(reported(...sent)).toEqual([
    // Without a read, only the release shows that the attempt acquired the lock.
    ...['lock.acquired lock:a', 'lock.released lock:a', 'lock.acquired lock:b', 'lock.refused lock:b'],
    ...['lock.released lock:b', 'lock.acquired lock:b', 'lock.acquired lock:c', 'lock.released lock:c'],
  ]);
});

test('[T2] MSETEX NX acquires all of its keys again after their release', () => {
  const both = (client: string, token: string) =>
    command(client, `MSETEX 2 lock:a ${token} lock:b ${token} NX PX 5000`);
  const released = (client: string, token: string) =>
    ['lock:a', 'lock:b'].map((key) => command(client, `DELIFEQ ${key} ${token}`));
  const sent = [both('a', T1), ...released('a', T1), both('b', T2), ...released('b', T2), both('a', T1)];
  expect(reported(...sent).slice(4)).toEqual([
    ...['lock.acquired lock:a', 'lock.acquired lock:b', 'lock.released lock:a', 'lock.released lock:b'],
    ...['lock.acquired lock:a', 'lock.acquired lock:b'],
  ]);
});

const [DIGEST, READ_LATER] = ['0123456789abcdef', 'a read then finds the token of a later attempt'];

/** Client a holds a lock, `by` sends DELEX IFDEQ, and client b attempts. Then a read finds this token. */
function afterDigest(by: string, found: string) {
  const interpreter = new Interpreter({ source: 'story' });
  const sent = [
    command('a', `SET lock:a ${T1} NX PX 5000`),
    command('a', `DELEX lock:a IFEQ ${T1}`),
    command('a', `SET lock:a ${T1} NX PX 5000`),
    command(by, `DELEX lock:a IFDEQ ${DIGEST}`),
    command('b', `SET lock:a ${T2} NX PX 5000`),
  ];
  const steps = stepsAt(sent.map((each, n) => ({ sent: each, atMs: n * 100 })));
  const before = steps.flatMap((step) => interpreter.interpret(step)).slice(3);
  const read: KeyRead = {
    ...{ db: 0, name: 'lock:a', type: 'string', fields: {}, hasChanged: false },
    ...{ pttl: found === T1 ? 4700 : 4900, subscribers: null, companions: { token: [found] } },
  };
  const after = interpreter.interpret({ kind: 'bookmark', at: seconds(0.5), reads: [read] });
  return { before, after: after.map(({ type, by: client }) => `${type} ${client}`) };
}

test(`[T2] DELEX IFDEQ by the connection of the holder is a release, if ${READ_LATER}`, () => {
  const { before, after } = afterDigest('a', T2);
  expect(before).toEqual([]); // whether the attempt after it was refused is not known yet
  expect(after).toEqual(['lock.released a', 'lock.acquired b']);
});

test('[T2] DELEX IFDEQ with another digest changes nothing, and the attempt after it is refused', () => {
  expect(afterDigest('b', T1).after).toEqual(['lock.refused b']);
});

test(`[T2] DELEX IFDEQ by another client deletes the lock, if ${READ_LATER}`, () => {
  expect(afterDigest('c', T2).after).toEqual(['lock.deleted c', 'lock.acquired b']);
});

/** Client a holds a lock, and these commands follow. Then a read finds this value. */
function afterHandOver(found: string, ...commands: Parameters<typeof eventsFromScripts>[0]) {
  const interpreter = new Interpreter({ source: 'story' });
  const sent = [
    command('a', `SET lock:a ${T1} NX PX 5000`),
    command('a', `DELEX lock:a IFEQ ${T1}`),
    command('a', `SET lock:a ${T1} NX PX 5000`),
    ...commands,
  ];
  const before = stepsAt(sent.map((each, n) => ({ sent: each, atMs: n * 100 }))).flatMap((step) =>
    interpreter.interpret(step),
  );
  const read: KeyRead = {
    ...{ db: 0, name: 'lock:a', type: 'string', fields: {}, hasChanged: false, pttl: 4700, subscribers: null },
    companions: { token: [found] },
  };
  const after = interpreter.interpret({ kind: 'bookmark', at: seconds(0.6), reads: [read] });
  const wordOf = (event: LockEvent) =>
    `${event.type} ${'holder' in event && event.holder === T2 ? 'T2' : 'T1'}${event.certainty === 'inferred' ? '~' : ''}`;
  return { before: before.slice(3).map(wordOf), after: after.map(wordOf) };
}

test('[T2] SET with IFEQ hands a lock over to another token, as the read after it shows', () => {
  const handOver = command('a', `SET lock:a ${T2} IFEQ ${T1} PX 5000`);
  expect(afterHandOver(T2, handOver)).toEqual({ before: [], after: ['lock.released T1~', 'lock.acquired T2~'] });
  expect(afterHandOver(T1, handOver)).toEqual({ before: [], after: [] });
});

test('[T2] a release with the token to which a lock was handed over shows the hand-over', () => {
  const sent = [command('a', `SET lock:a ${T2} IFEQ ${T1} PX 5000`), command('b', `DELEX lock:a IFEQ ${T2}`)];
  expect(afterHandOver(T1, ...sent).before).toEqual(['lock.released T1~', 'lock.acquired T2~', 'lock.released T2~']);
});

test('[T9] SET with IFEQ that writes a word over the token of the holder ends its hold', () => {
  const done = command('a', `SET lock:a COMPLETED IFEQ ${T1} PX 5000`);
  expect(afterHandOver('COMPLETED', done)).toEqual({ before: [], after: ['lock.released T1~'] });
});

test('[T2] if two clients attempt with one token at once, the first acquires the lock', () => {
  const interpreter = new Interpreter({ source: 'story' });
  const sent = [
    { sent: command('a', `SET lock:a ${T2} NX PX 5000`), atMs: 0 },
    { sent: command('a', `DEL lock:a`), atMs: 100 },
    { sent: command('a', `SET lock:a ${T1} NX PX 5000`), atMs: 200 },
    { sent: command('b', `SET lock:a ${T1} NX PX 5000`), atMs: 201 },
    { sent: command('b', `SET lock:a ${T1} NX PX 5000`), atMs: 280 },
  ];
  const unread = { ...sent[0], sent: command('a', 'DELEX lock:a IFDEQ 0123456789abcdef'), atMs: 150 };
  const steps = stepsAt([...sent.slice(0, 2), unread, ...sent.slice(2)]);
  for (const step of steps) interpreter.interpret(step);
  const read: KeyRead = {
    ...{ db: 0, name: 'lock:a', type: 'string', fields: {}, hasChanged: false, pttl: 4900, subscribers: null },
    companions: { token: [T1] },
  };
  const found = interpreter.interpret({ kind: 'bookmark', at: seconds(0.3), reads: [read] });
  expect(found.map(({ type, by }) => `${type} ${by}`)).toContain('lock.acquired a');
});
