import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { RedisError, type Reply, TooLong } from '../connection/reply.ts';
import { inReads, type KeyToRead, readCommands } from './key-reads.ts';
import { movedAway, readsFromReplies } from './read-replies.ts';

const ABILITIES = { canCountListeners: true, isSharded: false };
const KEYS: KeyToRead[] = ['a', 'b'].map((name) => ({ db: 0, name }));

/** The replies of Redis to a read of two locks, each with `left` ms at its own instant (ms). */
function replies(...found: { askedAt: number; left: number }[]): Reply[] {
  const time = (ms: number): Reply => [String(Math.floor(ms / 1000)), String((ms % 1000) * 1000)];
  const values = found.flatMap(({ askedAt, left }): Reply[] => [
    'hash',
    ['uuid:1', '1'],
    time(askedAt),
    left,
    ['channel', 0],
  ]);
  return ['OK', ['OK', ...values, time(found.at(-1)?.askedAt ?? 0), 'mark']];
}

function ttlsOf(at: number, ...found: { askedAt: number; left: number }[]): number[] | undefined {
  return readsFromReplies(KEYS, replies(...found), ABILITIES)
    ?.readsAt(redisTime(at * 1000))
    .map(({ pttl }) => pttl);
}

test('a lease has the TTL that it had at the place of the read in the stream, however long the read took', () => {
  const [early, late] = [
    { askedAt: 10_000, left: 5000 },
    { askedAt: 10_400, left: 5000 },
  ];
  expect(ttlsOf(10_500, early, late)).toEqual([4500, 4900]);
  expect(ttlsOf(10_400, early, late)).toEqual([4600, 5000]);
});

test('a key without a lease still has none, and a lease that ended while other keys were read has a TTL of 0', () => {
  expect(ttlsOf(10_500, { askedAt: 10_000, left: -1 }, { askedAt: 10_000, left: 300 })).toEqual([-1, 0]);
  expect(ttlsOf(10_500, { askedAt: 10_000, left: -2 }, { askedAt: 10_500, left: 0 })).toEqual([-2, 0]);
});

test.each([
  ['a hash', new TooLong(20_000_000)],
  ['a value of a hash', ['uuid:1', new TooLong(20_000_000)]],
])('%s that is too long to keep shows nothing about its key, and the other key is read', (_, fields: Reply) => {
  const found = replies({ askedAt: 10_000, left: 5000 }, { askedAt: 10_000, left: 4000 });
  const results = found[1];
  if (Array.isArray(results)) results[2] = fields;
  const reads = readsFromReplies(KEYS, found, ABILITIES)?.readsAt(redisTime(10_000_000));
  expect(reads?.map(({ name, pttl }) => [name, pttl])).toEqual([['b', 4000]]);
});

test.each([
  ['master', 'slave', 'replica'],
  ['replica', 'master', 'master'],
] as const)(
  'the reply of a server that was a %s and is a %s is ignored: its data may be that of another server',
  (role, now, newRole) => {
    const abilities = { ...ABILITIES, role, showsRole: true };
    expect(readCommands(0, KEYS, 'mark', abilities).at(-4)).toEqual(['INFO', 'replication']);
    const found = (text: string) => {
      const all = replies({ askedAt: 10_000, left: 5000 }, { askedAt: 10_000, left: 4000 });
      const results = all[1];
      if (Array.isArray(results)) results.splice(-2, 0, `# Replication\r\nrole:${text}\r\n`);
      return readsFromReplies(KEYS, all, abilities);
    };
    expect(found(now)).toMatchObject({ newRole });
    expect(found(now)?.readsAt(redisTime(10_000_000))).toEqual([]);
    const same = found(role === 'master' ? 'master' : 'slave');
    expect(same).not.toHaveProperty('newRole');
    expect(same?.readsAt(redisTime(10_000_000))).toHaveLength(2);
  },
);

test('TIME is asked right before each PTTL', () => {
  const words = readCommands(0, KEYS, 'mark', ABILITIES).map(([word]) => word);
  for (const [place, word] of words.entries()) if (word === 'PTTL') expect(words[place - 1]).toBe('TIME');
  expect(words.filter((word) => word === 'PTTL')).toHaveLength(2);
});

test('one read has a limited number of keys, and fewer if their names are long', () => {
  const named = (names: readonly string[]) => names.map((name): KeyToRead => ({ db: 0, name }));
  const many = named(Array.from({ length: 120 }, (_, n) => `lock:${n}`));
  expect(inReads(many).map(({ length }) => length)).toEqual([50, 50, 20]);
  expect(inReads(many).flat()).toEqual(many);
  const huge = 'x'.repeat(1_000_000);
  const some = named(['a', huge, 'b', 'c', huge, huge]);
  expect(inReads(some).map((keys) => keys.map(({ name }) => name.slice(0, 1)).join(''))).toEqual([
    'a',
    'x',
    'bc',
    'x',
    'x',
  ]);
  expect(inReads([])).toEqual([]);
});

test.each([
  ['10.0.0.2:7002', '10.0.0.1', '10.0.0.2:7002'],
  ['two.example:7002', '10.0.0.1', 'two.example:7002'],
  [':7002', '10.0.0.1', '10.0.0.1:7002'],
  ['?:7002', '::1', '[::1]:7002'],
])('MOVED to %s, as a reply of the host %s, names the server %s', (reported, host, expected) => {
  const replies = ['OK', new RedisError(`MOVED 1234 ${reported}`), new RedisError('EXECABORT …')];
  expect(movedAway(KEYS, replies, host)?.map(({ movedTo }) => movedTo)).toEqual([expected, expected]);
  expect(movedAway(KEYS, ['OK', 'QUEUED'], host)).toBeUndefined();
});

test('a key has moved if a master reports it, but not if a replica does', () => {
  const moved = KEYS.map((key) => ({ ...key, movedTo: '10.0.0.2:7002' }));
  const words = readCommands(0, moved, 'mark', ABILITIES).map(([word]) => word);
  expect(words).toEqual(['MULTI', 'SELECT', 'INFO', 'TIME', 'ECHO', 'EXEC']);
  const readsOf = (role: string) => {
    const info = `# Replication\r\nrole:${role}\r\nconnected_slaves:0\r\n`;
    const found = readsFromReplies(moved, ['OK', ['OK', info, ['10', '500000'], 'mark']], ABILITIES);
    expect(found?.at).toBe(10_500_000);
    return found?.readsAt(redisTime(11_000_000)).map(({ name, movedTo }) => [name, movedTo]);
  };
  expect(readsOf('master')).toEqual([
    ['a', '10.0.0.2:7002'],
    ['b', '10.0.0.2:7002'],
  ]);
  expect(readsOf('slave')).toEqual([]);
});
