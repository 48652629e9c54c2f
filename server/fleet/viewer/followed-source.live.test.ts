import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { parseRedisUrl } from '../../../shared/base/redis-url.ts';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { timeOfStep } from '../../../shared/recording/steps-from-recording.ts';
import type { Step } from '../../../shared/signals/step.ts';
import { signalsFromTrace, stepsFromSignals } from '../../../testing/traces/trace-file.ts';
import { Bus } from '../../bus/bus.ts';
import { BusKeeper } from '../../bus/bus-keeper.ts';
import { blocksKey } from '../../bus/bus-keys.ts';
import { type LocalRedis, startLocalRedis } from '../../redis/private-server/local-redis.ts';
import { makeMemoryObservatory } from '../../testing/memory-observatory.ts';
import type { Answers } from '../../watch/answers/answers.ts';
import { SeqRuns } from '../../watch/observer/seq-runs.ts';
import { Pipeline } from '../../watch/source/pipeline.ts';
import { EventStore } from '../../watch/store/event-store.ts';
import { sharesOf } from '../../watch/terms/memory-shares.ts';
import { FollowedSource } from './followed-source.ts';
import { Pulses } from './pulses.ts';

const NAME = 'one';
let redis: LocalRedis;
let bus: Bus;

beforeAll(async () => {
  redis = await startLocalRedis();
});
beforeEach(async () => {
  const url = parseRedisUrl(redis.url);
  if (!url.ok) throw new Error(url.error);
  bus = new Bus(url.value);
  await bus.connection.whenReady(10_000);
  await bus.connection.call('FLUSHALL');
});
afterEach(() => bus.close());
afterAll(() => redis?.stop());

function stepsOf(trace: string): Step[] {
  const file = new URL(`../../../shared/traces/redisson-4.7.0/${trace}.trace`, import.meta.url);
  return stepsFromSignals(signalsFromTrace(readFileSync(file, 'latin1')), true);
}

/** An observer of a recorded server: the parts between the signals and the bus. */
class Observed {
  readonly live: EventStore;
  readonly keeper: BusKeeper;
  readonly #pipeline: Pipeline;
  #at: RedisTime = redisTime(0);

  private constructor(keeper: BusKeeper) {
    this.keeper = keeper;
    this.live = new EventStore(() => this.#at, undefined, Number.POSITIVE_INFINITY);
    const seqs = new SeqRuns();
    const add = (events: Parameters<SeqRuns['renumber']>[0]) =>
      this.live.add(seqs.renumber(events, this.live.history.nextSeq()));
    this.#pipeline = new Pipeline('redis', add);
    const sources = makeMemoryObservatory().sources();
    const stream = { standing: () => this.live.standing(), now: () => this.#at, sources: () => sources };
    keeper.follow({ ...stream, onBatch: this.live.answers.onBatch });
  }

  static async begin(bytes = 100_000): Promise<Observed> {
    const keep = { ms: Number.POSITIVE_INFINITY, bytes: 1e9 };
    const limits = { bytes, ms: Number.POSITIVE_INFINITY };
    const options = { name: NAME, keep, limits, retryMs: 10, fenced: () => undefined, warn: () => undefined };
    return new Observed(await BusKeeper.begin(bus, options));
  }

  /** Takes steps, in blocks of some of them. */
  take(steps: readonly Step[]): void {
    for (const [n, step] of steps.entries()) {
      this.#at = redisTime(Math.max(this.#at, timeOfStep(step)));
      this.#pipeline.take([step]);
      if (n % 10 === 9) this.keeper.writeBlock();
    }
    this.keeper.writeBlock();
  }

  /** Takes steps, ten at a time, and waits until the bus has them. */
  async takeSlowly(steps: readonly Step[]): Promise<void> {
    for (let n = 0; n < steps.length; n += 10) {
      this.take(steps.slice(n, n + 10));
      await this.untilWritten();
    }
  }

  /** Waits until the bus has everything. */
  untilWritten(): Promise<void> {
    const { writer } = this.keeper;
    return vi.waitFor(() => {
      expect(writer.progress).toMatchObject({ waitingBytes: 0, hasGap: false });
      expect(writer.progress.confirmed).toBe(this.keeper.lines);
    });
  }
}

async function followed(): Promise<FollowedSource> {
  const source = new FollowedSource(NAME, bus, new Pulses(bus), sharesOf());
  await source.start();
  return source;
}

async function locksOf({ lockPage, clientPage }: Pick<Answers, 'lockPage' | 'clientPage'>) {
  const { locks } = await lockPage({ from: 0, limit: 1000, isWanted: () => true });
  return { locks, clients: await clientPage({ from: 0, limit: 1000 }) };
}

test.each(['herd', 'fair', 'read-write', 'semaphore'])(
  'a viewer that follows the trace %s from its beginning, its middle or its end shows the locks of its observer',
  async (trace) => {
    const steps = stepsOf(trace);
    const [early, middle] = [Math.round(steps.length / 2), Math.round(steps.length * 0.75)];
    const observed = await Observed.begin();
    observed.take(steps.slice(0, early));
    await observed.untilWritten();
    const first = await followed();
    observed.take(steps.slice(early, middle));
    observed.keeper.checkpoint();
    await observed.untilWritten();
    const second = await followed();
    observed.take(steps.slice(middle));
    await observed.untilWritten();
    const third = await followed();
    const expected = await locksOf(observed.live.answers);
    for (const viewer of [first, second, third]) {
      await vi.waitFor(async () => expect(await locksOf(viewer.observatory)).toEqual(expected));
      viewer.stop();
    }
  },
);

test('after lines that never reached the bus, a viewer shows the state that follows them', async () => {
  const steps = stepsOf('herd');
  const [early, middle] = [Math.round(steps.length / 2), Math.round(steps.length * 0.75)];
  const observed = await Observed.begin(1000);
  await observed.takeSlowly(steps.slice(0, early));
  const viewer = await followed();
  await bus.connection.call('CONFIG', 'SET', 'maxmemory', '1');
  observed.take(steps.slice(early, middle));
  await vi.waitFor(() => expect(observed.keeper.writer.progress.hasGap).toBe(true));
  await bus.connection.call('CONFIG', 'SET', 'maxmemory', '0');
  await observed.untilWritten();
  await observed.takeSlowly(steps.slice(middle));
  const { locks } = await locksOf(observed.live.answers);
  await vi.waitFor(async () => expect((await locksOf(viewer.observatory)).locks).toEqual(locks));
  const spots = await viewer.observatory.history.search({ type: 'blind-spot.began', limit: 50 });
  expect(spots.events).toHaveLength(1);
  viewer.stop();
});

test('after lines that the bus dropped, memory is whole from the first line of a new run', async () => {
  const steps = stepsOf('herd');
  const [early, middle] = [Math.round(steps.length * 0.6), Math.round(steps.length * 0.75)];
  const observed = await Observed.begin();
  observed.take(steps.slice(0, early));
  await observed.untilWritten();
  await bus.connection.call('DEL', blocksKey(NAME));
  const viewer = await followed();
  await observed.takeSlowly(steps.slice(early, middle));
  await vi.waitFor(async () => expect(await viewer.observatory.history.count()).toBeGreaterThan(0));
  expect(viewer.beganAt).toBeUndefined();
  const again = await Observed.begin();
  again.take(steps.slice(middle));
  await again.untilWritten();
  await vi.waitFor(() => expect(viewer.beganAt).toBeGreaterThan(timeOfStep(steps[middle - 1] as Step)));
  viewer.stop();
});

test.each(['and has a state', 'and has no state'])(
  'memory is whole from the first state after lines that the bus dropped, if a viewer begins after them %s',
  async (how) => {
    const steps = stepsOf('herd');
    const [early, middle] = [Math.round(steps.length / 2), Math.round(steps.length * 0.75)];
    const observed = await Observed.begin();
    observed.take(steps.slice(0, early));
    if (how === 'and has a state') observed.keeper.checkpoint();
    observed.take(steps.slice(early, middle));
    await observed.untilWritten();
    await bus.connection.call('DEL', blocksKey(NAME));
    const viewer = await followed();
    await observed.takeSlowly(steps.slice(middle, -10));
    await vi.waitFor(async () => expect(await viewer.observatory.history.count()).toBeGreaterThan(0));
    expect(viewer.beganAt).toBeUndefined();
    observed.take(steps.slice(-10));
    observed.keeper.checkpoint();
    await observed.untilWritten();
    const expected = await locksOf(observed.live.answers);
    await vi.waitFor(async () => expect((await locksOf(viewer.observatory)).locks).toEqual(expected.locks));
    expect(viewer.beganAt).toBeGreaterThan(timeOfStep(steps[middle - 1] as Step));
    viewer.stop();
  },
);
