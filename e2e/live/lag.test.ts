import { afterEach, expect, test } from 'vitest';
import { type App, connectApp } from '../support/app.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts';
import { type Lockscope, startLockscope } from '../support/lockscope.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';
import { pause, waitFor } from '../support/wait-for.ts';

/** Lockscope asks Redis for a sign of life this often. Between two of them it cannot know more. */
const BEAT_MS = 200;
const STOP_MS = 1500;
const STOPS = 2;
const CHECKS = 15;
/** Redis must have run this many, or the check shows nothing. */
const FEWEST_MARKERS = 50;
const LEASE_MS = 600_000;

let end: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of end.reverse()) await one();
  end = [];
});

/** The re-entries of one thread. The hold count is the number of the newest. */
class Markers {
  readonly #doneAt: number[] = [];
  readonly #app: App;
  #isOver = false;

  constructor(app: App) {
    this.#app = app;
  }

  async run(): Promise<void> {
    while (!this.#isOver) {
      await this.#app.acquire('marker', { leaseMs: LEASE_MS });
      this.#doneAt.push(Date.now());
    }
  }

  stop(): void {
    this.#isOver = true;
  }

  /** How many of them Redis had run by then, by this machine's clock in ms. */
  doneBy(instant: number): number {
    return this.#doneAt.filter((doneAt) => doneAt <= instant).length;
  }
}

/**
 * What a health answer promises, and what is shown: the state is read after the answer, so it may only be newer. Undefined
 * while nothing is watched.
 */
async function promiseOf(lockscope: Lockscope) {
  const { at, sources } = await lockscope.health();
  const [source] = sources;
  if (source?.status !== 'observing') return undefined;
  const { lagMs, clockOffsetMs } = source;
  const marker = (await lockscope.locks()).find(({ name }) => name === 'marker');
  const shown = marker?.holders[0]?.holdCount ?? 0;
  return { until: at / 1000 - clockOffsetMs - lagMs - BEAT_MS, lagMs, shown };
}

type Watched = { redis: RunningRedis; proxy: CuttingProxy; lockscope: Lockscope; markers: Markers };

/** A Lockscope behind a proxy, a thread that sets markers, and a client that keeps Redis and the machine busy. */
async function watchMarkers(level: string, flags: string): Promise<Watched> {
  const redis = await startRedis({ 'notify-keyspace-events': flags, 'client-output-buffer-limit': 'pubsub 0 0 0' });
  end.push(() => redis.stop());
  const proxy = await startCuttingProxy(redis.port);
  end.push(() => proxy.close());
  const app = await connectApp(redis.url);
  end.push(() => app.close());
  await app.acquire('busy', { leaseMs: LEASE_MS });
  await app.acquire('marker', { leaseMs: LEASE_MS });
  const lockscope = await startLockscope(`redis://127.0.0.1:${proxy.port}`, ['--observe', level]);
  end.push(() => lockscope.stop());
  await waitFor('the marker', async () => (await lockscope.lock('marker'))?.held);
  const markers = new Markers(app);
  await app.release('marker', { leaseMs: LEASE_MS });
  const run = markers.run();
  end.push(async () => {
    markers.stop();
    await run;
  });
  end.push(await keepBusy(redis.url));
  return { redis, proxy, lockscope, markers };
}

/** A client that asks for a held lock without a pause; returns how to end it. */
async function keepBusy(url: string): Promise<() => Promise<void>> {
  let isOver = false;
  const app = await connectApp(url);
  const run = (async () => {
    while (!isOver) await Promise.all(Array.from({ length: 10 }, () => app.acquire('busy', { leaseMs: LEASE_MS })));
  })();
  return async () => {
    isOver = true;
    await run;
    await app.close();
  };
}

const WAYS = [
  { level: 'monitor', flags: 'Exe', by: 'MONITOR' },
  { level: 'events', flags: 'Eghxe', by: 'notifications' },
  { level: 'events', flags: '', by: 'client tracking' },
];

test.each(WAYS)(
  'at level $level by $by: what is shown is never older than the lag says',
  { timeout: 300_000 },
  async ({ level, flags }) => {
    const { proxy, lockscope, markers } = await watchMarkers(level, flags);
    const late: string[] = [];
    let longestMs = 0;
    let promises = 0;
    const check = async (when: string) => {
      const promise = await promiseOf(lockscope);
      if (promise === undefined) return;
      const { until, lagMs, shown } = promise;
      promises++;
      const promised = markers.doneBy(until);
      if (shown < promised) late.push(`${when}: lag ${lagMs} ms promises ${promised} markers, shown are ${shown}`);
      longestMs = Math.max(longestMs, lagMs);
    };
    // the first stop may come before the first beat
    for (let n = 0; n < STOPS; n++) {
      process.kill(lockscope.pid, 'SIGSTOP');
      await pause(STOP_MS);
      const asked = check('stopped'); // answered first of all when it goes on
      process.kill(lockscope.pid, 'SIGCONT');
      await asked;
      for (let m = 0; m < CHECKS; m++) await check('goes on');
    }
    for (let n = 0; n < CHECKS; n++) await check('busy');
    proxy.carry(100_000);
    for (let n = 0; n < CHECKS; n++) {
      await check('slow');
      await pause(BEAT_MS / 2);
    }
    proxy.carry(Number.POSITIVE_INFINITY);
    expect(late).toEqual([]);
    expect(longestMs).toBeGreaterThan(STOP_MS - BEAT_MS);
    expect(promises).toBeGreaterThan(CHECKS);
    expect(markers.doneBy(Date.now())).toBeGreaterThan(FEWEST_MARKERS);
  },
);
