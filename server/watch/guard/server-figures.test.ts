import { expect, test } from 'vitest';
import { figuresFromInfo } from './server-figures.ts';

test('uptime, memory and clients are read from INFO; a limit of 0 means no limit', () => {
  const text = 'uptime_in_seconds:81\r\nused_memory:1048576\r\nmaxmemory:0\r\nconnected_clients:7\r\n';
  expect(figuresFromInfo(text)).toEqual({
    ...{ uptimeSeconds: 81, usedMemoryBytes: 1_048_576, maxMemoryBytes: null, clients: 7 },
  });
});

test('what a server does not report, or not as a number, is null', () => {
  const none = { uptimeSeconds: null, usedMemoryBytes: null, maxMemoryBytes: null, clients: null };
  expect(figuresFromInfo('')).toEqual(none);
  expect(figuresFromInfo('uptime_in_seconds:soon\r\nconnected_clients:-1\r\n')).toEqual(none);
});
