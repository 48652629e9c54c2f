import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseRedisUrl } from '../../../shared/base/redis-url.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { lacksRights } from '../../../shared/wire/watched.ts';
import { type CommandConnection, openCommandConnection } from '../../redis/connection/command-connection.ts';
import { type LocalRedis, startLocalRedis } from '../../redis/private-server/local-redis.ts';
import { soon } from '../../testing/soon.ts';
import { sharesOf } from '../terms/memory-shares.ts';
import { SourceRunner } from './source-runner.ts';

/* The rights that matter most; `e2e/live/watching/missing-rights.deep.test.ts` has every right at every level. */

const ALL = ['on', '>pw', '~*', '+@read', '+@connection', '+@transaction', '+select', '+time', '+info', '+pubsub'];
const OF_EVENTS = ['+acl|whoami', '+psubscribe', '+subscribe', '+config|get'];
const HOLDER = '8b6ead8e-d89d-4cda-962c-c6e370a8fee0:1';
const LEASE_MS = '600000';

let redis: LocalRedis;
let admin: CommandConnection;
const runners: SourceRunner[] = [];

beforeAll(async () => {
  redis = await startLocalRedis({ args: ['--notify-keyspace-events', 'Eghxe'] });
  admin = openCommandConnection({ url: redis.url });
  await admin.whenReady(60_000);
  for (const lock of ['a:held', 'orders:1']) await hold(lock);
});
afterAll(async () => {
  await Promise.all(runners.map((runner) => runner.stop()));
  admin.close();
  await redis.stop();
});

async function hold(lock: string): Promise<void> {
  await admin.call('HSET', lock, HOLDER, '1');
  await admin.call('PEXPIRE', lock, LEASE_MS);
}

/** Changes the rights of a user. Redis 6.0 has no rules for channels. */
async function setUser(user: string, ...rules: readonly string[]): Promise<void> {
  const set = (words: readonly string[]) => admin.call('ACL', 'SETUSER', user, ...words);
  await set(rules).catch(() => set(rules.filter((rule) => rule !== 'allchannels')));
}

/** Begins to watch as a user with all rights but these. */
async function watch(user: string, lacks: readonly string[], match: readonly string[] = []) {
  await setUser(user, ...ALL, ...OF_EVENTS, 'allchannels', ...lacks);
  const url = parseRedisUrl(redis.url.replace('//', `//${user}:pw@`));
  if (!url.ok) throw new Error(url.error);
  const place = { server: url.value, replicas: [], slots: [] };
  const memory = sharesOf(256 * 1024 * 1024, 1);
  const seen: { source: Source | undefined; events: LockEvent[] } = { source: undefined, events: [] };
  const about = { id: user, shownUrl: url.value.displayUrl, topology: 'single', madeBy: 'a test' } as const;
  const runner = new SourceRunner(
    { ...about, place, level: 'events', hasBudget: true, match, isRecorded: false, memory },
    (message) => {
      if (message.type === 'source') seen.source = message.source;
      if (message.type === 'events') seen.events.push(...message.events);
      if (message.type === 'server') runner.notifications.ready();
    },
  );
  runners.push(runner);
  void runner.run();
  return seen;
}

type Seen = Awaited<ReturnType<typeof watch>>;

function held({ events }: Seen): string[] {
  return events
    .flatMap((event) => (event.type === 'lock.found' || event.type === 'lock.acquired' ? [event.lock] : []))
    .sort();
}

describe('a user without a right at the start', () => {
  test.each([
    ['time', ['-time'], '+time'],
    ['multi', ['-multi'], '+multi'],
    ['exec', ['-exec'], '+exec'],
    ['hlen', ['-hlen'], '+hlen'],
    ['hgetall', ['-hgetall'], '+hgetall'],
    ['keys', ['resetkeys'], '~*'],
  ])('%s: nothing is watched, and the line that grants the right is named', async (name, lacks, rule) => {
    const seen = await watch(`no-${name}`, lacks);
    await soon(() => expect(seen.source).toMatchObject({ status: 'failed', problem: { code: 'not-permitted' } }));
    expect(seen.source?.problem?.values.grant).toBe(`ACL SETUSER no-${name} ${rule}`);
    expect(seen.events).toEqual([]);
  });

  test.each([
    ['scan', ['-scan'], [], '+scan'],
    ['strings', ['-getrange'], ['a:held', 'orders:1'], '+getrange'],
    ['others', ['resetkeys', '~orders:*'], ['orders:1'], '~*'],
  ])('%s: what can be read is shown, and what is hidden is named', async (name, lacks, locks, rule) => {
    const seen = await watch(`no-${name}`, lacks);
    await soon(() => {
      expect(seen.source).toMatchObject({ status: 'observing', missing: { lacksRights: true } });
      expect(seen.source?.missing?.firstScan).toBeUndefined();
      expect(held(seen)).toEqual(locks);
    });
    expect(seen.source?.cannotSee.join(' ')).toContain(`ACL SETUSER no-${name} ${rule}`);
  });

  test('to other keys can watch with --match if it may read the matching names', async () => {
    const rules = ['resetkeys', '~orders:*', '~redisson_lock_*'];
    const seen = await watch('matching', rules, ['orders:*']);
    await soon(() =>
      expect([seen.source?.status, seen.source?.missing, held(seen)]).toEqual(['observing', undefined, ['orders:1']]),
    );
  });
});

test('if a right is revoked and granted again, there is a blind spot with its reason, and then a lock taken meanwhile is found', async () => {
  const seen = await watch('changing', []);
  await soon(() => expect(held(seen)).toEqual(['a:held', 'orders:1']));
  await setUser('changing', '-hgetall');
  await hold('taken:meanwhile');
  await soon(() => expect(seen.source).toMatchObject({ status: 'reconnecting', problem: { code: 'not-permitted' } }));
  const reasons = () => seen.events.flatMap((event) => ('reason' in event ? [`${event.type} ${event.reason}`] : []));
  expect(reasons()).toEqual(['blind-spot.began no-rights']);
  await setUser('changing', '+hgetall');
  await soon(() => expect(held(seen)).toContain('taken:meanwhile'));
  expect(reasons()).toEqual(['blind-spot.began no-rights', 'blind-spot.ended watching-again']);
  expect(seen.source).toMatchObject({ status: 'observing', drift: 0 });
});

// Refused rights are tried again every 5 s, so these two wait side by side.
test.concurrent('a lock whose key is a string keeps its last state while its value may not be read', async () => {
  await admin.call('SET', 'string:lock', '8b6ead8ee54611f18a0402fc00000001', 'NX', 'PX', LEASE_MS);
  const seen = await watch('no-value', []);
  await soon(() => expect(held(seen)).toContain('string:lock'));
  await setUser('no-value', '-getrange');
  await admin.call('PEXPIRE', 'string:lock', LEASE_MS);
  const unread = expect.objectContaining({ name: 'string:lock', reason: 'rights', isKnownLock: true });
  await soon(() => expect(seen.source?.unread?.first).toContainEqual(unread));
  await setUser('no-value', '+getrange');
  await soon(() => expect([seen.source?.unread, seen.source?.missing]).toEqual([undefined, undefined]));
  const ends = seen.events.filter(
    ({ lock, type }) => lock === 'string:lock' && /releas|expired|drift|delet/.test(type),
  );
  expect([seen.source?.drift, ends]).toEqual([0, []]);
});

test.concurrent('a lock that the user may no longer read is marked until the user may read it again', async () => {
  const seen = await watch('marked', []);
  await soon(() => expect(held(seen)).toContain('a:held'));
  await setUser('marked', 'resetkeys', '~orders:*');
  await admin.call('PEXPIRE', 'a:held', LEASE_MS);
  await soon(() => {
    expect(seen.source?.status).toBe('observing');
    expect(seen.source?.unread?.first).toContainEqual(expect.objectContaining({ name: 'a:held', reason: 'rights' }));
  });
  expect(seen.source && lacksRights(seen.source)).toBe(true);
  await setUser('marked', '~*');
  await soon(() => expect([seen.source?.unread, seen.source?.missing]).toEqual([undefined, undefined]));
});
