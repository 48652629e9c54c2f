import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { doctorCommandBody } from '../../../shared/wire/doctor.ts';
import { strictly } from '../../../testing/stories/strictly.ts';
import { startSetLoad } from '../../support/clients/set-load.ts';
import { startLockscope } from '../../support/lockscope/lockscope.ts';
import { LockscopeCommand } from '../../support/lockscope/lockscope-command.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

let redis: RunningRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

async function monitors(): Promise<number> {
  return String(await redis.command('CLIENT', 'LIST')).split('cmd=monitor').length - 1;
}

describe('a measurement', () => {
  test('shows the cost of each level, and leaves out MONITOR where it is too expensive', async () => {
    const load = startSetLoad(redis.port, 40_000, 500);
    onTestFinished(() => load.stop());
    await waitFor(
      'the load',
      async () =>
        Number(/instantaneous_ops_per_sec:(\d+)/.exec(String(await redis.command('INFO', 'stats')))?.[1]) > 300,
    );
    const command = new LockscopeCommand(['doctor', redis.url, '--measure', '--yes', '--json']);
    expect(await command.ended()).toBe(0);
    const { costs, findings } = strictly(doctorCommandBody, JSON.parse(command.out));
    expect(findings.length).toBeGreaterThan(10);
    expect(costs?.commandsPerSecond?.high).toBeGreaterThan(100);
    const [snapshot, events, monitor] = costs?.levels ?? [];
    for (const cost of [snapshot, events]) {
      // On a machine that is busy with much else, Redis may become slow by itself: then a level ends.
      expect(['measured', 'below-noise', 'unsteady', 'ended']).toContain(cost?.verdict);
      expect(cost?.onMs).toBeGreaterThan(0);
    }
    expect(monitor).toMatchObject({ level: 'monitor', verdict: 'refused', onMs: 0 });
    expect(['over-budget', 'redis-in-trouble']).toContain(monitor?.problem?.code);
  });

  test('that is cancelled while it measures MONITOR ends MONITOR', async () => {
    const lockscope = await startLockscope(redis.url, ['--observe', 'events']);
    onTestFinished(() => lockscope.stop());
    await lockscope.post('/api/sources/redis/measure', { levels: ['monitor'] });
    await waitFor('MONITOR', async () => (await monitors()) === 1);
    await fetch(`${lockscope.url}/api/measurement`, { method: 'DELETE' });
    await waitFor('MONITOR to end', async () => (await monitors()) === 0);
    expect((await lockscope.health()).sources[0]).toMatchObject({ level: 'events', status: 'observing' });
  });

  test('ends when Lockscope ends', async () => {
    const lockscope = await startLockscope(redis.url, ['--observe', 'events']);
    await lockscope.post('/api/sources/redis/measure', { levels: ['monitor'] });
    await waitFor('MONITOR', async () => (await monitors()) === 1);
    await lockscope.stop();
    await waitFor('MONITOR to end', async () => (await monitors()) === 0);
  });
});
