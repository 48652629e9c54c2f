import { createServer } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { parseRedisUrl } from '../../../shared/base/redis-url.ts';
import { MACHINE } from '../../redis/connection/surroundings.ts';
import { owned, ownerNow, runFor } from './owned-work.ts';

const [A, B] = [1, 2];
const machine = owned(MACHINE);

afterEach(() => runFor(undefined, () => {}));

test('timers that a source starts belong to that source, and so do the promises that they settle', async () => {
  const owners: unknown[] = [];
  await new Promise<void>((resolve) => {
    runFor(A, () =>
      machine.soon(() => {
        owners.push(ownerNow());
        void Promise.resolve().then(() => owners.push(ownerNow()));
        machine.startTimer(() => {
          owners.push(ownerNow());
          resolve();
        }, 1);
      }),
    );
    runFor(B, () => machine.soon(() => owners.push(ownerNow())));
  });
  expect(owners).toEqual([A, A, B, A]);
});

test('events of a socket belong to the source that opened it', async () => {
  const server = createServer((socket) => socket.end('+OK\r\n')).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number }; // a server that listens on TCP has an AddressInfo
  const url = parseRedisUrl(`redis://127.0.0.1:${port}`);
  if (!url.ok) throw new Error(url.error);
  const owners: unknown[] = [];
  await new Promise<void>((resolve) => {
    const callback = () => {
      owners.push(['bytes', ownerNow()]);
      runFor(B, () => {});
      return true;
    };
    runFor(A, () => {
      const socket = machine.connectSocket(url.value, { buffer: Buffer.alloc(64), callback });
      socket.once('connect', () => owners.push(['connect', ownerNow()]));
      socket.on('close', () => {
        owners.push(['close', ownerNow()]);
        resolve();
      });
    });
    runFor(B, () => {});
  });
  expect(owners).toEqual([
    ['connect', A],
    ['bytes', A],
    ['close', A],
  ]);
});

test('ticks of two sources run at the same instants, although they were started at different times', () => {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const ticks: [number | undefined, number][] = [];
  const start = (source: number) =>
    runFor(source, () => {
      const ticking = machine.startTicks(() => ticks.push([ownerNow(), Math.round(performance.now())]), 200);
      onTestFinished(() => machine.stopTimer(ticking));
    });
  start(A);
  vi.advanceTimersByTime(130);
  start(B);
  vi.advanceTimersByTime(500);
  const at = (source: number) => ticks.filter(([owner]) => owner === source).map(([, ms]) => ms % 200);
  expect(at(A).length).toBeGreaterThanOrEqual(3);
  expect(at(B).length).toBeGreaterThanOrEqual(2);
  expect(new Set([...at(A), ...at(B)])).toEqual(new Set([0]));
});
