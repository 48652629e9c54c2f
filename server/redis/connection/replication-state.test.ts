import { describe, expect, test } from 'vitest';
import { mayEvictFromInfo, placeFromInfo, refusalOf } from './replication-state.ts';
import { RedisError, type Reply } from './reply.ts';

const HISTORY = 'd04bd1d923ccdd0fe0b8eb609a31f7171b1e8275';
const INFO = [
  ...['role:master', 'connected_slaves:1', 'slave0:ip=127.0.0.1,port=7802,state=online,offset=40,lag=0'],
  ...[
    `master_replid:${HISTORY}`,
    'master_repl_offset:1706',
    'repl_backlog_active:1',
    'repl_backlog_first_byte_offset:1',
  ],
].join('\r\n');

function refusal({
  info = INFO,
  commands = 'cmdstat_get:calls=5,usec=1',
  sentinels = ['__sentinel__:hello', 0],
  role = 'master',
  isCluster = false,
}: {
  info?: Reply;
  commands?: Reply;
  sentinels?: Reply;
  role?: 'master' | 'replica';
  isCluster?: boolean;
}) {
  return refusalOf(async () => [info, commands, sentinels], { role, isCluster });
}

test('a master with a replica and a backlog, whose clients do not wait, may be read', async () => {
  expect(await refusal({})).toBeUndefined();
  expect(placeFromInfo(INFO)).toEqual({ history: HISTORY, offset: 1706, oldest: 1 });
});

describe('a replication stream must not be read', () => {
  const without = (text: string, by = '') => ({ info: INFO.replace(text, by) });
  test.each([
    ['replica', { role: 'replica' }],
    ['cluster', { isCluster: true }],
    ['no-info', { info: new RedisError('NOPERM') }],
    ['no-info', { commands: new RedisError('NOPERM') }],
    ['info-missing', { info: new RedisError("ERR unknown command 'INFO', with args beginning with: 'replication' ") }],
    ['no-backlog', without('repl_backlog_active:1', 'repl_backlog_active:0')],
    ['no-backlog', without(HISTORY, '?')],
    ['no-backlog', without('master_repl_offset:1706', 'master_repl_offset:x')],
    ['no-replica', without('state=online', 'state=wait_bgsave')],
    ['min-replicas', { info: `${INFO}\r\nmin_slaves_good_slaves:1` }],
    ['waits', { commands: 'cmdstat_get:calls=5\r\ncmdstat_wait:calls=1,usec=2' }],
    ['waits', { commands: 'cmdstat_waitaof:calls=12' }],
    ['sentinel', { sentinels: ['__sentinel__:hello', 3] }],
    ['no-pubsub', { sentinels: new RedisError('NOPERM') }],
    ['pubsub-missing', { sentinels: new RedisError("ERR unknown command 'PUBSUB', with args beginning with: ") }],
  ] as const)('for the reason %s: %j', async (why, given) => {
    expect(await refusal(given as Parameters<typeof refusal>[0])).toBe(why);
  });
});

test('a server may evict keys if it has a limit of memory and an eviction policy, or if INFO is refused', () => {
  expect(mayEvictFromInfo('maxmemory:0\r\nmaxmemory_policy:allkeys-lru')).toBe(false);
  expect(mayEvictFromInfo('maxmemory:1000\r\nmaxmemory_policy:noeviction')).toBe(false);
  expect(mayEvictFromInfo('maxmemory:1000\r\nmaxmemory_policy:volatile-ttl')).toBe(true);
  expect(mayEvictFromInfo(new RedisError('NOPERM'))).toBe(true);
});
