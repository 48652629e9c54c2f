import { afterEach, expect, test } from 'vitest';
import { demoBody, scenariosBody } from '../../shared/wire/demo.ts';
import { tapMonitor } from '../redis/testing/monitor-tap.ts';
import type { DemoStage } from './demo-stage.ts';
import { startDemoStage } from './stage.ts';
import { groupsOf, inShort } from './testing/groups.ts';

const stages: DemoStage[] = [];
const launch = async () => {
  const stage = await startDemoStage();
  stages.push(stage);
  return stage;
};
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

const isOver = (stage: DemoStage) =>
  expect.poll(() => stage.view().state, { timeout: 40_000, interval: 20 }).not.toBe('running');

test('the scenario two-threads goes through its eight steps, twice, and Redis receives the same commands', async () => {
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
    const [a = '', b = ''] = view.clients.map(({ threads }) => threads[0]?.holder);
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
process.setMaxListeners(50); // each client process adds a listener, to end with this process

test('the scenarios after the first reach their last step, on five stages at once', {
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
