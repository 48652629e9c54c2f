import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Interpreter } from '../../../shared/events/interpreter.ts';
import { RedisError, type Reply } from '../../redis/connection/reply.ts';
import type { KeyToRead } from '../../redis/reads/key-reads.ts';
import { RefusedRights } from '../../redis/rights/refused-rights.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';
import { Quarantine } from '../terms/quarantine.ts';
import { CarefulReads } from './careful-reads.ts';
import { budgetsFor } from './reading.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const BUSY = new RedisError('BUSY Redis is busy running a script.');
const KEY: KeyToRead = { db: 0, name: 'orders:42' };

/** Reads of a server that is busy with a script until the test ends that; `fields` is the size of each hash. */
function busyServer() {
  const server = { isBusy: true, isNextBusy: false, fields: 1, waited: 0, read: [] as string[] };
  const answer = ([name]: readonly string[]): Reply =>
    name === 'SELECT' ? 'OK' : name === 'HLEN' ? server.fields : 100;
  const feed = {
    ...{ capabilities: { isCluster: false }, rights: new RefusedRights(), now: () => 0 },
    ask: async (...commands: string[][]) => {
      const replies = commands.map((words) => (server.isBusy ? BUSY : answer(words)));
      server.isBusy ||= server.isNextBusy;
      return replies;
    },
    read: async (_: number, keys: readonly KeyToRead[]) => {
      if (server.isBusy) return 'busy';
      server.read.push(...keys.map(({ name }) => name));
      return [];
    },
    waitsForScript: () => server.waited++,
  } as unknown as OrderedFeed; // the code under test uses only these parts
  const interpreter = { keys: { find: () => undefined } } as unknown as Interpreter;
  const reads = new CarefulReads(feed, interpreter, new Quarantine());
  const { changes } = budgetsFor('events', 0);
  return { server, reads, read: () => reads.read([KEY], changes) };
}

test('a read waits until the script that keeps Redis busy has ended', async () => {
  const { server, read } = busyServer();
  const done = vi.fn();
  const reading = read().then(done);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(done).not.toHaveBeenCalled();
  expect(server.waited).toBeGreaterThan(100);
  server.isBusy = false;
  await vi.advanceTimersByTimeAsync(1000);
  await reading;
  expect(server.read).toEqual(['orders:42']);
});

test('a key that a script made large after its size was known is not read', async () => {
  const { server, read } = busyServer();
  Object.assign(server, { isBusy: false, isNextBusy: true });
  const reading = read();
  await vi.advanceTimersByTimeAsync(1000);
  Object.assign(server, { isBusy: false, isNextBusy: false, fields: 1_000_000 });
  await vi.advanceTimersByTimeAsync(1000);
  await reading;
  expect(server.read).toEqual([]);
});

test('a read that waits for a script ends with its connection', async () => {
  const { server, reads, read } = busyServer();
  const reading = read();
  await vi.advanceTimersByTimeAsync(1000);
  reads.isStopped = true;
  await vi.advanceTimersByTimeAsync(1000);
  await reading;
  expect(server.read).toEqual([]);
});
