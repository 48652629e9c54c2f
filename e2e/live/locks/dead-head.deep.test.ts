import { expect, test } from 'vitest';
import { deadHeadBody } from '../../../shared/wire/release.ts';
import { startLockscope } from '../../support/lockscope/lockscope.ts';
import { ReleaseBed } from '../../support/release-bed.ts';
import { waitFor } from '../../support/wait-for.ts';

const LOCK = 'orders:dead-head';
const QUEUE = `redisson_lock_queue:{${LOCK}}`;
const DEADLINES = `redisson_lock_timeout:{${LOCK}}`;
/** Longer than the test: unless the dead head is removed, no client can acquire the lock. */
const QUEUE_MS = 300_000;
const bed = new ReleaseBed(1_800_000);

const order = { thread: 1, lock: LOCK, kind: 'fair-lock', queueMs: QUEUE_MS } as const;
const remove = (body: object) => bed.lockscope.post(`/api/locks/${LOCK}/dead-head`, { confirm: LOCK, ...body });

const queued = (...ids: string[]) =>
  waitFor(`the queue ${ids}`, async (missing) => {
    const lock = await bed.lockscope.lock(LOCK);
    const known = lock?.waiters.filter(({ position }) => position !== null).map(({ id }) => id) ?? [];
    return known.join() === ids.join() ? true : missing(known.join());
  });

/** Waits until A holds the lock, and B and C are in its queue. */
async function untilThreeThreadsUseLock() {
  const [a, b, c] = [await bed.client('order-1'), await bed.client('order-2'), await bed.client('order-3')];
  await a.ask({ ...order, action: 'lock' });
  void b.ask({ ...order, action: 'lock' });
  await queued(`${b.uuid}:1`);
  const waiting = c.ask({ ...order, action: 'lock' });
  await queued(`${b.uuid}:1`, `${c.uuid}:1`);
  // only a client that was seen in CLIENT LIST can be known to be gone
  await waitFor('the client of B', async (missing) => {
    const events = await bed.lockscope.eventsAfter(0);
    const isSeen = events.some((event) => event.type === 'client.connected' && JSON.stringify(event).includes(b.uuid));
    return isSeen || missing('no client.connected');
  });
  return { a, b, c, waiting, head: `${b.uuid}:1`, next: `${c.uuid}:1` };
}

async function untilGone(head: string) {
  await waitFor('a dead head', async (missing) => {
    const lock = await bed.lockscope.lock(LOCK);
    return lock?.waiters.some(({ id, goneSince }) => id === head && goneSince !== undefined) || missing('');
  });
}

test('a dead head is removed, and the next waiter is woken and acquires the lock', async () => {
  const { a, b, waiting, head, next } = await untilThreeThreadsUseLock();
  await b.kill();
  await untilGone(head);
  await a.ask({ ...order, action: 'unlock' });
  const score = await bed.redis.command('ZSCORE', DEADLINES, next);

  const planned = deadHeadBody.parse((await remove({ dryRun: true })).body);
  expect(planned).toMatchObject({ removed: false, head, next: { id: next, gone: false } });
  expect(planned.channel).toBe(`redisson_lock__channel:{${LOCK}}:${next}`);
  expect(String(await bed.redis.command('ZSCORE', DEADLINES, head))).toBe(planned.deadline);
  expect(await bed.redis.command('LRANGE', QUEUE, '0', '-1')).toEqual([head, next]);
  expect(await bed.redis.command('ZSCORE', DEADLINES, next)).toBe(score);

  const done = await remove({ head, deadline: planned.deadline });
  expect(done).toMatchObject({ status: 200, body: { removed: true, head } });
  expect(await waiting).toMatchObject({ ok: true });
  expect(await bed.redis.command('HEXISTS', LOCK, next)).toBe(1);
  expect(await bed.redis.command('EXISTS', QUEUE, DEADLINES)).toBe(0);
  const events = await waitFor('the acquisition of C', async (missing) => {
    const all = await bed.lockscope.eventsAfter(0, { lock: LOCK });
    return all.some((event) => event.type === 'lock.acquired' && event.holder === next) ? all : missing('');
  });
  expect(events.filter(({ type }) => type === 'waiter.dequeued')).toContainEqual(
    expect.objectContaining({ holder: head, reason: 'deleted', certainty: 'observed' }),
  );
  const reported = events.findLast(({ type }) => type === 'wakeup.published');
  const taken = events.findLast(({ type }) => type === 'lock.acquired');
  expect(taken).toMatchObject({ holder: next });
  expect(taken?.because).toContain(reported?.seq);
  const [source] = (await bed.lockscope.health()).sources;
  expect(source).toMatchObject({ drift: 0, rejected: 0 });
  expect(bed.lockscope.output()).toContain(`removed from its queue: ${head}`);
});

test('only a dead head with the confirmed deadline is removed, once, and without a message while the lock is held', async () => {
  const { b, head, next } = await untilThreeThreadsUseLock();
  const alive = { status: 409, body: { error: { code: 'release-unsafe', values: { reason: 'head-alive' } } } };
  expect(await remove({ dryRun: true })).toMatchObject(alive);
  await b.kill();
  await untilGone(head);
  const { deadline, channel } = deadHeadBody.parse((await remove({ dryRun: true })).body);
  expect(channel).toBeNull();
  const changed = { status: 409, body: { error: { code: 'release-changed' } } };
  expect(await remove({ confirm: 'another', dryRun: true })).toMatchObject({ status: 400 });
  expect(await remove({ head })).toMatchObject({ status: 400, body: { error: { field: 'deadline' } } });
  expect(await remove({ head: next, deadline })).toMatchObject(changed);
  await bed.redis.command('ZADD', DEADLINES, String(Number(deadline) + 1), head);
  expect(await remove({ head, deadline })).toMatchObject(changed);
  expect(await bed.redis.command('LRANGE', QUEUE, '0', '-1')).toEqual([head, next]);

  await bed.redis.command('ZADD', DEADLINES, String(deadline), head);
  expect(await remove({ head, deadline })).toMatchObject({ status: 200 });
  await queued(next);
  expect((await remove({ head, deadline })).status).toBe(409);
  expect(await bed.redis.command('LRANGE', QUEUE, '0', '-1')).toEqual([next]);
  const events = await bed.lockscope.eventsAfter(0, { lock: LOCK });
  expect(events.map(({ type }) => type)).not.toContain('wakeup.published');
});

test('without --allow-release, the removal of a dead head is refused', async () => {
  await bed.lockscope.stop();
  bed.lockscope = await startLockscope(bed.redis.url, ['--observe', 'monitor']);
  expect(await remove({ dryRun: true })).toMatchObject({
    status: 403,
    body: { error: { code: 'release-not-allowed' } },
  });
});
