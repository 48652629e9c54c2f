import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { doctorBody, measurementBody } from '../../../shared/wire/doctor.ts';
import { strictly } from '../../../testing/stories/strictly.ts';
import { startLockscope } from '../../support/lockscope/lockscope.ts';
import { LockscopeCommand } from '../../support/lockscope/lockscope-command.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

let redis: RunningRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis?.stop());

test('a measurement asks for confirmation: without a terminal it needs --yes', async () => {
  const command = new LockscopeCommand(['doctor', redis.url, '--measure']);
  expect(await command.ended()).toBe(2);
  expect(command.err).toContain('--yes');
  expect(command.out).toBe('');
});

test('only one measurement over HTTP runs at a time, and a cancelled one leaves no level on', async () => {
  const lockscope = await startLockscope(redis.url, ['--observe', 'events']);
  onTestFinished(() => lockscope.stop());
  const report = strictly(doctorBody, (await lockscope.get('/api/doctor')).body);
  expect(report.sources.map(({ source, bestLevel }) => [source, bestLevel])).toEqual([['redis', 'monitor']]);
  expect(await lockscope.get('/api/doctor?source=nothing')).toMatchObject({ status: 404 });
  const measure = () => lockscope.post('/api/sources/redis/measure', { levels: ['monitor'] });
  expect(await measure()).toMatchObject({ status: 202, body: { measurement: { state: 'running', steps: 5 } } });
  expect(await measure()).toMatchObject({ status: 409, body: { error: { code: 'measuring-already' } } });
  const cancelled = await fetch(`${lockscope.url}/api/measurement`, { method: 'DELETE' });
  const { measurement } = strictly(measurementBody, await cancelled.json());
  expect(measurement).toMatchObject({ source: 'redis', state: 'cancelled', level: null });
  const list = async () => String(await redis.command('CLIENT', 'LIST'));
  await waitFor('its connections to end', async () => !(await list()).includes('cmd=monitor'));
  expect((await lockscope.health()).sources[0]).toMatchObject({ level: 'events', status: 'observing' });
  expect(await measure()).toMatchObject({ status: 202 });
});
