import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { parseRedisUrl } from '../../shared/base/redis-url.ts';
import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { pulse } from '../fleet/testing/pulses.ts';
import { type LocalRedis, startLocalRedis } from '../redis/private-server/local-redis.ts';
import { makeMemoryObservatory } from '../testing/memory-observatory.ts';
import type { ObservedBatch } from '../watch/terms/observed-batch.ts';
import type { KeptStream } from '../watch/topology/options.ts';
import { Bus } from './bus.ts';
import { BusKeeper } from './bus-keeper.ts';
import { PulseWriter } from './pulse-writer.ts';

const BEGAN = 1_700_000_000_000_000;
const SECOND = 1_000_000;

let redis: LocalRedis;
let bus: Bus;

beforeAll(async () => {
  redis = await startLocalRedis();
  const url = parseRedisUrl(redis.url);
  if (!url.ok) throw new Error(url.error);
  bus = new Bus(url.value);
  await bus.connection.whenReady(10_000);
});
beforeEach(() => bus.connection.call('FLUSHALL'));
afterAll(async () => {
  bus.close();
  await redis.stop();
});

/** The stream of one source, as the test makes it. `at`: its present instant. */
class Stream implements KeptStream {
  at = BEGAN;
  lagMs = 0;
  #take: (batch: ObservedBatch) => void = () => undefined;
  #seq = 0;

  onBatch(take: (batch: ObservedBatch) => void): void {
    this.#take = take;
  }
  sources() {
    return makeMemoryObservatory()
      .sources()
      .map((source) => ({ ...source, lagMs: this.lagMs }));
  }
  standing() {
    return { nextEvent: this.#seq + 1, text: function* () {} } as unknown as ReturnType<KeptStream['standing']>;
  }
  now() {
    return redisTime(this.at);
  }
  /** A lock is acquired now. */
  acquire(): void {
    const seq = ++this.#seq;
    const event = { seq, at: redisTime(this.at), source: 'main', db: 0, lock: 'orders', type: 'lock.acquired' };
    const events = [event as unknown as LockEvent];
    this.#take({ fromSeq: seq, toSeq: seq, events, changed: [], gone: [], sourcesChanged: false });
  }
}

const begin = () =>
  BusKeeper.begin(bus, {
    ...{ name: 'one', keep: { ms: 3_600_000, bytes: 1e9 } },
    fenced: () => undefined,
    warn: () => undefined,
  });

async function watching(): Promise<{ keeper: BusKeeper; stream: Stream }> {
  const keeper = await begin();
  const stream = new Stream();
  keeper.follow(stream);
  stream.acquire();
  keeper.writeBlock();
  await vi.waitFor(() => expect(keeper.wholeUntil).toBeDefined());
  return { keeper, stream };
}

/** Writes one pulse, as the observer of the keeper does. */
async function beat(keeper: BusKeeper, at: number): Promise<void> {
  const written = new PulseWriter(bus, 'one', keeper.run, async () =>
    pulse('one', { at, wholeUntil: keeper.wholeUntil }),
  );
  written.start();
  await vi.waitFor(async () => expect(await bus.newest('lockscope:{one}:pulse', 1)).toHaveLength(1));
  written.stop();
}

test('if an observer is killed before it has written an event, the time since its last block is unwatched', async () => {
  const { keeper, stream } = await watching();
  stream.at += 10 * SECOND;
  stream.acquire(); // seen, and never written
  expect(keeper.wholeUntil).toBeUndefined();
  await beat(keeper, stream.at);
  expect((await begin()).watchedUntil()).toBe(BEGAN);
});

test('if a killed observer had nothing left to write, the time until shortly before its last pulse is watched', async () => {
  const { keeper, stream } = await watching();
  stream.at += 10 * SECOND;
  await beat(keeper, stream.at);
  expect((await begin()).watchedUntil()).toBe(stream.at - SECOND);
});

test('the time by which an observer lags behind Redis is unwatched', async () => {
  const { keeper, stream } = await watching();
  stream.at += 20 * SECOND;
  stream.lagMs = 12_000;
  await beat(keeper, stream.at);
  expect((await begin()).watchedUntil()).toBe(stream.at - 13 * SECOND);
});
