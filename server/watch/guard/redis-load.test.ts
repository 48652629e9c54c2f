import { expect, test } from 'vitest';
import { loadBetween, sampleFromInfo } from './redis-load.ts';

const NOTHING = { bytes: 0, commands: 0 };
const info = (bytes: number, commands: number, cpu: string) =>
  [
    '# Stats',
    `total_commands_processed:${commands}`,
    'instantaneous_ops_per_sec:120',
    `total_net_input_bytes:${bytes}`,
    'instantaneous_input_kbps:2.50',
    '# CPU',
    cpu,
  ].join('\r\n');
const MAIN = (user: number, sys: number) =>
  `used_cpu_sys:9\r\nused_cpu_user:9\r\nused_cpu_sys_main_thread:${sys}\r\nused_cpu_user_main_thread:${user}`;

test('the load between two samples is that of the application: our own commands are subtracted', () => {
  const before = sampleFromInfo(info(1000, 100, MAIN(1, 0.5)), 0, { bytes: 500, commands: 50 });
  const now = sampleFromInfo(info(11_000, 1100, MAIN(1.5, 1)), 2000, { bytes: 2500, commands: 250 });
  if (!before || !now) throw new Error('INFO was not read');
  expect(loadBetween(before, now)).toEqual({ inputBytesPerSecond: 4000, opsPerSecond: 400, redisCpuShare: 0.5 });
  expect(now.atOnce).toEqual({ inputBytesPerSecond: 2560, opsPerSecond: 120 });
});

test('the CPU of an old server is that of its whole process; without any figure, the CPU is unknown', () => {
  expect(sampleFromInfo(info(1, 1, 'used_cpu_sys:1.5\r\nused_cpu_user:2'), 0, NOTHING)?.cpuSeconds).toBe(3.5);
  expect(sampleFromInfo(info(1, 1, ''), 0, NOTHING)?.cpuSeconds).toBeNull();
});

test('no load is computed across a restart or a change of the connection', () => {
  const early = sampleFromInfo(info(1000, 100, MAIN(1, 1)), 0, { bytes: 500, commands: 50 });
  const restarted = sampleFromInfo(info(10, 1, MAIN(0, 0)), 1000, { bytes: 600, commands: 60 });
  const reconnected = sampleFromInfo(info(2000, 200, MAIN(1, 1)), 1000, { bytes: 10, commands: 1 });
  if (!early || !restarted || !reconnected) throw new Error('INFO was not read');
  expect(loadBetween(early, restarted)).toBeUndefined();
  expect(loadBetween(early, reconnected)).toBeUndefined();
});

test('an empty INFO does not make a sample', () => {
  expect(sampleFromInfo('', 0, NOTHING)).toBeUndefined();
});
