import { afterEach, expect, test } from 'vitest';
import { type App, connectApp } from '../../support/clients/app.ts';
import { type LockscopeProcess, startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/servers/cutting-proxy.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';
import { pause, waitFor } from '../../support/wait-for.ts';

/** Lockscope checks this often that Redis answers. Between two checks it cannot know more. */
const BEAT_MS = 200;
const STOP_MS = 1500;
const STOPS = 2;
const CHECKS = 15;
/** Redis must have run at least this many markers, otherwise the checks prove nothing. */
const FEWEST_MARKERS = 50;
const LEASE_MS = 600_000;

let end: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const each of end.reverse()) await each();
  end = [];
});

/** The re-entries of one thread. The hold count is the number of the newest one. */
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

  /** How many markers Redis had run by `instant`, in ms of this machine's clock. */
  doneBy(instant: number): number {
    return this.#doneAt.filter((doneAt) => doneAt <= instant).length;
  }
}

/**
 * The newest instant that a health answer promises, and the state that is shown. The state is read after the answer, so
 * it can only be newer. `undefined` while no source is watched.
 */
async function promiseOf(lockscope: LockscopeProcess) {
  const { at, sources } = await lockscope.health();
  const [source] = sources;
  if (source?.status !== 'observing') return undefined;
  const { lagMs, clockOffsetMs } = source;
  const marker = (await lockscope.locks()).find(({ name }) => name === 'marker');
  const shown = marker?.holders[0]?.holdCount ?? 0;
  return { until: at / 1000 - clockOffsetMs - lagMs - BEAT_MS, lagMs, shown };
}

type Watched = { redis: RunningRedis; proxy: CuttingProxy; lockscope: LockscopeProcess; markers: Markers };

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
  const lockscope = await startLockscopeProcess(`redis://127.0.0.1:${proxy.port}`, ['--observe', level]);
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

/** Starts a client that attempts to acquire a held lock without a pause. Returns a function that ends it. */
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
  'at level $level by $by, the state that is shown is never older than the reported lag and one beat',
  { timeout: 300_000 },
  async ({ level, flags }) => {
    const { proxy, lockscope, markers } = await watchMarkers(level, flags);
    const late: string[] = [];
    let longestMs = 0;
    let promiseCount = 0;
    const check = async (when: string) => {
      const promise = await promiseOf(lockscope);
      if (promise === undefined) return;
      const { until, lagMs, shown } = promise;
      promiseCount++;
      const promised = markers.doneBy(until);
      if (shown < promised) late.push(`${when}: lag ${lagMs} ms promises ${promised} markers, shown are ${shown}`);
      longestMs = Math.max(longestMs, lagMs);
    };
    // the first stop may come before the first beat
    for (let n = 0; n < STOPS; n++) {
      process.kill(lockscope.pid, 'SIGSTOP');
      await pause(STOP_MS);
      const asked = check('stopped'); // the first request that Lockscope answers after SIGCONT
      process.kill(lockscope.pid, 'SIGCONT');
      await asked;
      for (let m = 0; m < CHECKS; m++) await check('goes on');
    }
    for (let n = 0; n < CHECKS; n++) await check('busy');
    proxy.limitRate(100_000);
    for (let n = 0; n < CHECKS; n++) {
      await check('slow');
      await pause(BEAT_MS / 2);
    }
    proxy.limitRate(Number.POSITIVE_INFINITY);
    expect(late).toEqual([]);
    expect(longestMs).toBeGreaterThan(STOP_MS - BEAT_MS);
    expect(promiseCount).toBeGreaterThan(CHECKS);
    expect(markers.doneBy(Date.now())).toBeGreaterThan(FEWEST_MARKERS);
  },
);
