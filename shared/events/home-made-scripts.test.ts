import { describe, expect, test } from 'vitest';
import { eventsAt, eventsFromScripts, type Sent, script } from '../../testing/stories/script-story.ts';
import { holderOf, reported, seconds } from '../../testing/stories/story.ts';
import { makeTokenStory } from '../../testing/stories/token-story.ts';

const [A, B] = [holderOf('A'), holderOf('B')];
const acquired = script('a', 'a', `30000 ${A}`, 'exists a', `hincrby a ${A} 1`, 'pexpire a 30000');

test.each(['unlink a', `hdel a ${A}`])(
  '[L1] an application’s own script that ends its hold with `%s` releases the lock',
  (last) => {
    const release = script('a', 'a', A, `hexists a ${A}`, `hincrby a ${A} -1`, last);
    expect(eventsFromScripts([acquired, release]).slice(1)).toMatchObject([{ type: 'lock.released', holder: A }]);
  },
);

test("[L1] a function of Redis that uses a hash of holders is an application's own lock, and not a spin lock", () => {
  const asFunction = (sent: Sent): Sent => ({ ...sent, words: sent.words.with(0, 'FCALL').with(1, 'lock_orders') });
  const sent = [
    acquired,
    script('b', 'a', `30000 ${B}`, 'exists a', `hexists a ${B}`, 'pttl a'),
    script('a', 'a', `30000 ${A}`, `hexists a ${A}`, `hincrby a ${A} -1`, 'del a'),
    script('b', 'a', `30000 ${B}`, 'exists a', `hincrby a ${B} 1`, 'pexpire a 30000'),
  ].map(asFunction);
  expect(eventsFromScripts(sent)).toMatchObject([
    { type: 'lock.acquired', holder: A, library: 'unknown', kind: 'lock' },
    { type: 'lock.refused', holder: B, reason: 'held', kind: 'lock' },
    { type: 'lock.released', holder: A, kind: 'lock' },
    { type: 'lock.acquired', holder: B, library: 'unknown', kind: 'lock' },
  ]);
});

test('an application’s own script with the holder as its first argument is not a renewal', () => {
  expect(eventsFromScripts([acquired, script('b', 'a', `${B} 30`, `hexists a ${B}`)]).slice(1)).toEqual([]);
});

test('[T3] a refused release of python-redis-lock is not a renewal', () => {
  const [key, signal, token] = ['lock:report', 'lock-signal:report', 'Zk3vQ9xY2mN8pL4tR7wB1cD5'];
  const held = script('a', key, `${token} 60000`, `exists ${key}`, `set ${key} ${token} PX 60000`);
  const compared = script('a', `${key} ${signal}`, `${token} 1000`, `get ${key}`);
  const gone = { sent: { by: 'ops', words: ['DEL', key] }, atMs: 1000 };
  const other = { sent: script('a', key, `${token} 5000`, `get ${key}`), atMs: 4000 };
  const events = eventsAt([{ sent: held, atMs: 0 }, gone, { sent: compared, atMs: 2000 }, other]);
  expect(reported(events).slice(-2)).toMatchObject([
    expect.stringContaining('unlock.refused'),
    expect.stringMatching(/renewal.refused .*\(inferred\)/),
  ]);
});

test('[T16] scripts without the key `uniquejobs:digests` are not locks of sidekiq-unique-jobs', () => {
  const [digest, locked] = [
    'uniquejobs:1f33e9f16af67a7ab54c6b94e6daf48d',
    'uniquejobs:1f33e9f16af67a7ab54c6b94e6daf48d:LOCKED',
  ];
  const round = (job: string) => [
    script(
      'web',
      `${digest} ${locked}`,
      `${job} 5000`,
      `HEXISTS ${locked} ${job}`,
      `SET ${digest} ${job} NX`,
      `PEXPIRE ${digest} 5000`,
    ),
    script(
      'other',
      `${digest} ${locked}`,
      'x 5000',
      `HEXISTS ${locked} x`,
      `SET ${digest} x NX`,
      `GET ${digest}`,
      `HLEN ${locked}`,
    ),
    script(
      'web',
      `${digest} ${locked}`,
      `${job} 5000`,
      `HEXISTS ${locked} ${job}`,
      `HLEN ${locked}`,
      `HSET ${locked} ${job} 1795861792.1`,
    ),
    script(
      'worker',
      `${digest} ${locked}`,
      job,
      `HEXISTS ${locked} ${job}`,
      `HDEL ${locked} ${job}`,
      `UNLINK ${digest} ${locked}`,
    ),
  ];
  const jobs = ['374927423acd4f2af0769a26', 'b1a05a709589d4e8a82edb39', '821c65ed15744973939f667a'];
  expect(eventsFromScripts(jobs.flatMap(round))).toEqual([]);
});

test('[L1] a refusal by a script with Redisson’s commands and another order of arguments shows the holder', () => {
  const attempt = script('a', 'a', A, 'exists a', `hincrby a ${A} 1`, 'pexpire a 60000');
  const refused = script('b', 'a', B, 'exists a', `hexists a ${B}`, 'pttl a');
  expect(eventsFromScripts([attempt, refused])).toMatchObject([
    { type: 'lock.acquired', holder: A, leaseMs: 60_000 },
    { type: 'lock.refused', holder: B },
  ]);
});

test('[T1] a script that checks for readers and then sets a token acquires the lock', () => {
  const [key, readers, token] = ['doc.writer', 'doc.readers', 'WEB01_4711_5f1b2c1e8d5c4b0e9d0d2f6f0d6b7c1a'];
  const ask = (...ran: string[]) => script('a:1', `${key} ${readers}`, `${token} 30000`, ...ran);
  const taken = ask(`get ${key}`, `scard ${readers}`, `set ${key} ${token} px 30000`);
  const refused = ask(`get ${key}`, `scard ${readers}`);
  const release = script('a:1', key, token, `get ${key}`, `del ${key}`);
  // the first release shows that the key is a lock
  const hold = [expect.stringContaining('lock.acquired'), expect.stringContaining('lock.released')];
  expect(reported(eventsFromScripts([taken, release, taken, release, refused]))).toMatchObject([
    ...[...hold, ...hold],
    expect.stringMatching(/renewal.refused|lock.refused/),
  ]);
});

test('[T3] a client with one token for all its holds that attempts again while another client holds the lock is refused, and renews nothing', () => {
  const [key, one, other] = [
    'rq:scheduler-lock:default',
    'c8d57d31db6145a484d6a940bd1d6e5f',
    '0d2c5a1ae6f14a63a2b1b6a2f5e5d111',
  ];
  const asks = (by: string, token: string, ...ran: string[]) => script(by, key, `${token} 61`, `GET ${key}`, ...ran);
  const takes = (by: string, token: string) => asks(by, token, `SET ${key} ${token} EX 61`);
  const releases = (by: string, token: string) => {
    const { words, ...sent } = script(by, key, token, `GET ${key}`, `DEL ${key}`);
    return { ...sent, words: words.with(1, 'e'.repeat(40)) };
  };
  const rounds = [takes('a:1', one), releases('a:1', one), takes('b:1', other), asks('a:1', one), asks('a:1', one)];
  expect(reported(eventsFromScripts(rounds)).map((event) => event.split(' ')[0])).toEqual([
    ...['lock.acquired', 'lock.released', 'lock.acquired', 'lock.refused', 'lock.refused'],
  ]);
  const late = asks('a:1', one);
  const unheld = [takes('a:1', one), releases('a:1', one), late];
  expect(eventsFromScripts(unheld).at(-1)).toMatchObject({ type: 'renewal.refused', holder: one });
});

test('[T3] a script that sets a free key is refused while another client holds the lock, and is not a renewal then', () => {
  const [key, one, other] = ['stock:17', 'b2eda4edf1094948', '9f04c1d2a8e7b365'];
  const asks = (by: string, token: string) =>
    script(by, key, `${token} 8500`, `GET ${key}`, `SET ${key} ${token} NX PX 8500`);
  const releases = (by: string, token: string) => script(by, key, token, `GET ${key}`, `DEL ${key}`);
  const events = eventsFromScripts([
    ...[asks('a:1', one), releases('a:1', one), asks('b:1', other), releases('b:1', other), asks('a:1', one)],
    ...[releases('a:1', one), asks('b:1', other), asks('a:1', one)],
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'lock.refused', holder: one });
});

test("[T1] a slot of Laravel's funnel is a lock: the script takes the first free one of its keys", () => {
  const [slots, id, next] = ['imports1 imports2', '80bfa96c5c7177ad3ab0', '0b4dc49eab82fd7511fc'];
  const asks = (by: string, token: string, ...ran: string[]) =>
    script(by, slots, `imports 8 ${token}`, `mget ${slots}`, ...ran);
  const events = eventsFromScripts([
    asks('a:1', id, `set imports1 ${id} EX 8`),
    asks('b:1', next, `set imports2 ${next} EX 8`),
    asks('c:1', 'd0e1f2a3b4c5d6e7f809'),
    script('a:1', 'imports1', id, 'get imports1', 'del imports1'),
  ]);
  expect(events.map(({ type, lock }) => `${type} ${lock}`)).toEqual([
    ...['lock.acquired imports1', 'lock.acquired imports2', 'lock.refused imports1', 'lock.released imports1'],
  ]);
  expect(events[0]).toMatchObject({ holder: id, leaseMs: 8000 });
});

test('a job of Bull 4 is locked by a script whose first command removes it from the stalled jobs', () => {
  const [lock, token] = ['bull:mail:1:lock', 'b8c9ef2c-7c3e-4dc1-ab78-4b476ab9b94f'];
  const taken = script(
    'a:1',
    'bull:mail:stalled bull:mail:priority bull:mail:active',
    `bull:mail: ${token} 30000 1`,
    ...['SREM bull:mail:stalled 1', `SET ${lock} ${token} PX 30000`, 'ZREM bull:mail:priority 1'],
  );
  expect(eventsFromScripts([taken])).toMatchObject([
    { type: 'lock.acquired', lock, holder: token, library: 'bullmq', leaseMs: 30_000 },
  ]);
});

test('[T3] if a script sets the lease after its SET, that lease belongs to the attempt, and a script with PTTL before the comparison renews', () => {
  const [K, D] = ['report:lock', 'report:data'];
  const [T, U] = ['web1_1234_8b6ead8ee54611f18a0402fc00000001', 'web2_99_8b6ead8ee54611f18a0402fc00000002'];
  const ask = (by: string, token: string, ...ran: string[]) =>
    script(by, `${K} ${D}`, `${token} 3000`, `get ${D}`, `get ${K}`, ...ran);
  const events = eventsFromScripts([
    ask('a', T, `set ${K} ${T}`, `pexpire ${K} 3000`),
    ask('b', U),
    script('a', `${K} wake`, `${T} 3000`, `pttl ${K}`, `get ${K}`, `pexpire ${K} 3000`, `publish wake alive${T}`),
    script('a', `${K} wake`, T, `get ${K}`, `del ${K}`, `publish wake done`),
  ]);
  expect(events.filter(({ type }) => type !== 'wakeup.published')).toMatchObject([
    { type: 'lock.acquired', holder: T, leaseMs: 3000 },
    { type: 'lock.refused', holder: U },
    { type: 'lease.renewed', holder: T, cause: 'watchdog', leaseMs: 3000 },
    { type: 'lock.released', holder: T },
  ]);
});

describe('a lock whose value is JSON that its script made', () => {
  const [mine, other] = ['8b6ead8e-e546-4f18-a040-2fc000000001', '8f92d9c6-e546-4f18-ae70-2fc000000002'];
  const json = (owner: string, n: number) => `{"owner":"${owner}","n":${n}}`;
  const story = () => {
    const { run, script: ran, read } = makeTokenStory();
    run(-60, 'other', ['PING']); // a hold of 9 s from before would have been seen
    const call = (at: number, by: string, token: string, ...inner: string[][]) =>
      ran(at, by, ['lock:a'], [token, '9000'], [['get', 'lock:a'], ...inner]);
    return { run, call, read };
  };
  const set = (owner: string, n: number, ...end: string[]) => ['set', 'lock:a', json(owner, n), ...end];

  test('[T9] a lock whose value is JSON is held by the word in it, even if its count changes', () => {
    const { call, read } = story();
    expect(call(0, 'a', mine, set(mine, 1, 'px', '9000'))).toMatchObject([{ type: 'lock.acquired', holder: mine }]);
    expect(read(0.1, 'lock:a', json(mine, 1), 8900)).toEqual([]);
    expect(call(1, 'b', other)).toMatchObject([{ type: 'lock.refused', holder: other }]);
    expect(call(2, 'a', mine, set(mine, 2, 'px', '9000'))).toMatchObject([{ type: 'lease.renewed', holder: mine }]);
    expect(call(3, 'a', mine, set(mine, 1, 'keepttl'))).toEqual([]);
    expect(read(3.1, 'lock:a', json(mine, 1), 7900)).toEqual([]);
    expect(call(4, 'a', mine, ['del', 'lock:a'])).toMatchObject([{ type: 'lock.released', holder: mine }]);
    expect(call(5, 'b', other, set(other, 1, 'px', '9000'))).toMatchObject([{ type: 'lock.acquired', holder: other }]);
    expect(call(6, 'a', mine)).toMatchObject([{ type: 'unlock.refused', holder: mine, reason: 'not-owner' }]);
  });

  test('[T9] a lock whose value is JSON is held by the word in it, even if a longer word before it starts with the same letters', () => {
    const { call } = story();
    const value = `{"id":"${mine}-1","owner":"${mine}"}`;
    expect(call(0, 'a', mine, ['set', 'lock:a', value, 'px', '9000'])).toMatchObject([
      { type: 'lock.acquired', holder: mine },
    ]);
  });

  test('[T2] a lock whose value is JSON is acquired by a SET NX, and released by a script that compares a part of it', () => {
    const { script: ran, read } = makeTokenStory((name) => name === 'lock:a');
    const attempt = (at: number, by: string, token: string) =>
      ran(at, by, ['lock:a'], [token, '9000'], [['set', 'lock:a', json(token, 1), 'NX', 'PX', '9000']]);
    expect([attempt(0, 'a', mine), attempt(0.5, 'b', other)].flat()).toEqual([]);
    expect(read(0.6, 'lock:a', json(mine, 1), 8400)).toMatchObject([
      { type: 'lock.acquired', holder: json(mine, 1), by: 'a' },
      { type: 'lock.refused', holder: json(other, 1), by: 'b' },
    ]);
    const released = ran(
      1,
      'a',
      ['lock:a'],
      [mine],
      [
        ['get', 'lock:a'],
        ['del', 'lock:a'],
      ],
    );
    expect(released).toMatchObject([{ type: 'lock.released', holder: json(mine, 1) }]);
  });

  test('[T9] a lock whose value is JSON is found, not acquired, if its script keeps the end of a hold from before watching', () => {
    const { call, read } = story();
    expect(call(0, 'a', mine, set(mine, 1, 'keepttl'))).toEqual([]);
    expect(read(0.1, 'lock:a', json(mine, 1), 5000)).toMatchObject([
      { type: 'lock.found', holders: [{ holder: mine }], expiresAt: seconds(5.1) },
    ]);
  });

  test('[T1] a value of JSON shows no lock if its script was not called with a part of it, or if the key has another name', () => {
    const { call } = story();
    expect(call(0, 'a', mine, set('web-1', 1, 'px', '9000'))).toEqual([]);
    const page = script('a', 'page:7', `${mine} 60`, 'get page:7', `set page:7 {"by":"${mine}"} EX 60`);
    expect(eventsFromScripts([page, { ...page, by: 'b' }])).toEqual([]);
  });
});

describe('an application’s own script that deletes a key without reading its token', () => {
  const [mine, other] = ['8b6ead8e-e546-4f18-a040-2fc000000001', '8f92d9c6-e546-4f18-ae70-2fc000000002'];
  const story = () => {
    const { run, script: ran, list, read } = makeTokenStory();
    list(0); // every connection has a host of its own
    const deletes = (at: number, by: string, token: string) =>
      ran(
        at,
        by,
        ['lock:o'],
        [token],
        [
          ['exists', 'lock:o'],
          ['del', 'lock:o'],
        ],
      );
    return {
      run,
      read,
      deletes,
      set: (at: number) => run(at, '10.0.0.1:1', ['SET', 'lock:o', mine, 'NX', 'PX', '9000']),
    };
  };

  test('[T5] deletes the hold of another token, and is not the release of its own', () => {
    const { set, read, deletes } = story();
    const events = [set(0), read(0.1, 'lock:o', mine, 8900), deletes(1, '10.0.0.2:1', other)].flat();
    expect(events.find(({ type }) => type === 'lock.acquired')).toMatchObject({ holder: mine });
    expect(events.at(-1)).toMatchObject({ type: 'lock.deleted', holder: mine, by: '10.0.0.2:1' });
    expect(events.filter(({ type }) => type === 'lock.released')).toEqual([]);
  });

  test('[T5] releases the lock if its token is the holder’s', () => {
    const { set, read, deletes } = story();
    const events = [set(0), read(0.1, 'lock:o', mine, 8900), deletes(1, '10.0.0.2:1', mine)].flat();
    expect(events.at(-1)).toMatchObject({ type: 'lock.released', holder: mine });
  });

  test('[T1] shows no hold of its token if the key is not known as a lock', () => {
    expect(story().deletes(1, '10.0.0.2:1', other)).toEqual([]);
  });
});
