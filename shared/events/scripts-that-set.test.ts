import { describe, expect, test } from 'vitest';
import { lockAt } from '../../testing/stories/lock-at.ts';
import {
  command,
  eventsAt,
  eventsFromScripts,
  type Sent,
  script,
  stepsAt,
} from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import { Interpreter } from './interpreter.ts';

const [WEB, JOBS] = ['10.0.0.1:1', '10.0.0.2:1'];
const [ONE, OTHER] = ['3f0c9a52-8d14-4d0e-9a37-0d9d1f0c2b11', '7be1c0de-51f2-4c1b-8f44-6a0c9d3e5f22'];
const KEY = 'lock:order';

type Scripts = { keys?: string; args?: (token: string) => string; ran: (token: string) => string[] };
const call = (by: string, token: string, { keys = KEY, args = (own) => `${own} 5`, ran }: Scripts): Sent =>
  script(by, keys.replace('TOKEN', token), args(token), ...ran(token));

/** The script of aioredlock that acquires and renews. */
const AIOREDLOCK = 'c75a9bf1538efcdb1f383acc3e273c5089d57e58';

const RELEASE: Scripts = { args: (own) => own, ran: () => [`get ${KEY}`, `del ${KEY}`] };

/** Scripts of an application that take a free lock, and what they run if it is taken. */
const ATTEMPTS: readonly (readonly [string, Scripts, Scripts])[] = [
  ['get → setex', { ran: (own) => [`get ${KEY}`, `setex ${KEY} 5 ${own}`] }, { ran: () => [`get ${KEY}`] }],
  ['exists → setex', { ran: (own) => [`exists ${KEY}`, `setex ${KEY} 5 ${own}`] }, { ran: () => [`exists ${KEY}`] }],
  [
    'exists → psetex → incrby of a fencing token',
    { ran: (own) => [`exists ${KEY}`, `psetex ${KEY} 5000 ${own}`, `incrby ${KEY}_token 1`] },
    { ran: () => [`exists ${KEY}`, `get ${KEY}`] },
  ],
  [
    'set NX → incr of a fencing token',
    { keys: `${KEY} fence`, ran: (own) => [`set ${KEY} ${own} NX EX 5`, 'incr fence'] },
    { keys: `${KEY} fence`, ran: (own) => [`set ${KEY} ${own} NX EX 5`] },
  ],
  [
    'setnx → expire',
    { ran: (own) => [`setnx ${KEY} ${own}`, `expire ${KEY} 5`] },
    { ran: (own) => [`setnx ${KEY} ${own}`] },
  ],
  [
    'setnx → setex, the token among the keys',
    { keys: `${KEY} TOKEN`, args: () => '5', ran: (own) => [`setnx ${KEY} ${own}`, `setex ${KEY} 5 ${own}`] },
    { keys: `${KEY} TOKEN`, args: () => '5', ran: (own) => [`setnx ${KEY} ${own}`] },
  ],
  [
    'the lease before the token',
    { args: (own) => `5 ${own}`, ran: (own) => [`exists ${KEY}`, `setex ${KEY} 5 ${own}`] },
    { args: (own) => `5 ${own}`, ran: () => [`exists ${KEY}`] },
  ],
];

test.each(ATTEMPTS)('[T1] a script that takes a free key by %s is an attempt', (_, takes, isRefused) => {
  const events = eventsFromScripts([
    ...[call(WEB, ONE, takes), call(JOBS, OTHER, isRefused), call(WEB, ONE, RELEASE)],
    ...[call(JOBS, OTHER, takes), call(JOBS, OTHER, RELEASE)],
  ]);
  const did = events.map((event) => `${event.type} ${'holder' in event ? event.holder : ''}`);
  expect(did.filter((event) => !event.startsWith('lock.refused'))).toEqual([
    ...[`lock.acquired ${ONE}`, `lock.released ${ONE}`, `lock.acquired ${OTHER}`, `lock.released ${OTHER}`],
  ]);
  expect(events[0]).toMatchObject({ type: 'lock.acquired', leaseMs: 5000 });
});

/** A key that is not named like a lock: nothing is reported until a script compares the token and deletes the key. */
const OTHER_NAME = 'dag:3';
const keep = (by: string, token: string): Sent =>
  script(by, OTHER_NAME, `${token} 5000`, `get ${OTHER_NAME}`, `set ${OTHER_NAME} ${token} PX 5000`);
const drop = (by: string, token: string): Sent =>
  script(by, OTHER_NAME, token, `get ${OTHER_NAME}`, `del ${OTHER_NAME}`);

test('[T9] a value that scripts set under any name is reported once a script has compared and deleted it', () => {
  const sent = [
    { sent: keep(WEB, ONE), atMs: 0 },
    { sent: keep(WEB, ONE), atMs: 3000 },
    { sent: drop(WEB, ONE), atMs: 7000 },
  ];
  expect(eventsAt(sent.slice(0, 2))).toEqual([]);
  expect(eventsAt(sent)).toMatchObject([
    { type: 'lock.acquired', holder: ONE, at: seconds(0), leaseMs: 5000, certainty: 'inferred' },
    { type: 'lease.renewed' },
    { type: 'lock.released', holder: ONE, at: seconds(7) },
  ]);
});

test('[T9] while a value is not known as a lock, three refused calls of the same script by another client show that it is one', () => {
  const ask = script(JOBS, OTHER_NAME, `${OTHER} 5000`, `get ${OTHER_NAME}`);
  const sent = [keep(WEB, ONE), ask, ask, ask];
  const interpreter = new Interpreter({ source: 'story' });
  const steps = stepsAt(sent.map((each, n) => ({ sent: each, atMs: n * 200 })));
  expect(steps.flatMap((step) => interpreter.interpret(step))).toEqual([]);
  const read = {
    ...{ db: 0, name: OTHER_NAME, type: 'string', fields: {}, hasChanged: false, pttl: 4390, subscribers: null },
    companions: { token: [ONE] },
  } as const;
  const found = interpreter.interpret({ kind: 'bookmark', at: seconds(0.61), reads: [read] });
  expect(found.map((event) => `${event.type} ${'holder' in event ? event.holder : ''}`)).toEqual([
    ...[`lock.acquired ${ONE}`, `lock.refused ${OTHER}`, `lock.refused ${OTHER}`, `lock.refused ${OTHER}`],
  ]);
  expect(found[0]).toMatchObject({ evidence: ['token', 'retried'], kindKnown: false });
});

test('[T9] a script that replaces the value of another client is not an attempt', () => {
  const sent = [keep(WEB, ONE), keep(JOBS, OTHER), keep(WEB, ONE), command(WEB, `DEL ${OTHER_NAME}`)];
  expect(eventsFromScripts([...sent, ...sent, ...sent])).toEqual([]);
});

test('[T4] the second call of a script that sets a free key, or extends a key with its own token, is a re-entry', () => {
  const takes = (...ran: string[]): Sent => script(WEB, `${KEY} ${ONE}`, '5', `setnx ${KEY} ${ONE}`, ...ran);
  const events = eventsAt([
    { sent: takes(`expire ${KEY} 5`), atMs: 0 },
    { sent: takes(`get ${KEY}`, `expire ${KEY} 5`), atMs: 1000 },
  ]);
  expect(events.map(({ type }) => type)).toEqual(['lock.acquired', 'lock.reentered']);
});

test('[T3] a renewal script whose arguments have the lease before the token is a renewal by that token', () => {
  const renew = script(WEB, KEY, `9 ${ONE}`, `get ${KEY}`, `expire ${KEY} 9`);
  expect(eventsFromScripts([command(WEB, `SET ${KEY} ${ONE} NX EX 5`), call(WEB, ONE, RELEASE), renew])).toMatchObject([
    { type: 'lock.acquired' },
    { type: 'lock.released' },
    { type: 'lease.renewed', holder: ONE, leaseMs: 9000 },
  ]);
});

test('a cache that a script fills with SETEX is not a lock', () => {
  const fill = script(WEB, 'page:7', '60 cached', 'get page:7', 'setex page:7 60 cached');
  const swap = script(WEB, 'bucket:7', `${ONE} ${OTHER} 60`, 'get bucket:7', `psetex bucket:7 60 ${OTHER}`);
  expect(eventsFromScripts([fill, fill, swap, swap])).toEqual([]);
});

test('[T3] if the script that takes the lock only reads the rest of the lease, the attempt was refused', () => {
  const ask = (by: string, token: string, ...ran: string[]) => script(by, KEY, `${token} 5000`, `get ${KEY}`, ...ran);
  const take = ask(WEB, ONE, `set ${KEY} ${ONE} PX 5000`);
  const refused = ask(JOBS, OTHER, `pttl ${KEY}`);
  const query: Sent = { ...refused, words: refused.words.with(1, 'a'.repeat(40)) };
  expect(eventsFromScripts([take, query, refused, refused, query])).toMatchObject([
    { type: 'lock.acquired', holder: ONE },
    { type: 'lock.refused', holder: OTHER, attempt: 1 },
    { type: 'lock.refused', holder: OTHER, attempt: 2 },
  ]);
});

test('[T3] a release that first checks whether the lock exists is refused if another client holds it', () => {
  const release = (by: string, token: string, ...ran: string[]) => script(by, KEY, token, `exists ${KEY}`, ...ran);
  const take = (by: string, token: string, ends: number) => command(by, `SET ${KEY} ${token} NX EX ${ends}`);
  const events = eventsAt([
    { sent: take(WEB, ONE, 2), atMs: 0 },
    { sent: release(WEB, ONE, `get ${KEY}`, `del ${KEY}`), atMs: 100 },
    { sent: take(WEB, ONE, 2), atMs: 200 },
    { sent: take(JOBS, OTHER, 5), atMs: 2300 },
    { sent: release(WEB, ONE, `get ${KEY}`), atMs: 2400 },
    { sent: release(JOBS, OTHER, `get ${KEY}`, `del ${KEY}`), atMs: 2500 },
    { sent: release(JOBS, OTHER), atMs: 2600 },
  ]);
  expect(events.map(({ type }) => type)).toEqual([
    ...['lock.acquired', 'lock.released', 'lock.acquired', 'lease.expired'],
    ...['lock.acquired', 'unlock.refused', 'lock.released'],
  ]);
});

test('[T4] the scripts of a lock may keep the count of a holder in a key beside it', () => {
  const [count, fence] = [`${KEY}:count`, `${KEY}:token`];
  const three = `${KEY} ${count} ${fence}`;
  const take = (by: string, token: string, ...ran: string[]) =>
    script(by, three, `${token} 5000 600000`, `GET ${KEY}`, ...ran);
  const release = (by: string, token: string, ...ran: string[]): Sent => {
    const { words, ...sent } = script(by, `${KEY} ${count}`, `${token} 0`, `GET ${KEY}`, ...ran);
    return { ...sent, words: words.with(1, 'e'.repeat(40)) };
  };
  const counted = [`SET ${count} 1 PX 5000`, `INCR ${fence}`, `PEXPIRE ${fence} 600000`];
  const events = eventsFromScripts([
    take(WEB, ONE, `SET ${KEY} ${ONE} PX 5000 NX`, ...counted),
    take(WEB, ONE, `INCR ${count}`, `PEXPIRE ${KEY} 5000`, `PEXPIRE ${count} 5000`),
    take(JOBS, OTHER),
    release(WEB, ONE, `DECR ${count}`, `PEXPIRE ${KEY} 5000`, `PEXPIRE ${count} 5000`),
    release(WEB, ONE, `DECR ${count}`, `DEL ${KEY}`, `DEL ${count}`),
  ]);
  expect(events.map(({ type }) => type)).toEqual([
    ...['lock.acquired', 'lease.renewed', 'lock.refused', 'lease.renewed', 'lock.released'],
  ]);
});

test('[T1] scripts of a lock that also change a queue and a hash still show acquisitions, a refusal and releases', () => {
  const [meta, queue] = [`${KEY}:meta`, `${KEY}:queue`];
  const take = (by: string, token: string, ...ran: string[]) =>
    script(by, `${KEY} ${queue} ${meta}`, `${token} 5000 web-1 main`, `exists ${KEY}`, `llen ${queue}`, ...ran);
  const taken = (by: string, token: string) =>
    take(by, token, `lrem ${queue} 0 ${token}`, `set ${KEY} ${token} PX 5000`, `hset ${meta} host web-1`);
  const queued = (by: string, token: string) => take(by, token, `lpos ${queue} ${token}`, `rpush ${queue} ${token}`);
  const release = (by: string, token: string) =>
    script(by, `${KEY} ${meta}`, token, `get ${KEY}`, `del ${KEY} ${meta}`);
  const sent = [taken(WEB, ONE), queued(JOBS, OTHER), release(WEB, ONE), queued(WEB, ONE), taken(JOBS, OTHER)];
  const events = eventsFromScripts([...sent, release(JOBS, OTHER)]);
  expect(events.map((event) => `${event.type} ${'holder' in event ? event.holder : ''}`)).toEqual([
    ...[`lock.acquired ${ONE}`, `lock.refused ${OTHER}`, `lock.released ${ONE}`],
    ...[`lock.acquired ${OTHER}`, `lock.released ${OTHER}`],
  ]);
  expect(new Set(events.map(({ lock }) => lock))).toEqual(new Set([KEY]));
});

test('[T1] a script that sets and deletes a token does not show a lock if its key has another name than a lock', () => {
  const login = script(
    WEB,
    'visitor:7 online',
    `${ONE} 60`,
    'exists visitor:7',
    `setex visitor:7 60 ${ONE}`,
    'sadd online 7',
  );
  const logout = script(WEB, 'visitor:7 online', ONE, 'get visitor:7', 'srem online 7', 'del visitor:7');
  expect(eventsFromScripts([login, logout, login, logout, login])).toEqual([]);
});

test('[T2] a script that sets a free key and returns its value is an attempt, whichever client holds the lock then', () => {
  const ask = (by: string, token: string) =>
    script(by, KEY, `${token} 5000`, `set ${KEY} ${token} NX PX 5000`, `get ${KEY}`);
  const sent = [ask(WEB, ONE), call(WEB, ONE, RELEASE), ask(WEB, ONE), ask(JOBS, OTHER), call(WEB, ONE, RELEASE)];
  const events = eventsFromScripts([...sent, ask(JOBS, OTHER)]);
  expect(events.map((event) => `${event.type} ${'holder' in event ? event.holder : ''}`)).toEqual([
    ...[`lock.acquired ${ONE}`, `lock.released ${ONE}`, `lock.acquired ${ONE}`, `lock.refused ${OTHER}`],
    ...[`lock.released ${ONE}`, `lock.acquired ${OTHER}`],
  ]);
});

describe('a script that sets a key if the key is free or has the token of the caller', () => {
  const keep = (by: string, token: string) => call(by, token, ATTEMPTS[0]?.[1] ?? RELEASE);
  const ping = command(JOBS, 'PING');
  const since = (events: ReturnType<typeof eventsAt>) => lockAt(events, seconds(60)).holders[0]?.since;
  const at = (sent: Sent, atMs: number) => ({ sent, atMs });

  test('[T1] a script that sets a free key, or one with its own token, may renew an older hold if watching had just begun', () => {
    const events = eventsAt([at(ping, 0), at(keep(WEB, ONE), 4000), at(keep(WEB, ONE), 8000)]);
    expect(events).toMatchObject([
      { type: 'lock.acquired', certainty: 'inferred', holder: ONE, isOlder: true, expiresAt: seconds(9) },
      { type: 'lease.renewed', holder: ONE, expiresAt: seconds(13) },
    ]);
    expect(since(events.slice(0, 1))).toBeNull();
    const later = eventsAt([at(ping, 0), at(keep(WEB, ONE), 5001)]);
    expect(later).toMatchObject([{ type: 'lock.acquired', certainty: 'observed', holder: ONE }]);
  });

  test('[T4] a script that sets a free key, or one with its own token, has acquired it if its token was refused before', () => {
    const script = (atMs: number, ...ran: string[]) => ({
      sent: { by: WEB, words: ['EVALSHA', AIOREDLOCK, '1', 'orders:42', ONE, '10000'], ran },
      atMs,
    });
    const taken = script(2000, 'get orders:42', `set orders:42 ${ONE} PX 10000`);
    const about = (sent: Parameters<typeof eventsAt>[0]) =>
      eventsAt(sent).map(({ type, certainty }) => `${type} ${certainty}`);
    expect(about([script(1000, 'get orders:42'), taken])).toEqual(['lock.refused observed', 'lock.acquired observed']);
    expect(about([at(ping, 0), taken])).toEqual(['lock.acquired inferred']);
  });

  test('[T1] a script that sets a free key, or one with its own token, has acquired it if the lock was seen to be free', () => {
    const events = eventsAt([at(keep(WEB, ONE), 0), at(call(WEB, ONE, RELEASE), 1000), at(keep(JOBS, OTHER), 2000)]);
    expect(events.map(({ type, certainty }) => `${type} ${certainty}`)).toEqual([
      ...['lock.acquired inferred', 'lock.released observed', 'lock.acquired observed'],
    ]);
  });
});
