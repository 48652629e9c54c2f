import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import { type LocalRedis, startLocalRedis } from '../redis/private-server/local-redis.ts';
import { Bus } from './bus.ts';
import { entryFrom, fieldsOfEntry, type StreamEntry, stateFrom } from './bus-entry.ts';
import { blocksKey, statesKey } from './bus-keys.ts';
import { BusWriter, type WriterOptions } from './bus-writer.ts';
import { Lease } from './lease.ts';

const NAME = 'one';
let redis: LocalRedis;
const opened: Bus[] = [];

beforeAll(async () => {
  redis = await startLocalRedis();
});
afterEach(async () => {
  await opened[0]?.connection.call('CONFIG', 'SET', 'maxmemory', '0');
  await opened[0]?.connection.call('FLUSHALL');
  for (const bus of opened.splice(0)) bus.close();
});
afterAll(() => redis?.stop());

async function openBus(): Promise<Bus> {
  const url = parseRedisUrl(redis.url);
  if (!url.ok) throw new Error(url.error);
  const bus = new Bus(url.value);
  opened.push(bus);
  await bus.connection.whenReady(10_000);
  return bus;
}

/** A writer whose lines are `LINE` each, and which takes its state at once. */
function writerOf(bus: Bus, run: number, options: Partial<WriterOptions> = {}) {
  let seq = 0;
  const fenced = vi.fn();
  const writer: BusWriter = new BusWriter(bus, {
    ...{
      name: NAME,
      run,
      keep: { ms: Number.POSITIVE_INFINITY, bytes: 1e9 },
      fenced,
      retryMs: 10,
      warn: () => undefined,
    },
    requestState: () =>
      writer.addCheckpoint({ source: NAME, run, seq, at: seq, nextEvent: seq + 1, text: `state ${seq}` }),
    ...options,
  });
  const write = (lines: number, text = 'line\n') => {
    const [firstSeq, lastSeq] = [seq + 1, seq + lines];
    seq = lastSeq;
    writer.addBlock({
      source: NAME,
      run,
      firstSeq,
      lastSeq,
      fromAt: firstSeq,
      toAt: lastSeq,
      nextEvent: seq + 1,
      text,
    });
  };
  return {
    writer,
    write,
    fenced,
    untilConfirmed: (line: number) => vi.waitFor(() => expect(writer.progress.confirmed).toBe(line)),
  };
}

async function entries(bus: Bus): Promise<StreamEntry[]> {
  return (await bus.range(blocksKey(NAME), '-', 1000)).flatMap((raw) => entryFrom(raw) ?? []);
}

const shown = (list: readonly StreamEntry[]) =>
  list.map(({ kind, run, first, last }) => `${kind} ${run}: ${first}-${last}`);

test('blocks are on the bus once and in order, even if replies are lost', async () => {
  const bus = await openBus();
  const { write, untilConfirmed } = writerOf(bus, 5);
  write(10);
  await untilConfirmed(10);
  for (let n = 1; n < 20; n++) {
    write(10);
    if (n % 4 === 1) bus.connection.cut();
    if (n % 4 === 3) bus.connection.heal();
  }
  await untilConfirmed(200);
  const found = await entries(bus);
  expect(found.map(({ first }) => first)).toEqual(Array.from({ length: 20 }, (_, n) => n * 10 + 1));
});

test('a block that is on the bus is not written again, although its reply was lost', async () => {
  const [bus, other] = [await openBus(), await openBus()];
  const { write, untilConfirmed } = writerOf(bus, 5);
  write(10);
  await untilConfirmed(10);
  const range = { run: 5, first: 11, last: 20, from: 11, to: 20, event: 21 };
  const arrived = { kind: 'block', ...range, bytes: Buffer.from('arrived') } as const;
  await other.add(blocksKey(NAME), { run: 5, seq: 20 }, fieldsOfEntry(arrived));
  write(10);
  write(5);
  await untilConfirmed(25);
  expect(shown(await entries(bus))).toEqual(['block 5: 1-10', 'block 5: 11-20', 'block 5: 21-25']);
});

test('an older run is refused once a newer run has written, and stops', async () => {
  const [firstBus, secondBus] = [await openBus(), await openBus()];
  const older = writerOf(firstBus, 5);
  older.write(10);
  await older.untilConfirmed(10);
  const later = writerOf(secondBus, 6);
  await later.writer.noteKept();
  later.write(3);
  await later.untilConfirmed(3);
  older.write(10);
  await vi.waitFor(() => expect(older.fenced).toHaveBeenCalledOnce());
  expect(shown(await entries(firstBus))).toEqual(['block 5: 1-10', 'block 6: 1-3']);
});

test('after a bus was full, it gets a gap for what was dropped, and the whole state that the gap names', async () => {
  const bus = await openBus();
  const { write, untilConfirmed, writer } = writerOf(bus, 5, { limits: { bytes: 100, ms: 1e9 } });
  write(10);
  await untilConfirmed(10);
  await bus.connection.call('CONFIG', 'SET', 'maxmemory', '1');
  write(10);
  await vi.waitFor(() => expect(writer.progress.failing).toBe('full'));
  for (let n = 0; n < 8; n++) write(10);
  await vi.waitFor(() => expect(writer.progress.hasGap).toBe(true));
  await bus.connection.call('CONFIG', 'SET', 'maxmemory', '0');
  await untilConfirmed(100);
  const found = await entries(bus);
  const gap = found.find((entry) => entry.kind === 'gap');
  expect(gap).toMatchObject({ first: 11, reason: 'bus-full' });
  for (const [n, { first }] of found.entries()) expect(first).toBe((found[n - 1]?.last ?? 0) + 1);
  const states = (await bus.range(statesKey(NAME), '-', 10)).flatMap((raw) => stateFrom(raw) ?? []);
  expect(states.map(({ seq }) => seq)).toContain(gap?.kind === 'gap' ? gap.state : 0);
});

test('if the bus has lost its data, blocks written afterwards are confirmed', async () => {
  const bus = await openBus();
  const { write, untilConfirmed } = writerOf(bus, 5);
  write(10);
  await untilConfirmed(10);
  await bus.connection.call('FLUSHALL');
  bus.connection.cut();
  write(10);
  bus.connection.heal();
  await untilConfirmed(20);
  write(1);
  await untilConfirmed(21);
});

test('entries beyond the size that the bus keeps are dropped', async () => {
  const bus = await openBus();
  const { write, untilConfirmed } = writerOf(bus, 5, { keep: { ms: 1e9, bytes: 2000 } });
  for (let n = 0; n < 40; n++) write(1);
  await untilConfirmed(40);
  const found = await entries(bus);
  expect(found.length).toBeLessThan(12);
  expect(found.at(-1)?.last).toBe(40);
});

test('only one of two processes gets the lease, and the other gets it once it is released', async () => {
  const [firstBus, secondBus] = [await openBus(), await openBus()];
  const [first, second] = [new Lease(firstBus, 'lease', 'first'), new Lease(secondBus, 'lease', 'second')];
  expect([await first.take(), await second.take()]).toEqual([true, false]);
  await second.end(); // it does not have the lease, so this gives up nothing
  expect(await second.take()).toBe(false);
  await first.end();
  expect(await second.take()).toBe(true);
});

test('a process whose lease another process has acquired learns that at its next renewal', async () => {
  const [firstBus, secondBus] = [await openBus(), await openBus()];
  const times = { leaseMs: 60_000, renewMs: 5 };
  const [first, second] = [
    new Lease(firstBus, 'lease', 'first', times),
    new Lease(secondBus, 'lease', 'second', times),
  ];
  await first.take();
  const lost = vi.fn();
  first.keep(lost);
  await firstBus.connection.call('DEL', 'lease');
  while (!(await second.take())) await firstBus.connection.call('DEL', 'lease');
  await vi.waitFor(() => expect(lost).toHaveBeenCalledOnce());
});
