import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import { holderOf } from '../../testing/stories/story.ts';
import {
  type CommandConnection,
  ConnectionLost,
  openCommandConnection,
} from '../redis/connection/command-connection.ts';
import { type LocalRedis, startLocalRedis } from '../redis/private-server/local-redis.ts';
import { type StepProxy, startStepProxy } from '../testing/step-proxy.ts';
import { Releaser } from './release-lock.ts';
import { isHeldBy, RELEASABLE, shownLock, takenBy } from './testing/held-lock.ts';

let redis: LocalRedis;
let admin: CommandConnection;
const call = (...[command, ...words]: [string, ...string[]]) => admin.call(command, ...words);

beforeAll(async () => {
  redis = await startLocalRedis();
  admin = openCommandConnection({ url: redis.url });
  await admin.whenReady(60_000);
});

afterAll(async () => {
  admin.close();
  await redis.stop();
});

async function run(...commands: readonly string[][]): Promise<void> {
  await call('MULTI');
  for (const [command = '', ...words] of commands) await call(command, ...words);
  await call('EXEC');
}

type Faults = {
  /** Called at each step, before it goes on or breaks the connection; the steps are counted from 0. */
  readonly at: (step: number) => ReturnType<Parameters<typeof startStepProxy>[1]>;
  readonly work: (releaser: Releaser, proxy: StepProxy) => Promise<unknown>;
};

/** The result of a releaser behind a proxy, how many steps it took, and how many connections it opened. */
async function through({ at, work }: Faults): Promise<{ outcome: unknown; steps: number; connections: number }> {
  let steps = 0;
  const proxy = await startStepProxy(redis.url, () => at(steps++));
  const url = parseRedisUrl(proxy.url);
  if (!url.ok) throw new Error(url.error);
  const releaser = new Releaser(url.value, 0);
  try {
    const outcome = await work(releaser, proxy).catch((error: unknown) => {
      if (error instanceof ConnectionLost) return 'lost';
      throw error;
    });
    return { outcome, steps, connections: proxy.connections() };
  } finally {
    releaser.close();
    proxy.close();
  }
}

const nothing = () => undefined;
const NEVER = -1;

for (const [kind, mode] of RELEASABLE) {
  const release = async (releaser: Releaser) => releaser.send(await releaser.plan(shownLock(kind, mode)));

  test(`a new holder of a ${kind} (${mode}) is never released, whenever it acquires and wherever the connection breaks`, async () => {
    await run(...takenBy('A', kind, mode));
    const { outcome, steps } = await through({ at: nothing, work: release });
    expect(outcome).toBe('released');
    expect(await call('EXISTS', 'x')).toBe(0);
    for (let cutAt = NEVER; cutAt < steps; cutAt++) {
      for (let takenAt = 0; takenAt < steps; takenAt++) {
        await run(...takenBy('A', kind, mode));
        let isTaken = false;
        const take = async () => {
          isTaken = true;
          await run(...takenBy('B', kind, mode));
        };
        const at = async (step: number) => {
          if (step === takenAt) await take();
          return step === cutAt ? 'cut' : undefined;
        };
        const result = await through({ at, work: release });
        if (!isTaken) await take();
        const where = `cut at ${cutAt}, taken at ${takenAt}: ${result.outcome}`;
        expect(await isHeldBy('B', call, [kind, mode]), where).toBe(true);
        expect(result.connections, where).toBe(1);
      }
    }
  });
}

test('a connection that broke while the release waited is not opened again, and nothing further is sent', async () => {
  await run(...takenBy('A', 'lock', 'exclusive'));
  const { outcome, connections } = await through({
    at: nothing,
    async work(releaser, proxy) {
      const plan = await releaser.plan(shownLock());
      return releaser.send(plan, async () => {
        await expect(call('EXISTS', 'x')).resolves.toBe(1);
        proxy.cut();
        await run(...takenBy('B', 'lock', 'exclusive'));
        await expect(releaser.plan(shownLock())).rejects.toThrow(ConnectionLost);
        return true;
      });
    },
  });
  expect([outcome, connections]).toEqual(['lost', 1]);
  expect(await isHeldBy('B', call, ['lock', 'exclusive'])).toBe(true);
});

test('a Redis that stops answering does not block the release: after 15 s it is not known whether the lock was released', async () => {
  await run(...takenBy('A', 'lock', 'exclusive'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isAsked = false;
  const proxy = await startStepProxy(redis.url, ({ text }) => {
    isAsked ||= text.includes('EVAL');
    return isAsked ? new Promise<undefined>(() => undefined) : undefined;
  });
  const url = parseRedisUrl(proxy.url);
  if (!url.ok) throw new Error(url.error);
  const releaser = new Releaser(url.value, 0);
  const sent = releaser.plan(shownLock()).then((plan) => releaser.send(plan));
  await vi.waitFor(() => expect(isAsked).toBe(true));
  vi.advanceTimersByTime(15_000);
  expect(await sent).toBe('unknown');
  vi.useRealTimers();
  releaser.close();
  proxy.close();
});

test('a lease that was renewed meanwhile is read again, and a hold that began meanwhile is not released', async () => {
  await run(...takenBy('A', 'lock', 'exclusive'));
  let asked = 0;
  const isStill = async () => {
    asked++;
    if (asked < 3) await call('PEXPIRE', 'x', String(30_000 + 1000 * asked));
    return true;
  };
  const renewed = { at: nothing, work: async (r: Releaser) => r.send(await r.plan(shownLock()), isStill) };
  expect((await through(renewed)).outcome).toBe('released');
  expect(asked).toBe(3);
  await run(...takenBy('A', 'lock', 'exclusive'));
  const again = async () => {
    if (asked++ > 3) return false;
    await call('PEXPIRE', 'x', '40000');
    return true;
  };
  const taken = { at: nothing, work: async (r: Releaser) => r.send(await r.plan(shownLock()), again) };
  expect((await through(taken)).outcome).toBe('changed');
  expect(await isHeldBy('A', call, ['lock', 'exclusive'])).toBe(true);
});

test('nothing is released if the lock has a second holder, another field or another type', async () => {
  for (const [kind, mode, ...others] of [
    ['read-write-lock', 'read', ['HSET', 'x', holderOf('B'), '1']],
    ['lock', 'exclusive', ['HSET', 'x', 'a field', '1']],
    ['lock', 'exclusive', ['DEL', 'x'], ['SET', 'x', holderOf('A')]],
    ['token-lock', 'exclusive', ['DEL', 'x'], ['HSET', 'x', holderOf('A'), '1']],
    ['token-lock', 'exclusive', ['SET', 'x', `${holderOf('A')} and more`]],
  ] as const) {
    await run(...takenBy('A', kind, mode), ...others.map((words) => [...words]));
    const work = async (r: Releaser) => r.send(await r.plan(shownLock(kind, mode)));
    expect((await through({ at: nothing, work })).outcome).toBe('changed');
    expect(await call('EXISTS', 'x')).toBe(1);
  }
});

const QUEUE = 'redisson_lock_queue:{x}';
const DEADLINES = 'redisson_lock_timeout:{x}';
/** The queue of `x`, with A as its head, and the deadline of A. */
const queued = (deadline: number) => [
  ['DEL', QUEUE, DEADLINES],
  ['RPUSH', QUEUE, holderOf('A'), holderOf('B')],
  ['ZADD', DEADLINES, String(deadline), holderOf('A'), '9000', holderOf('B')],
];

async function removeHead(releaser: Releaser): Promise<unknown> {
  const plan = await releaser.planHead(shownLock('fair-lock'), holderOf('A'));
  if (typeof plan === 'string') return plan;
  // The route compares the deadline in Redis with the deadline in the request.
  return plan.score === '1000' ? releaser.sendHead(plan) : 'changed';
}

test.each([
  ['another head', [['LPUSH', QUEUE, holderOf('C')]], [holderOf('C'), holderOf('A'), holderOf('B')]],
  ['the same thread with a new place', queued(5000), [holderOf('A'), holderOf('B')]],
])('%s is never removed, whenever it arrives and wherever the connection breaks', async (_, change, left) => {
  await run(...queued(1000));
  const { outcome, steps } = await through({ at: nothing, work: removeHead });
  expect(outcome).toBe('removed');
  for (let cutAt = NEVER; cutAt < steps; cutAt++) {
    for (let changedAt = 0; changedAt < steps; changedAt++) {
      await run(...queued(1000));
      let before: unknown;
      const at = async (step: number) => {
        if (step === changedAt) {
          before = await call('LINDEX', QUEUE, '0');
          await run(...change);
        }
        return step === cutAt ? 'cut' : undefined;
      };
      const result = await through({ at, work: removeHead });
      const where = `cut at ${cutAt}, changed at ${changedAt}: ${result.outcome}`;
      const isHit =
        before === holderOf('A') && (await call('LRANGE', QUEUE, '0', '-1'))?.toString() !== left.toString();
      expect(isHit, where).toBe(false);
      expect(result.connections, where).toBe(1);
    }
  }
});

test('a head is not removed if its client listens again during any step of the removal', async () => {
  await run(...queued(1000));
  const { steps } = await through({ at: nothing, work: removeHead });
  for (let heardAt = 0; heardAt < steps; heardAt++) {
    await run(...queued(1000));
    const listener = openCommandConnection({ url: redis.url, onMessage: () => undefined });
    await listener.whenReady(60_000);
    let isThere = false;
    const at = async (step: number) => {
      if (step !== heardAt) return undefined;
      isThere = (await call('LINDEX', QUEUE, '0')) === holderOf('A');
      await listener.call('SUBSCRIBE', `redisson_lock__channel:{x}:${holderOf('A')}`);
      return undefined;
    };
    const { outcome } = await through({ at, work: removeHead });
    listener.close();
    if (isThere) expect([`at ${heardAt}`, outcome]).toEqual([`at ${heardAt}`, expect.not.stringMatching('removed')]);
  }
});
