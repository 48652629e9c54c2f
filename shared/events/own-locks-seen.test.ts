import { expect, test } from 'vitest';
import { command, eventsFromScripts, type Sent, stepsAt } from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';
import { makeTokenStory, reported as withCertainty } from '../../testing/stories/token-story.ts';
import type { LineSignal } from '../signals/signal.ts';
import { decideOwnLocks } from './apply/tokens/own-locks.ts';
import { Interpreter } from './interpreter.ts';

const [T1, T2, T3] = [1, 2, 3].map((n) => `c4b8e2f0-1111-4a5b-8c6d-00000000000${n}`);
const [A, B] = ['10.0.0.1:1', '10.0.0.2:1'];

const reported = (sent: readonly Sent[]) => eventsFromScripts(sent).map(({ type }) => type.replace('lock.', ''));
const set = (by: string, key: string, value: string | undefined) => command(by, `SET ${key} ${value} NX PX 60000`);

test('[T9] a token that one client keeps trying to replace is probably a lock, from its first attempt on', () => {
  const sent = [
    set(A, 'order:7', T1),
    ...Array.from({ length: 5 }, () => set(B, 'order:7', T2)),
    command(A, 'DEL order:7'),
  ];
  const events = eventsFromScripts(sent);
  expect(events.map(({ type }) => type)).toEqual(['lock.acquired', ...Array(5).fill('lock.refused'), 'lock.released']);
  expect(events[0]).toMatchObject({
    at: seconds(0),
    holder: T1,
    by: A,
    kindKnown: false,
    evidence: ['token', 'retried'],
  });
  expect(events[0]).not.toHaveProperty('library');
});

test('[T9] under the name of a lock, a release by the client that set the key shows a lock, whether it set a token or a word', () => {
  expect(reported([set(A, 'lock:order', T1), command(A, 'DEL lock:order')])).toEqual(['acquired', 'released']);
  expect(reported([set(A, 'import-lock', 'busy'), command(A, 'DEL import-lock')])).toEqual(['acquired', 'released']);
});

test('[T9] a key that is set again with another token after each release is probably a lock', () => {
  const round = (token: string | undefined) => [set(A, 'order', token), command(A, 'DEL order')];
  expect(reported([T1, T2, T3].flatMap(round))).toEqual(Array(3).fill(['acquired', 'released']).flat());
});

test('[T9] the end of a hold before the key was known as a lock is a release only if its client deleted the key', () => {
  const round = (token: string | undefined, by: string) => [set(A, 'order', token), command(by, 'DEL order')];
  const refusals = Array.from({ length: 3 }, () => set(B, 'order', T3));
  const ends = (by: string) => {
    const events = eventsFromScripts([...round(T1, by), set(A, 'order', T2), ...refusals]);
    return events.flatMap((event) => (event.type === 'lock.released' ? [event.how] : []));
  };
  expect(ends(A)).toEqual([undefined]);
  expect(ends(B)).toEqual(['unknown']);
});

test('[T9] caches, messages that arrive twice, marks that another client deletes, and rate limits are not locks', () => {
  const once = [set(A, 'seen:1', T1), set(B, 'seen:1', T2), set(B, 'seen:1', T2)];
  const cache = [
    set(A, 'page:1', '<html>'),
    command(B, 'DEL page:1'),
    set(A, 'page:1', '<body>'),
    command(A, 'DEL page:1'),
  ];
  const limit = Array.from({ length: 20 }, () => command(A, 'SET rate:10.0.0.9 1 NX EX 1'));
  const job = [T1, T2, T3].flatMap((token) => [set(A, 'unique:report', token), command(B, 'DEL unique:report')]);
  for (const sent of [once, cache, limit, job]) expect(reported(sent)).toEqual([]);
});

test('[T9] one mail a minute, messages that arrive often, and one token set again are not locks', () => {
  const other = (n: number) => `c4b8e2f0-${1000 + n}-4a5b-8c6d-000000000001`;
  const mail = Array.from({ length: 20 }, (_, n) => set(A, 'mail:42', other(n)));
  const asset = Array.from({ length: 20 }, () => set(A, 'asset:7', T1));
  for (const sent of [mail, asset]) expect(reported(sent)).toEqual([]);
  const rare = [T1, T2, T2, T2, T2].map((token, n) => set(n === 0 ? A : B, 'page', token));
  rare.push(command(A, 'DEL page'));
  expect(eventsFromScripts(rare, 10_000)).toEqual([]);
  expect(eventsFromScripts(rare, 1000)).toHaveLength(rare.length);
});

test('[T9] refused attempts with other tokens show a lock once the client that set the key has deleted it', () => {
  const first = [set(A, 'order', T1), command(A, 'DEL order'), set(A, 'order', T1)];
  expect(reported([...first, ...[1, 2, 3].flatMap(() => [set(B, 'order', T2), set(B, 'order', T3)])])).toContain(
    'refused',
  );
});

test('[T9] a key that one connection sets and another deletes is a lock only if both belong to one pool', () => {
  const [C, D] = ['10.0.0.1:2', '10.0.0.1:3'];
  const round = (from: string, to: string, token: string | undefined) => [
    set(from, 'order', token),
    command(to, 'DEL order'),
  ];
  expect(reported([T1, T2, T3].flatMap((token) => round(A, C, token)))).toEqual([]);
  expect(reported([...round(A, C, T1), ...round(C, D, T2), ...round(D, A, T3)])).toContain('acquired');
});

test('[T9] a key whose name shows another purpose is not shown as a lock on its own', () => {
  const round = (key: string) => [T1, T2, T3].flatMap((token) => [set(A, key, token), command(A, `DEL ${key}`)]);
  for (const key of ['session:42', 'user-session', 'etag:home', 'idempotency:7', 'uniquejobs:1f33e9f16af67a7a'])
    expect(reported(round(key))).toEqual([]);
  expect(reported(round('session-lock:42'))).toContain('acquired');
  expect(reported(round('obsession'))).toContain('acquired');
});

test('[T9] retries for a value from before watching began show a lock once a read has shown that value', () => {
  const after = (value: string | undefined, attempts: number, readAt: number, everyS = 3) => {
    const interpreter = new Interpreter({ source: 'redis' });
    const companions = { token: value === undefined ? [] : [value] };
    const read = (at: number) => {
      const key = { db: 0, name: 'leader:scheduler', type: 'string', fields: {}, pttl: 9000, companions } as const;
      interpreter.interpret({
        kind: 'bookmark',
        at: seconds(at),
        reads: [{ ...key, hasChanged: false, subscribers: null }],
      });
    };
    for (let n = 0; n < attempts; n++) {
      if (n === readAt) read(n * everyS);
      const words = ['SET', 'leader:scheduler', T2 ?? '', 'NX', 'PX', '9000'];
      const head: LineSignal = { kind: 'line', at: seconds(n * everyS), db: 0, client: B, words };
      interpreter.interpret({ kind: 'command', head, inner: [], pushes: [] });
    }
    return interpreter.keys.find(0, 'leader:scheduler')?.kind;
  };
  expect(after(T1, 4, 0)).toBe('token-lock');
  expect(after(T1, 6, 4)).toBe('token-lock');
  expect(after(T2, 6, 4)).toBeUndefined(); // the client that retries wrote this value itself
  expect(after(T1, 6, 4, 100)).toBeUndefined(); // with 100 s between its attempts, the client does not wait
});

test('[T9] a script that extends its own value shows the holder that others wait for, but not the beginning of the hold', () => {
  const interpreter = new Interpreter({ source: 'redis' });
  const line = (n: number, client: string | null, words: string[]): LineSignal => {
    return { kind: 'line', at: seconds(n), db: 0, client, words };
  };
  const step = (head: LineSignal, ...inner: LineSignal[]) =>
    interpreter.interpret({ kind: 'command', head, inner, pushes: [] });
  const key = 'leader:scheduler';
  const asks = (n: number) => step(line(n, B, ['SET', key, T2 ?? '', 'NX', 'PX', '9000']));
  const renews = (n: number) =>
    step(
      line(n, A, ['EVAL', 'return …', '1', key, T1 ?? '', '9000']),
      line(n, null, ['get', key]),
      line(n, null, ['pexpire', key, '9000']),
    );
  expect([renews(0), asks(1), renews(3), asks(4), renews(6)].flat()).toEqual([]);
  const events = [asks(7), renews(9), asks(10)].flat();
  expect(interpreter.keys.find(0, key)?.holders.has(T1 ?? '')).toBe(true);
  expect(events.map(({ type }) => type)).not.toContain('lock.acquired');
  expect(events.at(-1)).toMatchObject({ type: 'lock.refused', holder: T2 });
});

test('[T9] a value that is data is offered once a client keeps retrying, but is not shown without a confirmation', () => {
  const interpreter = new Interpreter({ source: 'redis' });
  const says = (n: number, by: string, words: string[]) => {
    const head: LineSignal = { kind: 'line', at: seconds(n), db: 0, client: by, words };
    return interpreter.interpret({ kind: 'command', head, inner: [], pushes: [] });
  };
  const attempt = (by: string) => ['SET', 'order:submit', JSON.stringify({ host: by }), 'PX', '60000', 'NX'];
  expect([says(0, A, attempt(A)), ...[1, 2].map((n) => says(n, B, attempt(B)))].flat()).toEqual([]);
  expect(interpreter.ownLocks.at(seconds(2))).toEqual([]);
  says(3, B, attempt(B));
  expect(interpreter.ownLocks.at(seconds(3)).map(({ name }) => name)).toEqual(['order:submit']);
  says(4, A, ['DEL', 'order:submit']);
  expect(interpreter.keys.find(0, 'order:submit')).toBeUndefined();
});

test('[T9] the user confirms or dismisses all keys with names of one form', () => {
  const interpreter = new Interpreter({ source: 'redis' });
  const says = (n: number, text: string) => {
    const head: LineSignal = { kind: 'line', at: seconds(n), db: 0, client: A, words: text.split(' ') };
    return interpreter.interpret({ kind: 'command', head, inner: [], pushes: [] });
  };
  decideOwnLocks(interpreter, { name: 'lock:order:1', isLock: false });
  says(0, `SET lock:order:2 ${T1} NX PX 60000`);
  expect(says(1, 'DEL lock:order:2')).toEqual([]);
  expect(interpreter.ownLocks.at(seconds(1))).toEqual([]);
  decideOwnLocks(interpreter, { name: 'lock:order:3', isLock: null });
  says(2, `SET lock:order:4 ${T1} NX PX 60000`);
  decideOwnLocks(interpreter, { name: 'lock:order:4', isLock: true });
  const [acquired, released] = says(3, 'DEL lock:order:4');
  expect([acquired?.type, released?.type]).toEqual(['lock.acquired', 'lock.released']);
  expect(acquired).not.toHaveProperty('kindKnown');
  expect(acquired).not.toHaveProperty('evidence');
  decideOwnLocks(interpreter, { name: 'lock:order:4', isLock: false });
  expect(interpreter.keys.find(0, 'lock:order:4')).toBeUndefined();
  expect(says(4, `SET lock:order:5 ${T1} NX`)).toEqual([]);
  expect(interpreter.keys.find(0, 'lock:order:5')).toBeUndefined();
});

test('[T9] a lock that a read found by its name and value can be confirmed or dismissed, too', () => {
  const interpreter = new Interpreter({ source: 'redis', hasCommands: false });
  const finds = (n: number, library: string[], name = `lock:order:${n}`) => {
    const companions = { token: [`${T1}${n}`], library };
    const read = { db: 0, name, type: 'string', fields: {}, pttl: 60_000, hasChanged: false, subscribers: null };
    return interpreter.interpret({ kind: 'bookmark', at: seconds(n), reads: [{ ...read, companions }] });
  };
  expect(finds(1, ['unknown'])).toMatchObject([{ type: 'lock.found', kindKnown: false, evidence: ['name', 'token'] }]);
  decideOwnLocks(interpreter, { name: 'lock:order:1', isLock: false });
  expect(interpreter.keys.find(0, 'lock:order:1')).toBeUndefined();
  expect([...finds(1, ['unknown']), ...finds(2, ['unknown'])]).toEqual([]);
  expect(finds(3, ['redis-py', 'sure'])).toMatchObject([{ type: 'lock.found', library: 'redis-py' }]);
  decideOwnLocks(interpreter, { name: 'lock:order:1', isLock: true });
  const [confirmed] = finds(4, ['unknown']);
  expect(confirmed).toMatchObject({ type: 'lock.found' });
  expect(confirmed).not.toHaveProperty('evidence');
});

test('[T9] a lease that was extended before its key was known as a lock is reported as extended, not as drift', () => {
  const rest = Array.from({ length: 4 }, () => set(B, 'order:7', T2));
  const events = eventsFromScripts([
    set(A, 'order:7', T1),
    command(A, 'PEXPIRE order:7 90000'),
    ...rest,
    command(A, 'DEL order:7'),
  ]);
  expect(events.map(({ type }) => type).slice(0, 2)).toEqual(['lock.acquired', 'lease.renewed']);
  expect(events[1]).toMatchObject({ by: A, at: seconds(0.1), expiresAt: seconds(90.1) });
});

test('[T9] data that SETNX writes under the name of a lock is offered once another client is refused again and again', () => {
  const offered = (name: string) => {
    const interpreter = new Interpreter({ source: 'story' });
    const set = (by: string, value: string) => command(by, `SETNX ${name} {"since":"${value}"}`);
    const sent = [
      set(A, '1'),
      command(A, `EXPIRE ${name} 60`),
      ...['2', '3', '4', '5', '6'].map((value) => set(B, value)),
    ];
    for (const step of stepsAt(sent.map((each, n) => ({ sent: each, atMs: n * 100 })))) interpreter.interpret(step);
    return interpreter.ownLocks.at(seconds(1)).map((own) => own.name);
  };
  expect(offered('redis-promise-lock:report')).toEqual(['redis-promise-lock:report']);
  expect(offered('report')).toEqual([]);
});

test('[T9] a script that compares the token of an attempt and extends the key shows a lock, from its acquisition on', () => {
  const [key, mine, other] = [
    'lease:nightly',
    '8b6ead8e-e546-4f18-a040-2fc000000001',
    '8f92d9c6-e546-4f18-ae70-2fc000000002',
  ];
  const { run, script } = makeTokenStory();
  const renews = (at: number, ...ran: string[]) =>
    script(at, 'a', [key], [mine, '5'], [['get', key], ...ran.map(() => ['expire', key, '5'])]);
  run(0, 'a', ['SET', key, mine, 'NX', 'EX', '5']);
  expect(withCertainty(renews(2, 'expire'))).toEqual(['lock.acquired inferred', 'lease.renewed observed']);
  expect(withCertainty(run(8, 'b', ['SET', key, other, 'NX', 'EX', '5']))).toContain('lease.expired inferred');
  expect(renews(9)).toMatchObject([{ type: 'renewal.refused', holder: mine, reason: 'expired' }]);
});

test('[T9] a script that extends a session with its id does not show a lock', () => {
  const [key, id] = ['session:user:7', '8b6ead8e-e546-4f18-a040-2fc000000001'];
  const { run, script } = makeTokenStory();
  run(0, 'a', ['SET', key, id, 'NX', 'EX', '5']);
  expect(
    script(
      2,
      'a',
      [key],
      [id, '5'],
      [
        ['get', key],
        ['expire', key, '5'],
      ],
    ),
  ).toEqual([]);
});

test('[T9] if the holder replaced its token with a word, the expiry of that word is not the end of a hold', () => {
  const [key, mine] = ['lock:a', '8b6ead8e-e546-4f18-a040-2fc000000001'];
  const { run, read } = makeTokenStory();
  const set = (at: number) => run(at, 'a', ['SET', key, mine, 'NX', 'PX', '60000']);
  set(0);
  read(0.1, key, mine, 59_900);
  run(1, 'a', ['SETEX', key, '1', 'x']);
  run(1.1, 'b', ['SET', 'lock:b', mine, 'NX', 'PX', '60000']);
  read(1.2, key, 'x', 800);
  expect(withCertainty(set(20))).not.toContain('lease.expired inferred');
});
