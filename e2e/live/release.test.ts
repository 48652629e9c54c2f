import { expect, test } from 'vitest';
import { releaseBody } from '../../shared/wire/release.ts';
import type { DemoProcess } from '../support/clients/demo-process.ts';
import { startLockscope } from '../support/clients/lockscope.ts';
import { ReleaseBed } from '../support/release-bed.ts';
import { waitFor } from '../support/wait-for.ts';

const LOCK = 'orders:release';
const bed = new ReleaseBed(30_000);

const release = (body: object) => bed.lockscope.post(`/api/locks/${LOCK}/release`, { confirm: LOCK, ...body });

const held = (by: DemoProcess, waiting = 0) =>
  waitFor(`a hold of ${by.uuid} and ${waiting} waiters`, async (missing) => {
    const lock = await bed.lockscope.lock(LOCK);
    const isSeen = lock?.holders[0]?.client === by.uuid && lock.waiters.length === waiting;
    const isAsleep = lock?.waiters.every(({ attempts }) => attempts >= 2); // a waiter subscribes between the two
    return isSeen && isAsleep ? lock : missing(JSON.stringify(lock));
  });

test.each(['lock', 'fair-lock', 'write-lock', 'fenced-lock'] as const)(
  'a %s is released as Redisson does it, and the waiter has it at once',
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
    const told = events.find(({ type }) => type === 'wakeup.published');
    expect(taken?.because).toContain(told?.seq);
    const [source] = (await bed.lockscope.health()).sources;
    expect(source).toMatchObject({ drift: 0, rejected: 0 });
  },
);

test('a new holder is never hit', async () => {
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

test('a holder that released and acquired again after the dry run is not hit', async () => {
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

test('the name must be confirmed, the lock held, and its kind safe', async () => {
  expect(await release({ confirm: 'another' })).toMatchObject({ status: 400, body: { error: { field: 'confirm' } } });
  expect((await release({})).status).toBe(404);
  const a = await bed.client('order-svc-1');
  await a.ask({ thread: 1, action: 'trySetPermits', lock: LOCK, kind: 'semaphore', permits: 2 });
  await a.ask({ thread: 1, action: 'acquire', lock: LOCK, kind: 'semaphore' });
  await waitFor('the semaphore', async () => (await bed.lockscope.lock(LOCK)) !== undefined);
  expect(await release({})).toMatchObject({ status: 409, body: { error: { code: 'release-unsafe' } } });
});

test('without the flag nothing is written: a user without write commands is enough', async () => {
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
