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

test('[T3] a script that has ever deleted a key is a release, even if it leaves the key of a caller that is assumed to hold the lock', () => {
  const sent = [SET('a', T1), release('a', T1), SET('a', T1), missed('a', T1), missed('b', T2)];
  expect(reported(...sent).slice(2)).toEqual(['lock.acquired a', 'unlock.refused a', 'unlock.refused b']);
});

test.each(['EVAL_RO', 'EVALSHA_RO', 'FCALL_RO'])(
  '[T3] a script called by %s cannot write, so it is not an unlock',
  (name) => {
    const { words, ...sent } = missed('a', T1);
    const asked = { ...sent, words: words.with(0, name) };
    const round = [SET('a', T1), release('a', T1)];
    expect(reported(...round, asked, SET('b', T2), asked).slice(2)).toEqual(['lock.acquired b']);
  },
);

test('[T3] a script that never deleted a key is not an unlock if its token was never seen', () => {
  const unseenToken = 'd14d167a-8471-41a0-a0d1-e858687fe251';
  const sent = [SET('a', T1), release('a', T1), SET('a', T1), ask('b', unseenToken)];
  expect(reported(...sent).slice(2)).toEqual(['lock.acquired a']);
  expect(reported(...sent, missed('b', unseenToken)).slice(3)).toEqual(['unlock.refused b']);
});

test('[T1] a script that reads a key, and sets it only in its first call, does not show a lock', () => {
  const once = (client: string, key: string, token: string, ...ran: string[]) =>
    script(client, key, `${token} 60`, `get ${key}`, ...ran.map((text) => text.replace('K', key).replace('T', token)));
  const twice = (key: string) => [once('a', key, T1, 'set K T NX EX 60'), once('b', key, T2)];
  expect(reported(...twice('pay:4711'))).toEqual([]);
});

test('[T2] if the holder only checks its token before the first read, the acquisition is still reported', () => {
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
/** murlock: `get K`, and `set K T NX PX` unless GET found the token. */
function attempt(client: string, token: string, ...ran: string[]) {
  const { words, ...sent } = called(MURLOCK, client, `${token} 5000`, 'get lock:a', ...ran);
  return { ...sent, words };
}
const attempted = (client: string, token: string) => attempt(client, token, `set lock:a ${token}${END}`);

test('[T3] an acquire script that finds the token of its caller has no event, and is not a refused renewal', () => {
  const sent = [SET('a', T1), release('a', T1), attempted('a', T1), attempt('a', T1), attempt('a', T1)];
  expect(reported(...sent, release('a', T1)).slice(2)).toEqual(['lock.acquired a', 'lock.released a']);
});

test('[T2] a script is an attempt if it was called with a token that does not hold the lock, also after that token lost it', () => {
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

test('[T3] a script that publishes a message and has deleted a key is a release: a late call is not a renewal', () => {
  const released = (client: string, token: string, ...ran: string[]) =>
    script(client, 'lock:a rlock-channel:lock:a', `${token} ok`, 'GET lock:a', ...ran);
  const round = [SET('a', T1), released('a', T1, 'DEL lock:a', 'PUBLISH rlock-channel:lock:a ok')];
  const stolen = [SET('a', T2), command('c', 'DEL lock:a'), SET('b', T1)];
  const late = [...stolen, released('a', T2)];
  expect(reported(...round, ...late).slice(-2)).toEqual(['lock.acquired b', 'unlock.refused a']);
  // the same for the first call of a script: a renewal would have a lease
  const { words, ...other } = released('a', T2);
  expect(reported(...round, ...stolen, { ...other, words: words.with(1, 'e'.repeat(40)) }).at(-1)).toBe(
    'unlock.refused a',
  );
});

test('a script with several keys and as many tokens has one token for each key', () => {
  const [K, L] = ['stock:1', 'stock:2'];
  const take = (client: string, tokens: string, ...ran: string[]) =>
    script(client, `${K} ${L}`, `${tokens} 5000`, ...ran);
  const drop = (client: string, tokens: string, ...ran: string[]) => {
    const { words, ...sent } = script(client, `${K} ${L}`, tokens, ...ran);
    return { ...sent, words: words.with(1, 'e'.repeat(40)) };
  };
  const all = [`exists ${K}`, `set ${K} ${T1} PX 5000`, `exists ${L}`, `set ${L} ${T2} PX 5000`];
  const others = 'd14d167a-8471-41a0-a0d1-e858687fe251 d14d167a-8471-41a0-a0d1-e858687fe252';
  const events = eventsFromScripts([
    take('a', `${T1} ${T2}`, ...all),
    take('b', others, `exists ${K}`),
    drop('a', `${T1} ${T2}`, `get ${K}`, `del ${K}`, `get ${L}`, `del ${L}`),
    drop('a', `${T1} ${T2}`, `get ${K}`, `get ${L}`),
  ]);
  expect(events.map(({ type, lock, ...event }) => [type, lock, 'holder' in event && event.holder])).toEqual([
    ...[
      ['lock.acquired', K, T1],
      ['lock.acquired', L, T2],
      ['lock.refused', K, others.split(' ')[0]],
    ],
    ...[
      ['lock.released', K, T1],
      ['lock.released', L, T2],
      ['unlock.refused', K, T1],
      ['unlock.refused', L, T2],
    ],
  ]);
});

test('the key of a script may have a longer name than in its call, and the keys beside it may have the token in their names', () => {
  const [lock, count] = ['{stock}', (token: string) => `{stock}:count:${token}`];
  // the reentrant lock of go-redislock
  const take = (by: string, token: string, ...ran: string[]) =>
    script(by, 'stock', `${token} 5000`, `GET ${count(token)}`, ...ran);
  const first = (by: string, token: string, ...ran: string[]) =>
    take(by, token, `SET ${lock} ${token} NX PX 5000`, ...ran);
  const counted = [`SET ${count(T1)} 1`, `PEXPIRE ${count(T1)} 5000`];
  const drop = (token: string, ...ran: string[]) => {
    const { words, ...sent } = script(token === T1 ? 'a' : 'b', 'stock', token, `GET ${count(token)}`, ...ran);
    return { ...sent, words: words.with(1, 'e'.repeat(40)) };
  };
  const again = take('a', T1, `INCR ${count(T1)}`, `PEXPIRE ${lock} 5000`, `PEXPIRE ${count(T1)} 5000`);
  const released = [`DEL ${count(T1)}`, `GET ${lock}`, `DEL ${lock}`];
  const round = [first('a', T1, ...counted), again, drop(T1, `DECR ${count(T1)}`), drop(T1, ...released)];
  const other = [...round, first('a', T1, ...counted), first('b', T2), drop(T1, ...released), drop(T1, `GET ${lock}`)];
  const events = eventsFromScripts(other).map(({ type, lock: name, by }) => `${name} ${type} ${by}`);
  expect(events).toEqual([
    ...['{stock} lock.acquired a', '{stock} lease.renewed a', '{stock} lock.released a', '{stock} lock.acquired a'],
    ...['{stock} lock.refused b', '{stock} lock.released a', '{stock} unlock.refused a'],
  ]);
});

test('[T3] if clients set the key with NX, a script that does not find its own token is not an attempt', () => {
  const renewal = (client: string, token: string) => script(client, 'lock:a', `${token} 5000`, 'get lock:a');
  const sent = [SET('a', T1), release('a', T1), SET('a', T1), renewal('b', T2)];
  expect(reported(...sent).slice(2)).toEqual(['lock.acquired a']);
});

test('[T15] a time beside a token in one MSETNX is the end of the lock, and not a second lock', () => {
  const set = (by: string, owner: string) =>
    command(by, `MSETNX lock:owner:a ${owner} lock:expire:a ${seconds(0) / 1_000_000 + 60}`);
  const renewed = command('a', `SET lock:expire:a ${seconds(0) / 1_000_000 + 120}`);
  const removed = [command('a', 'DEL lock:owner:a'), command('a', 'DEL lock:expire:a')];
  const sent = [set('a', 'web-1:17'), renewed, ...removed, set('b', 'web-2:18'), command('b', 'DEL lock:owner:a')];
  const events = eventsFromScripts(sent).map(({ type, lock }) => `${lock} ${type}`);
  expect(events).toEqual(['acquired', 'released', 'acquired', 'released'].map((did) => `lock:owner:a lock.${did}`));
});

test('a script that pushes its token to a list of waiters, as in TYPO3, is a release even if it is late', () => {
  const [lock, list, W1, W2] = ['2f:lock:name:7', '2f:lock:mutex:7', '6b0ca4f450140', '6b0ca4faab62f'];
  const set = (by: string, token: string) => command(by, `SET ${lock} ${token} NX EX 30`);
  const drop = (by: string, token: string, ...ran: string[]) =>
    script(by, `${lock} ${list}`, `${token} 30`, `GET ${lock}`, ...ran);
  const sleep = command('b', `BLPOP ${list} 20`);
  const released = drop('a', W1, `DEL ${lock}`, `RPUSH ${list} ${W1}`, `EXPIRE ${list} 30`);
  const interpreter = new Interpreter({ source: 'story' });
  const sent = [
    set('a', W1),
    sleep,
    released,
    sleep,
    set('a', W1),
    command('ops:1', `DEL ${lock}`),
    set('b', W2),
    drop('a', W1),
  ];
  const events = stepsAt(sent.map((each, n) => ({ sent: each, atMs: n * 100 }))).flatMap((step) =>
    interpreter.interpret(step),
  );
  expect(events.map(({ type, by }) => `${type} ${by}`)).toEqual([
    ...['lock.acquired a', 'lock.released a', 'wakeup.published a', 'lock.acquired a', 'lock.deleted ops:1'],
    ...['lock.acquired b', 'unlock.refused a'],
  ]);
  expect(interpreter.strangeLocks.at(seconds(1))).toEqual([]);
});

test('[T9] a release shows the hold before it too, if the key was not known as a lock then', () => {
  const set = (client: string, token: string) => command(client, `SET orders:42 ${token} NX PX 1500`);
  const unlock = (client: string, token: string) =>
    script(client, 'orders:42', token, 'get orders:42', 'del orders:42');
  const second = [
    { sent: set('b', T2), atMs: 1700 },
    { sent: unlock('b', T2), atMs: 1800 },
  ];
  const expired = eventsAt([{ sent: set('a', T1), atMs: 0 }, ...second]);
  expect(expired).toMatchObject([
    { type: 'lock.acquired', holder: T1, at: seconds(0), certainty: 'inferred' },
    { type: 'lease.expired', holder: T1, at: seconds(1.5), certainty: 'inferred' },
    { type: 'lock.acquired', holder: T2 },
    { type: 'lock.released', holder: T2 },
  ]);
  const deleted = eventsAt([
    { sent: set('a', T1), atMs: 0 },
    { sent: command('ops', 'DEL orders:42'), atMs: 700 },
    ...second,
  ]);
  expect(deleted[1]).toMatchObject({ type: 'lock.released', holder: T1, at: seconds(0.7), how: 'unknown' });
});
