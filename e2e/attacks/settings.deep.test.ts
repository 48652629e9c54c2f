import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { startRedis } from '../support/servers/redis.ts';
import { pause, waitFor } from '../support/wait-for.ts';

test('SIGINT restores the Redis setting', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const lockscope = await startLockscopeProcess(redis.url, ['--configure-notifications']);
  process.kill(lockscope.pid, 'SIGINT');
  const isRunning = () => {
    try {
      return process.kill(lockscope.pid, 0);
    } catch {
      return false;
    }
  };
  await waitFor('its end', () => !isRunning());
  expect(Object.values((await redis.command('CONFIG', 'GET', 'notify-keyspace-events')) as object)).toEqual(['']);
});

test('if Redis hangs, Lockscope ends in time, keeps its note, and the next run restores the setting', async () => {
  const state = mkdtempSync(join(tmpdir(), 'lockscope-state-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const start = () => startLockscopeProcess(redis.url, ['--configure-notifications'], { XDG_STATE_HOME: state });
  const notes = () => readdirSync(join(state, 'lockscope'));
  const lockscope = await start();
  await redis.freeze();
  try {
    await pause(200);
    await lockscope.stop();
    expect(lockscope.output()).not.toContain('did not end within three seconds');
    expect(lockscope.output()).toContain('The next run there restores it');
    expect(notes()).toHaveLength(1);
  } finally {
    await redis.thaw();
  }
  await (await start()).stop();
  expect(Object.values((await redis.command('CONFIG', 'GET', 'notify-keyspace-events')) as object)).toEqual(['']);
  expect(notes()).toEqual([]);
});
