import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Demo } from '../../shared/wire/demo.ts';
import { demoBody } from '../../shared/wire/demo.ts';
import { type CommandConnection, openCommandConnection } from '../redis/connection/command-connection.ts';
import { type LocalRedis, startLocalRedis } from '../redis/private-server/local-redis.ts';
import { DEMO_PREFIX } from './client/own-keys.ts';
import { DemoProblem, type DemoStage } from './demo-stage.ts';
import { startDemoStage } from './stage.ts';

const isAtStep = (stage: DemoStage, step: number) =>
  expect.poll(() => stage.view().step, { interval: 20 }).toBeGreaterThanOrEqual(step);
const clientOf = (view: Demo, id: string) => view.clients.find((client) => client.id === id);
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('on a private Redis', () => {
  let stage: DemoStage;
  beforeAll(async () => {
    stage = await startDemoStage();
  });
  afterEach(() => stage.stopScenario());
  afterAll(() => stage?.close());

  test('a scenario stopped in the middle leaves no lock and no busy thread, and the next scenario starts', async () => {
    const redis = openCommandConnection({ url: stage.redisUrl });
    await redis.whenReady(60_000);
    await stage.startScenario('two-threads');
    await isAtStep(stage, 4);
    await stage.stopScenario();
    expect(stage.view()).toMatchObject({ state: 'idle', step: 0, scenario: 'two-threads' });
    expect(await redis.call('EXISTS', 'orders:42')).toBe(0);
    expect(stage.view().clients.flatMap(({ threads }) => threads.map(({ state }) => state))).not.toContain('busy');
    await stage.startScenario('reentrancy');
    await isAtStep(stage, 2);
    await stage.startScenario('unlock-by-non-owner');
    await isAtStep(stage, 1);
    expect(await redis.call('HLEN', 'orders:42')).toBe(1);
    redis.close();
  });

  test('a client killed in the middle ends the run as failed, with the reason', async () => {
    await stage.startScenario('two-threads');
    await isAtStep(stage, 4);
    await stage.clientAction('B', 'kill');
    await expect.poll(() => stage.view().state).toBe('failed');
    expect(stage.view()).toMatchObject({
      state: 'failed',
      problem: { message: 'Client B ended in the middle of its lock.' },
    });
    await stage.startScenario('two-threads');
    await isAtStep(stage, 4);
    expect(clientOf(stage.view(), 'B')?.state).toBe('running');
  });

  test('threads run operations and return their results', async () => {
    const lock = 'stock:7';
    expect(await stage.threadAction('A', 1, 'lock', { lock }).done).toEqual({ ok: true, result: 'ok' });
    const waiting = stage.threadAction('B', 2, 'tryLock', { lock, waitMs: 60_000, leaseMs: 60_000 });
    expect(clientOf(stage.view(), 'B')?.threads[1]).toMatchObject({
      state: 'busy',
      doing: 'tryLock stock:7, wait 60000 ms, lease 60000 ms',
    });
    expect((await stage.threadAction('C', 1, 'unlock', { lock }).done).result).toMatch(/^IllegalMonitorStateException/);
    await stage.threadAction('A', 1, 'unlock', { lock }).done;
    expect(await waiting.done).toEqual({ ok: true, result: 'true' });
    const view = demoBody.parse(stage.view());
    expect(clientOf(view, 'B')?.threads[1]).toMatchObject({
      state: 'idle',
      doing: null,
      last: { op: 'tryLock', lock, ok: true, result: 'true' },
    });
  });

  test('freeze, thaw, kill, start, cut and heal change the state of a client; a thaw of a running client is refused', async () => {
    const stateOfA = () => clientOf(stage.view(), 'A')?.state;
    const before = clientOf(stage.view(), 'A');
    for (const [action, state] of [
      ['freeze', 'frozen'],
      ['thaw', 'running'],
      ['cut', 'cut'],
      ['heal', 'running'],
      ['kill', 'dead'],
      ['start', 'running'],
    ] as const) {
      await stage.clientAction('A', action);
      expect(stateOfA()).toBe(state);
    }
    expect(clientOf(stage.view(), 'A')?.uuid).not.toBe(before?.uuid);
    const { faults = [], startedAt = Number.NaN, at = Number.NaN } = demoBody.parse(stage.view());
    expect(faults.map(({ client, name }) => `${client} ${name}`)).toEqual(
      ['frozen', 'thawed', 'cut', 'healed', 'killed', 'started'].map((name) => `A ${name}`),
    );
    expect(faults.map(({ uuid }) => uuid === before?.uuid)).toEqual([true, true, true, true, true, false]);
    const times = [startedAt, ...faults.map((fault) => fault.at), at];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(isAlive(before?.pid ?? 0)).toBe(false);
    await expect(stage.clientAction('A', 'thaw')).rejects.toMatchObject({
      status: 409,
      problem: { code: 'wrong-state' },
    });
    await expect(stage.clientAction('Z', 'kill')).rejects.toMatchObject({ status: 404, field: 'client' });
    await expect(stage.startScenario('nonsense')).rejects.toBeInstanceOf(DemoProblem);
    expect(() => stage.threadAction('A', 9, 'lock', { lock: 'x' })).toThrow(DemoProblem);
    await stage.clientAction('A', 'freeze');
    expect(() => stage.threadAction('A', 1, 'lock', { lock: 'x' })).toThrow(/frozen/);
  });
});

describe('on a shared Redis', () => {
  let redis: LocalRedis;
  let stage: DemoStage;
  let connection: CommandConnection;
  beforeEach(async () => {
    redis = await startLocalRedis();
    connection = openCommandConnection({ url: redis.url });
    await connection.whenReady(60_000);
  });
  afterEach(async () => {
    await stage?.close();
    connection.close();
    await redis.stop();
  });

  test('closing ends the processes of all clients, even a frozen one, and leaves no key', async () => {
    stage = await startDemoStage({ redisUrl: redis.url });
    await stage.threadAction('A', 1, 'lock', { lock: `${DEMO_PREFIX}stock:7` }).done;
    await stage.clientAction('B', 'freeze');
    const pids = stage.view().clients.map(({ pid }) => pid ?? 0);
    await stage.close();
    expect(pids.map(isAlive)).toEqual([false, false, false]);
    expect(await connection.call('DBSIZE')).toBe(0);
  });

  test('on a Redis with other keys, existing keys do not change, and the demo’s keys are deleted', async () => {
    await connection.call('SET', 'invoice:9', 'mine');
    await connection.call('SET', `${DEMO_PREFIX}invoice:9`, 'mine');
    stage = await startDemoStage({ redisUrl: redis.url });
    await expect(stage.startScenario('fair-queue')).rejects.toMatchObject({
      status: 409,
      problem: { code: 'key-in-use' },
    });
    expect(await connection.call('MGET', 'invoice:9', `${DEMO_PREFIX}invoice:9`)).toEqual(['mine', 'mine']);
    await stage.startScenario('latch');
    await isAtStep(stage, 2);
    expect(await connection.call('DBSIZE')).toBe(3);
    await stage.close();
    expect((await connection.call('KEYS', '*')) as string[]).toHaveLength(2);
    expect(await connection.call('MGET', 'invoice:9', `${DEMO_PREFIX}invoice:9`)).toEqual(['mine', 'mine']);
  });
});
