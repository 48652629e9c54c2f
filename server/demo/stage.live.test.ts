import { afterEach, expect, test } from 'vitest';
import type { Demo } from '../../shared/wire/demo.ts';
import { demoBody, scenariosBody } from '../../shared/wire/demo.ts';
import { openCommandConnection } from '../redis/command-connection.ts';
import { startLocalRedis } from '../redis/private-server/local-redis.ts';
import { tapMonitor } from '../redis/testing/monitor-tap.ts';
import { DEMO_PREFIX } from './client/own-keys.ts';
import { DemoProblem, type DemoStage } from './demo-stage.ts';
import { startDemoStage } from './stage.ts';
import { groupsOf, inShort } from './testing/groups.ts';

const stages: DemoStage[] = [];
const launch = async (options: Parameters<typeof startDemoStage>[0] = {}) => {
  const stage = await startDemoStage(options);
  stages.push(stage);
  return stage;
};
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

const isOver = (stage: DemoStage) =>
  expect.poll(() => stage.view().state, { timeout: 40_000, interval: 20 }).not.toBe('running');
const isAtStep = (stage: DemoStage, step: number) =>
  expect.poll(() => stage.view().step, { timeout: 20_000, interval: 20 }).toBeGreaterThanOrEqual(step);
const clientOf = (view: Demo, id: string) => view.clients.find((client) => client.id === id);
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('two-threads goes through its eight steps, twice, and Redis sees the same', async () => {
  const stage = await launch();
  for (const round of [1, 2]) {
    const tap = await tapMonitor(stage.redisUrl);
    await stage.startScenario('two-threads');
    await isOver(stage);
    const commands = await tap.caughtUp();
    tap.close();
    const { state, step, steps, problem } = stage.view();
    expect({ round, state, step, steps, problem }).toEqual({
      round,
      state: 'done',
      step: 8,
      steps: 8,
      problem: undefined,
    });

    const view = stage.view();
    const [a = '', b = ''] = ['A', 'B'].map((id) => clientOf(view, id)?.threads[0]?.holder);
    const nameOf = (text: string) => (text.includes(a) ? 'A' : text.includes(b) ? 'B' : '-');
    const lines = groupsOf(commands)
      .map((group) => `${nameOf(group.head.join(' '))} ${inShort(group)}`)
      .filter((line) => / exists|PUBLISH|SUBSCRIBE/.test(line));
    expect(lines).toEqual([
      'A exists → hincrby → pexpire',
      'B exists → hexists → pttl',
      '- SUBSCRIBE redisson_lock__channel:{orders:42}',
      'B exists → hexists → pttl',
      'A get → hexists → hincrby → del → PUBLISH → set',
      'B exists → hincrby → pexpire',
      '- UNSUBSCRIBE redisson_lock__channel:{orders:42}',
      'B get → hexists → hincrby → del → PUBLISH → set',
    ]);
  }
});

const STAGES = 5;
process.setMaxListeners(50); // each client process ends with us

test('every scenario reaches its last step, on several stages at once', {
  timeout: 240_000,
}, async () => {
  const launched = await Promise.all(Array.from({ length: STAGES }, () => launch()));
  const left = scenariosBody.parse({ v: 1, scenarios: launched[0]?.scenarios() ?? [] }).scenarios.slice(1);
  const play = async (stage: DemoStage) => {
    for (let next = left.pop(); next; next = left.pop()) {
      const { id, steps } = next;
      await stage.startScenario(id);
      await isOver(stage);
      const view = demoBody.parse(stage.view());
      expect({ id, state: view.state, step: view.step, problem: view.problem }).toEqual({
        id,
        state: 'done',
        step: steps,
      });
      const { startedAt = 0, at: now = 0 } = view;
      const times = view.script.map(({ at = 0 }) => at >= startedAt && at <= now);
      expect(times, `steps of ${id} within its run`).toEqual(view.script.map(() => true));
    }
  };
  await Promise.all(launched.map(play));
});

test('stopping in the middle frees the lock and ends every wait; the next start works', async () => {
  const stage = await launch();
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
  const stage = await launch();
  await stage.startScenario('two-threads');
  await isAtStep(stage, 4);
  await stage.clientAction('B', 'kill');
  await isOver(stage);
  expect(stage.view()).toMatchObject({
    state: 'failed',
    problem: { message: 'Client B ended in the middle of its lock.' },
  });
  await stage.startScenario('two-threads');
  await isAtStep(stage, 4);
  expect(clientOf(stage.view(), 'B')?.state).toBe('running');
});

test('threads run operations and return their results', async () => {
  const stage = await launch();
  const lock = 'stock:7';
  expect(await stage.threadAction('A', 1, 'lock', { lock }).done).toEqual({ ok: true, result: 'ok' });
  const waiting = stage.threadAction('B', 2, 'tryLock', { lock, waitMs: 20_000, leaseMs: 5000 });
  expect(clientOf(stage.view(), 'B')?.threads[1]).toMatchObject({
    state: 'busy',
    doing: 'tryLock stock:7, wait 20000 ms, lease 5000 ms',
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

test('freeze, thaw, kill, start, cut and heal change the client, and are refused in a wrong state', async () => {
  const stage = await launch();
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

test('closing ends every process, even a frozen one, and leaves no lock on a shared Redis', async () => {
  const redis = await startLocalRedis();
  const stage = await launch({ redisUrl: redis.url });
  await stage.threadAction('A', 1, 'lock', { lock: `${DEMO_PREFIX}stock:7` }).done;
  await stage.clientAction('B', 'freeze');
  const pids = stage.view().clients.map(({ pid }) => pid ?? 0);
  await stage.close();
  expect(pids.map(isAlive)).toEqual([false, false, false]);
  const connection = openCommandConnection({ url: redis.url });
  await connection.whenReady(60_000);
  expect(await connection.call('DBSIZE')).toBe(0);
  connection.close();
  await redis.stop();
});

test('on a Redis with other keys, existing keys do not change, and the demo’s keys are deleted', async () => {
  const redis = await startLocalRedis();
  const connection = openCommandConnection({ url: redis.url });
  await connection.whenReady(60_000);
  await connection.call('SET', 'invoice:9', 'mine');
  await connection.call('SET', `${DEMO_PREFIX}invoice:9`, 'mine');
  const stage = await launch({ redisUrl: redis.url });
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
  connection.close();
  await redis.stop();
});
