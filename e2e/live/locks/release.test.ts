import { expect, test } from 'vitest';
import { releaseBody } from '../../../shared/wire/release.ts';
import type { DemoProcess } from '../../support/lockscope/demo-process.ts';
import { startLockscope } from '../../support/lockscope/lockscope.ts';
import { ReleaseBed } from '../../support/release-bed.ts';
import { waitFor } from '../../support/wait-for.ts';

const LOCK = 'orders:release';
const bed = new ReleaseBed(30_000);

const release = (body: object) => bed.lockscope.post(`/api/locks/${LOCK}/release`, { confirm: LOCK, ...body });

const held = (by: DemoProcess, waiting = 0) =>
  waitFor(`a hold of ${by.uuid} and ${waiting} waiters`, async (missing) => {
    const lock = await bed.lockscope.lock(LOCK);
    const isSeen = lock?.holders[0]?.client === by.uuid && lock.waiters.length === waiting;
    const isAsleep = lock?.waiters.every(({ attempts }) => attempts >= 2); // a waiter subscribes after its first attempt
    return isSeen && isAsleep ? lock : missing(JSON.stringify(lock));
  });

test.each(['lock', 'fair-lock', 'write-lock', 'fenced-lock'] as const)(
  'a %s is released, and the message of the release wakes the waiter, which acquires the lock',
  async (kind) => {
    const a = await bed.client('order-svc-1');
    const b = await bed.client('order-svc-2');
    await a.ask({ thread: 1, action: 'lock', lock: LOCK, kind });
    const waiting = b.ask({ thread: 1, action: 'lock', lock: LOCK, kind });
    const { holders } = await held(a, 1);

    const planned = releaseBody.parse((await release({ dryRun: true })).body);
    expect(planned).toMatchObject({ released: false, dryRun: true, holders: [holders[0]?.id], waiting: 1 });
    expect((await bed.lockscope.lock(LOCK))?.holders[0]?.id).toBe(holders[0]?.id);

    const done = releaseBody.parse((await release({ holders: planned.holders })).body);
    expect(done).toMatchObject({ released: true, command: expect.arrayContaining([LOCK]) });
    await waiting;
    await held(b);
    const events = await bed.lockscope.eventsAfter(0, { lock: LOCK });
    expect(events.map(({ type }) => type)).toContain('lock.force-released');
    const taken = events.findLast(({ type }) => type === 'lock.acquired');
    expect(taken).toMatchObject({ holder: `${b.uuid}:1` });
    const reported = events.find(({ type }) => type === 'wakeup.published');
    expect(taken?.because).toContain(reported?.seq);
    const [source] = (await bed.lockscope.health()).sources;
    expect(source).toMatchObject({ drift: 0, rejected: 0 });
  },
);

test('a spin lock is released without a message', async () => {
  const a = await bed.client('order-svc-1');
  await a.ask({ thread: 1, action: 'lock', lock: LOCK, kind: 'spin-lock' });
  await a.ask({ thread: 1, action: 'unlock', lock: LOCK, kind: 'spin-lock' }); // shows the kind of the lock
  await a.ask({ thread: 1, action: 'lock', lock: LOCK, kind: 'spin-lock' });
  // while the first hold lasted, its kind was not known yet
  const { holders } = await waitFor('the second hold', async (missing) => {
    const lock = await bed.lockscope.lock(LOCK);
    return lock?.held && lock.kind === 'spin-lock' ? lock : missing(JSON.stringify(lock));
  });
  const done = await release({ holders: holders.map(({ id }) => id) });
  expect(done).toMatchObject({ status: 200, body: { released: true, channel: null } });
  await forcedEvent('spin-lock', holders[0]?.id);
});

test('two readers are released together', async () => {
  const [a, b] = [await bed.client('order-svc-1'), await bed.client('order-svc-2')];
  for (const reader of [a, b]) await reader.ask({ thread: 1, action: 'lock', lock: LOCK, kind: 'read-lock' });
  const ids = await waitFor('both holds', async (missing) => {
    const known = (await bed.lockscope.lock(LOCK))?.holders.map(({ id }) => id) ?? [];
    return known.length === 2 ? known : missing(known.join());
  });
  expect(await release({ holders: ids.slice(0, 1) })).toMatchObject({ status: 409 });
  expect(await release({ holders: [ids[0], ids[0]] })).toMatchObject({ status: 409 });
  expect(await release({ holders: ids })).toMatchObject({ status: 200, body: { released: true } });
  await forcedEvent('read-write-lock', ids[0]);
});

test('the forced release of a lock of redis-py is reported as lock.force-released', async () => {
  const token = '8b6ead8ee54611f18a0402fc00000001';
  const free = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";
  const take = () => bed.redis.command('SET', LOCK, token, 'NX', 'PX', '60000');
  await take();
  await bed.redis.command('EVAL', free, '1', LOCK, token); // shows that the key is a lock
  await take();
  const lock = await waitFor('the hold', async (missing) => {
    const now = await bed.lockscope.lock(LOCK);
    return now?.held && now.library === 'redis-py' ? now : missing(JSON.stringify(now));
  });
  const done = await release({ holders: lock.holders.map(({ id }) => id) });
  expect(done).toMatchObject({ status: 200, body: { released: true, channel: null } });
  expect(await bed.redis.command('EXISTS', LOCK)).toBe(0);
  await forcedEvent('token-lock', token);
});

/** Waits for the event of a release by force. */
async function forcedEvent(kind: string, holder: string | undefined) {
  await waitFor('the event', async (missing) => {
    const events = await bed.lockscope.eventsAfter(0, { lock: LOCK });
    const isForced = events.some((event) => {
      return event.type === 'lock.force-released' && event.kind === kind && event.holder === holder;
    });
    return isForced || missing(JSON.stringify(events));
  });
}

test('a release that names an earlier holder does not release the lock of a new holder', async () => {
  const a = await bed.client('order-svc-1');
  const b = await bed.client('order-svc-2');
  await a.ask({ thread: 1, action: 'lock', lock: LOCK });
  const { holders } = await held(a);
  await a.ask({ thread: 1, action: 'unlock', lock: LOCK });
  await b.ask({ thread: 1, action: 'lock', lock: LOCK });
  await held(b);
  const refused = await release({ holders: holders.map(({ id }) => id) });
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'release-changed' } } });
  expect(await bed.redis.command('HEXISTS', LOCK, `${b.uuid}:1`)).toBe(1);
});

test('a holder that released and acquired again after the dry run keeps its lock', async () => {
  const a = await bed.client('order-svc-1');
  await a.ask({ thread: 1, action: 'lock', lock: LOCK });
  const { holders } = await held(a);
  const { holders: ids, since } = releaseBody.parse((await release({ dryRun: true })).body);
  expect(since).toEqual([holders[0]?.since]);
  await a.ask({ thread: 1, action: 'unlock', lock: LOCK });
  await a.ask({ thread: 1, action: 'lock', lock: LOCK });
  await waitFor('the second hold', async () => {
    const now = (await bed.lockscope.lock(LOCK))?.holders[0]?.since;
    return now !== undefined && now !== since[0];
  });
  const refused = await release({ holders: ids, since });
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'release-changed', field: 'since' } } });
  expect(await bed.redis.command('HEXISTS', LOCK, `${a.uuid}:1`)).toBe(1);
});

test('a release is refused if the name is not confirmed, the lock is free, or its kind cannot be released safely', async () => {
  expect(await release({ confirm: 'another', dryRun: true })).toMatchObject({
    status: 400,
    body: { error: { field: 'confirm' } },
  });
  expect((await release({ dryRun: true })).status).toBe(404);
  const a = await bed.client('order-svc-1');
  await a.ask({ thread: 1, action: 'trySetPermits', lock: LOCK, kind: 'semaphore', permits: 2 });
  await a.ask({ thread: 1, action: 'acquire', lock: LOCK, kind: 'semaphore' });
  await waitFor('the semaphore', async () => (await bed.lockscope.lock(LOCK)) !== undefined);
  expect(await release({ dryRun: true })).toMatchObject({ status: 409, body: { error: { code: 'release-unsafe' } } });
});

test('without --allow-release nothing is written, so a user without write commands has enough rights', async () => {
  await bed.lockscope.stop();
  await bed.redis.command('ACL', 'SETUSER', 'reader', 'on', '>secret', '~*', '&*', '+@all', '-@write', '-@scripting');
  bed.lockscope = await startLockscope(bed.redis.url.replace('redis://', 'redis://reader:secret@'), [
    '--observe',
    'monitor',
  ]);
  const a = await bed.client('order-svc-1');
  await a.ask({ thread: 1, action: 'lock', lock: LOCK });
  await held(a);
  expect(await release({})).toMatchObject({ status: 403, body: { error: { code: 'release-not-allowed' } } });
  await a.ask({ thread: 1, action: 'unlock', lock: LOCK });
  await waitFor('the release', async () => (await bed.lockscope.lock(LOCK))?.held === false);
  expect(await bed.redis.command('ACL', 'LOG')).toEqual([]);
});
