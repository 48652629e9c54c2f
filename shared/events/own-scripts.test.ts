import { expect, test } from 'vitest';
import {
  command,
  eventsAt,
  eventsFromScripts,
  type Sent,
  script,
  stepsAt,
} from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import type { KeyRead } from '../signals/signal.ts';
import { Interpreter } from './interpreter.ts';

const [T1, T2] = ['8b6ead8e-e546-4f18-a040-2fc000000001', '8f92d9c6-e546-4f18-ae70-2fc000000002'];
const SET = (client: string, token: string) => command(client, `SET lock:a ${token} NX PX 5000`);

/** A script with this SHA on the lock, which ran these commands. */
function called(sha: string, client: string, token: string, ...ran: string[]) {
  const { words, ...sent } = script(client, 'lock:a', token, ...ran);
  return { ...sent, words: words.with(1, sha) };
}
const ask = (client: string, token: string) => called('a'.repeat(40), client, token, 'get lock:a');
const missed = (client: string, token: string) => called('b'.repeat(40), client, token, 'get lock:a');
const release = (client: string, token: string) => called('b'.repeat(40), client, token, 'get lock:a', 'del lock:a');

const reported = (...sent: Parameters<typeof eventsFromScripts>[0]) =>
  eventsFromScripts(sent).map(({ type, by }) => `${type} ${by}`);

test('[T3] a script that finds the token of the holder and leaves the key is not an unlock, also on another connection', () => {
  const round = [SET('a', T1), release('a', T1), SET('a', T1)];
  const asked = [ask('a', T1), ask('b', T2), release('a', T1), ask('a', T1)];
  expect(reported(...round, ...asked).slice(2)).toEqual(['lock.acquired a', 'lock.released a']);
});

test('[T3] a script that has ever deleted a key is a release, also if it leaves a key whose lock its caller is thought to hold', () => {
  const sent = [SET('a', T1), release('a', T1), SET('a', T1), missed('a', T1), missed('b', T2)];
  expect(reported(...sent).slice(2)).toEqual(['lock.acquired a', 'unlock.refused a', 'unlock.refused b']);
});

test.each(['EVAL_RO', 'EVALSHA_RO', 'FCALL_RO'])('[T3] a script called by %s can only ask', (name) => {
  const { words, ...sent } = missed('a', T1);
  const asked = { ...sent, words: words.with(0, name) };
  const round = [SET('a', T1), release('a', T1)];
  expect(reported(...round, asked, SET('b', T2), asked).slice(2)).toEqual(['lock.acquired b']);
});

test('[T3] a token that was never seen, in a script that never deleted a key, is not that of an unlock', () => {
  const stranger = 'd14d167a-8471-41a0-a0d1-e858687fe251';
  const sent = [SET('a', T1), release('a', T1), SET('a', T1), ask('b', stranger)];
  expect(reported(...sent).slice(2)).toEqual(['lock.acquired a']);
  expect(reported(...sent, missed('b', stranger)).slice(3)).toEqual(['unlock.refused b']);
});

test('[T1] a script that reads a key and sets it once is not a lock, unless its name says so', () => {
  const once = (client: string, key: string, token: string, ...ran: string[]) =>
    script(client, key, `${token} 60`, `get ${key}`, ...ran.map((text) => text.replace('K', key).replace('T', token)));
  const twice = (key: string) => [once('a', key, T1, 'set K T NX EX 60'), once('b', key, T2)];
  expect(reported(...twice('pay:4711'))).toEqual([]);
});

test('[T2] a question of the holder before the first read does not hide its acquisition', () => {
  const interpreter = new Interpreter({ source: 'story' });
  const steps = stepsAt([SET('a', T1), ask('a', T1)].map((sent, n) => ({ sent, atMs: n * 10 })));
  const read: KeyRead = {
    ...{ db: 0, name: 'lock:a', type: 'string', fields: {}, hasChanged: false, pttl: 4980, subscribers: null },
    companions: { token: [T1] },
  };
  const events = [...steps, { kind: 'bookmark', at: seconds(0.02), reads: [read] } as const].flatMap((step) =>
    interpreter.interpret(step),
  );
  expect(events.map(({ type, by }) => `${type} ${by}`)).toEqual(['lock.acquired a']);
});

const [MURLOCK, END] = ['c'.repeat(40), ' NX PX 5000'];
/** murlock: `get K`, and `set K T NX PX` unless that found the token. */
function attempt(client: string, token: string, ...ran: string[]) {
  const { words, ...sent } = called(MURLOCK, client, `${token} 5000`, 'get lock:a', ...ran);
  return { ...sent, words };
}
const attempted = (client: string, token: string) => attempt(client, token, `set lock:a ${token}${END}`);

test('[T3] an own attempt that finds its token acquires again, which is not a refused renewal', () => {
  const sent = [SET('a', T1), release('a', T1), attempted('a', T1), attempt('a', T1), attempt('a', T1)];
  expect(reported(...sent, release('a', T1)).slice(2)).toEqual(['lock.acquired a', 'lock.released a']);
});

test('[T2] a script that a token without the lock called is an attempt, also of a token that lost the lock', () => {
  const at = (atMs: number, sent: Sent) => ({ sent, atMs });
  const events = eventsAt([
    ...[at(0, SET('a', T1)), at(100, release('a', T1)), at(200, attempted('a', T1)), at(300, attempted('b', T2))],
    ...[at(400, release('a', T1)), at(500, attempted('b', T2)), at(6000, attempted('a', T1))],
    ...[at(6100, attempted('b', T2)), at(6200, attempted('b', T2))],
  ]).map(({ type, by }) => `${type} ${by}`);
  expect(events.slice(2)).toEqual([
    ...['lock.acquired a', 'lock.refused b', 'lock.released a', 'lock.acquired b', 'lease.expired undefined'],
    ...['lock.acquired a', 'lock.refused b', 'lock.refused b'],
  ]);
});
