import { expect, test } from 'vitest';
import { command, eventsAt, eventsFromScripts, type Sent } from '../../testing/stories/script-story.ts';
import { seconds } from '../../testing/stories/story.ts';

const [A, B] = ['10.0.0.1:1', '10.0.0.2:1'];
const [T1, T2] = ['9a88b88fc757db2bec1748f07ddc5602', 'e1ba0eadb7651d518c139d77f19bcbef'];
const called = (by: string, sha: string, keys: string[], args: string[], ...ran: string[]): Sent => ({
  by,
  words: ['evalsha', sha, String(keys.length), ...keys, ...args],
  ran,
});

test('each of the keys that redlock-universal locks in one step has its own token', () => {
  const batch = '514d8d1b08387624661da2a9098d3949b633eb3a';
  const args = [T1, T2, '5000'];
  const asked = ['EXISTS a', 'EXISTS b'];
  const events = eventsFromScripts([
    called(A, batch, ['a', 'b'], args, ...asked, `SET a ${T1} PX 5000`, `SET b ${T2} PX 5000`),
    called(B, batch, ['c', 'b'], args, 'EXISTS c', 'EXISTS b'),
  ]);
  expect(events).toMatchObject([
    { type: 'lock.acquired', lock: 'a', holder: T1, library: 'redlock-universal' },
    { type: 'lock.acquired', lock: 'b', holder: T2 },
    { type: 'lock.refused', lock: 'b' },
  ]);
});

test('a renewal of redlock-universal checks the lease first, and changes nothing if too little is left', () => {
  const renewal = 'c000e088bd4aca36ab429d3b7a16fc736f4cb6f1';
  const release = 'fd83166fb3d7235e3ace652b700c9e217c1adc1f';
  const renew = (by: string, token: string, ...ran: string[]) =>
    called(by, renewal, ['lock:a'], [token, '500', '5000'], 'PTTL lock:a', ...ran);
  const events = eventsFromScripts([
    command(A, `set lock:a ${T1} PX 5000 NX`),
    renew(A, T1, 'GET lock:a', 'PEXPIRE lock:a 5000'),
    renew(A, T1),
    renew(B, T2, 'GET lock:a'),
    called(A, release, ['lock:a'], [T1], 'GET lock:a', 'DEL lock:a'),
  ]);
  expect(events.map(({ type }) => type)).toEqual([
    ...['lock.acquired', 'lease.renewed', 'renewal.refused', 'lock.released'],
  ]);
});

test('[T5] a unique job of Celery is released by a DEL, although another client than the one that set the key sends it', () => {
  const key = 'SINGLETONLOCK_cad160fb6d3c1f953e334dde758caedc';
  const queue = (atMs: number, by: string, job: string) => ({ atMs, sent: command(by, `SET ${key} ${job} NX EX 60`) });
  const events = eventsAt([
    queue(0, A, 'job-1'),
    queue(100, B, 'job-2'),
    { atMs: 200, sent: command(B, `DEL ${key}`) },
    queue(300, A, 'job-3'),
    { atMs: 400, sent: command(B, `DEL ${key}`) },
  ]);
  expect(events.map(({ type }) => type)).toEqual(['lock.acquired', 'lock.released', 'lock.acquired', 'lock.released']);
  expect(events.at(-1)).toMatchObject({ type: 'lock.released', holder: 'job-3', library: 'celery-singleton' });
});

test('[T5] a lock with a lease of an hour or more that no holder ever releases guards a job, which a worker ends with DEL', () => {
  const key = 'activejob_uniqueness:report_job:[1]';
  const keep = (by: string, token: string, leaseMs: number, ...ran: string[]) =>
    called(
      by,
      'ceb2b2062e40c51a2b3963fd078bc71f11bdc65c',
      [key],
      [token, String(leaseMs), 'yes'],
      `exists ${key}`,
      ...ran,
    );
  const queue = (token: string, leaseMs: number) => keep(A, token, leaseMs, `set ${key} ${token} PX ${leaseMs}`);
  const done = command(B, `DEL ${key}`);
  const types = (...sent: Sent[]) => eventsFromScripts(sent).map(({ type }) => type);
  const again = keep(A, T2, 86_400_000, `get ${key}`);
  expect(types(queue(T1, 86_400_000), again, done, queue(T2, 86_400_000), done)).toEqual([
    ...['lock.acquired', 'lock.refused', 'lock.released', 'lock.acquired', 'lock.released'],
  ]);
  // if holders release the lock, if a client waits for it, or if its lease is short, the DEL is a deletion
  const release = called(A, '8e4905cee18e7c3188d10f2b8b170e403baed34f', [key], [T1], `get ${key}`, `del ${key}`);
  expect(types(queue(T1, 86_400_000), release, queue(T2, 86_400_000), done).at(-1)).toBe('lock.deleted');
  expect(types(queue(T1, 86_400_000), again, again, done).at(-1)).toBe('lock.deleted');
  expect(types(queue(T1, 60_000), done).at(-1)).toBe('lock.deleted');
});

test('a compare-and-delete with the text from the Redis documentation does not show a library', () => {
  const documented = '647c65a442733a1aa440f99908d249d13b4d6c4a';
  const release = called(A, documented, ['lock:a'], [T1], 'get lock:a', 'del lock:a');
  const [, event] = eventsFromScripts([command(A, `SET lock:a ${T1} NX PX 5000`), release]);
  expect(event).toMatchObject({ type: 'lock.released', holder: T1 });
  expect(event).not.toHaveProperty('library');
});

test.each([
  ['redislock 0.9', 'cf0e94b2e9ffc7e04395cf88f7583fc309985910'],
  ['redlock-rb', '8e4905cee18e7c3188d10f2b8b170e403baed34f'],
  ['RedLock.net', '18b2a577dbe847b16bebde190d69a1613d68e60e'],
  ['ShedLock', '194f3902b2dd08557818d09fc2e7682d91480e53'],
  ['lock4j', '8346c71009ae4c895ff1757a6743ec825a38b42d'],
  ['rueidislock', '7726c7be95e2a0ed082ec1da1e26b562f5c8903f'],
])('a release by the script of %s does not show the library, because applications write the same text', (_, sha) => {
  const token = 'd14d167a-8471-41a0-a0d1-e858687fe251';
  const sent = [
    command(A, `SET lock:1:a ${token} NX PX 5000`),
    called(A, sha, ['lock:1:a'], [token], 'get lock:1:a', 'del lock:1:a'),
  ];
  const events = eventsFromScripts(sent);
  expect(events.map(({ type }) => type)).toEqual(['lock.acquired', 'lock.released']);
  for (const event of events) expect(event).not.toHaveProperty('library');
});

const K = 'orders:42';
const [W1, W2] = ['RROUZSG1L1CDebcmiwPnQWRKCw1025Bya5B79B24gsY=', 'O3YZO9uG2cy8riv7F5eULtlMGT8ITzri3eo7BJ9qyAo='];
const symfony = (atMs: number, by: string, args: string[], ...ran: string[]) => ({
  atMs,
  sent: { by, words: ['EVAL', `<script ${'e'.repeat(40)}>`, '1', K, ...args], ran: [`TYPE ${K}`, ...ran] },
});
const clock = (atMs: number) => seconds(0) / 1000 + atMs;
const cut = (atMs: number) => ['TIME', `ZREMRANGEBYSCORE ${K} -inf ${clock(atMs)}`];
const save = (atMs: number, by: string, token: string, ...ran: string[]) =>
  symfony(atMs, by, [String(clock(atMs) / 1000), token, '4000'], ...cut(atMs), `ZSCORE ${K} ${token}`, ...ran);
const added = (atMs: number, token: string) => [
  `ZADD ${K} ${clock(atMs) + 4000} ${token}`,
  `ZADD ${K} ${clock(atMs) + 4000} __write__`,
  `ZREVRANGE ${K} 0 0 WITHSCORES`,
  `PEXPIREAT ${K} ${clock(atMs) + 4000}`,
];
const count = `ZCOUNT ${K} -inf +inf`;

test("[T13] a lock of Symfony's store is a permit of its holder, and the mark of a writer beside it is not a permit", () => {
  const refresh = symfony(
    1000,
    A,
    [String(clock(1000) / 1000), W1, '4000'],
    'TIME',
    `ZSCORE ${K} ${W1}`,
    `ZADD ${K} ${clock(1000) + 4000} ${W1}`,
    `ZSCORE ${K} __write__`,
    `ZADD ${K} ${clock(1000) + 4000} __write__`,
    `ZREVRANGE ${K} 0 0 WITHSCORES`,
    `PEXPIREAT ${K} ${clock(1000) + 4000}`,
  );
  const exists = symfony(1500, B, [String(clock(1500) / 1000), W2], ...cut(1500), `ZSCORE ${K} ${W2}`);
  const remove = symfony(2000, A, [W1], `ZSCORE ${K} ${W1}`, `ZREM ${K} ${W1}`, `ZREM ${K} __write__`);
  const events = eventsAt([
    save(0, A, W1, count, ...added(0, W1)),
    save(100, B, W2, count),
    refresh,
    exists,
    remove,
    symfony(2100, A, [W1], `ZSCORE ${K} ${W1}`),
  ]);
  expect(events).toMatchObject([
    { type: 'permits.acquired', lock: K, library: 'symfony', permitIds: [W1], expiresAt: seconds(4) },
    { type: 'permits.refused', by: B },
    { type: 'permits.renewed', permitIds: [W1], expiresAt: seconds(5) },
    { type: 'permits.released', permitIds: [W1], holder: A },
  ]);
});
