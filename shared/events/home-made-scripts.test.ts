import { expect, test } from 'vitest';
import { eventsAt, eventsFromScripts, script } from '../../testing/stories/script-story.ts';
import { holderOf, reported } from '../../testing/stories/story.ts';

const [A, B] = [holderOf('A'), holderOf('B')];
const acquired = script('a', 'a', `30000 ${A}`, 'exists a', `hincrby a ${A} 1`, 'pexpire a 30000');

test.each(['unlink a', `hdel a ${A}`])('[L1] an own script that ends its hold with `%s` releases the lock', (last) => {
  const release = script('a', 'a', A, `hexists a ${A}`, `hincrby a ${A} -1`, last);
  expect(eventsFromScripts([acquired, release]).slice(1)).toMatchObject([{ type: 'lock.released', holder: A }]);
});

test('an own script with the holder as its first argument is not a renewal', () => {
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

test('the scripts of sidekiq-unique-jobs are no locks: one process takes a job, and another one removes it', () => {
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

test('[L1] a script with the commands of Redisson and its arguments in another order is refused with its holder', () => {
  const attempt = script('a', 'a', A, 'exists a', `hincrby a ${A} 1`, 'pexpire a 60000');
  const refused = script('b', 'a', B, 'exists a', `hexists a ${B}`, 'pttl a');
  expect(eventsFromScripts([attempt, refused])).toMatchObject([
    { type: 'lock.acquired', holder: A, leaseMs: 60_000 },
    { type: 'lock.refused', holder: B },
  ]);
});

test('[T1] a writer that first asks whether there are readers holds the lock of a token', () => {
  const [key, readers, token] = ['doc.writer', 'doc.readers', 'WEB01_4711_5f1b2c1e8d5c4b0e9d0d2f6f0d6b7c1a'];
  const ask = (...ran: string[]) => script('a:1', `${key} ${readers}`, `${token} 30000`, ...ran);
  const taken = ask(`get ${key}`, `scard ${readers}`, `set ${key} ${token} px 30000`);
  const refused = ask(`get ${key}`, `scard ${readers}`);
  const release = script('a:1', key, token, `get ${key}`, `del ${key}`);
  // the first release shows that the key is a lock
  expect(reported(eventsFromScripts([taken, release, taken, release, refused])).slice(1)).toMatchObject([
    expect.stringContaining('lock.acquired'),
    expect.stringContaining('lock.released'),
    expect.stringMatching(/renewal.refused|lock.refused/),
  ]);
});
