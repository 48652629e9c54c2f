import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test as base, type Page } from '@playwright/test';
import { recordingBody } from '../../shared/wire/recordings.ts';
import { type App, connectApp, listenFor } from '../support/clients/app.ts';
import { type DemoProcess, startDemoProcess } from '../support/lockscope/demo-process.ts';
import { type Lockscope, launchLockscope, speakTo, startLockscope } from '../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { startMounted } from '../support/lockscope/mounted-lockscope.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';

export { expect } from '@playwright/test';

type WorkerFixtures = {
  /** A Lockscope without a Redis, on which the scenarios of a worker open recordings. */
  store: Lockscope;
};

type ScenarioFixtures = {
  /** A Redis that only this scenario uses. */
  redis: RunningRedis;
  /** `lockscope demo`. */
  demo: Lockscope;
  /** Opens the demo without Redis, as if the recorded run of a scenario had just ended. */
  recorded: (scenario: string) => Promise<Lockscope>;
  /** Starts Lockscope on `redis` with these flags, inside this process. */
  watch: (...flags: string[]) => Promise<Lockscope>;
  /** Connects an application of this name to `redis`. Its leases last as long as a scenario. */
  connect: (name: string) => Promise<App>;
  /** Connects `order-svc-1`, whose thread 1 holds this lock and whose thread 2 waits for it, asleep. */
  contend: (lock: string) => Promise<App>;
  /** Opens a recording (a file, or its bytes) without a Redis. `url` is the address of its pages. */
  openRecording: (recording: string | Buffer<ArrayBuffer>) => Promise<Pick<Lockscope, 'url' | 'locks' | 'eventsAfter'>>;
  /** Starts an application with two threads that uses locks in `redis`. */
  startApplication: (name: string, watchdogMs?: number) => Promise<DemoProcess>;
  /**
   * Whether `watch` starts Lockscope inside an application, behind a login and a proxy with TLS that removes a prefix.
   */
  isMounted: boolean;
  /** All problems of pages: errors, and what the content security policy blocked. */
  pageProblems: string[];
};

/** Long enough that no lease expires and no renewal runs during a scenario, even on a slow machine. */
const WATCHDOG_MS = 1_800_000;

/** An address where there is no Redis. */
export const NO_REDIS = 'redis://127.0.0.1:1';

/** The fixtures of the scenarios. Each one is started only if a scenario uses it, and ends with the scenario. */
export const test = base.extend<ScenarioFixtures, WorkerFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are used
  redis: async ({}, use) => {
    const redis = await startRedis();
    await use(redis);
    await redis.stop();
  },
  demo: async ({ isMounted }, use, info) => {
    info.skip(isMounted, 'an application has no demo');
    const demo = await startLockscopeProcess('demo', []);
    await use(demo);
    await demo.stop();
    await info.attach('output of lockscope demo', { body: demo.output() });
  },
  recorded: async ({ isMounted }, use, info) => {
    info.skip(isMounted, 'an application has no demo');
    // imported only here, because it loads the whole server into this process, and most scenarios do not need that
    const { startRecordedDemo } = await import('../support/lockscope/recorded-demo.ts');
    const running: Lockscope[] = [];
    await use(async (scenario) => {
      const demo = await startRecordedDemo(scenario);
      running.push(demo);
      return demo;
    });
    for (const demo of running) await demo.stop();
  },
  isMounted: [false, { option: true }],
  watch: async ({ redis, isMounted }, use, info) => {
    const running: Lockscope[] = [];
    await use(async (...flags) => {
      const lockscope = isMounted ? await startMounted(redis.url, flags) : await startLockscope(redis.url, flags);
      running.push(lockscope);
      return lockscope;
    });
    for (const lockscope of running) {
      await lockscope.stop();
      await info.attach('output of lockscope', { body: lockscope.output() });
    }
  },
  connect: async ({ redis }, use) => {
    const connected: App[] = [];
    await use(async (name) => {
      const app = await connectApp(redis.url, { name, lease: WATCHDOG_MS });
      connected.push(app);
      return app;
    });
    for (const app of connected) await app.close();
  },
  contend: async ({ redis, connect }, use) => {
    const ends: (() => Promise<void>)[] = [];
    await use(async (lock) => {
      const app = await connect('order-svc-1');
      await app.acquire(lock, { thread: 1 });
      await app.acquire(lock, { thread: 2 });
      ends.push(await listenFor(redis.url, lock));
      await app.acquire(lock, { thread: 2 });
      return app;
    });
    for (const stopListening of ends) await stopListening();
  },
  store: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are used
    async ({}, use) => {
      const store = await launchLockscope(NO_REDIS, []);
      await use(store);
      await store.stop();
    },
    { scope: 'worker' },
  ],
  openRecording: async ({ store, isMounted }, use, info) => {
    info.skip(isMounted, 'its recordings are opened beside the application');
    const opened: string[] = [];
    await use(async (recording) => {
      const name = typeof recording === 'string' ? basename(recording) : 'recording.lockscope';
      const added = await fetch(`${store.url}/api/recordings?name=${name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/octet-stream' },
        body: typeof recording === 'string' ? readFileSync(recording) : recording,
      });
      const { id } = recordingBody.parse(await added.json()).recording;
      opened.push(id);
      const { output, stop } = store;
      return speakTo({ url: `${store.url}/recordings/${id}`, output, how: output, stop });
    });
    for (const id of opened) await fetch(`${store.url}/api/recordings/${id}`, { method: 'DELETE' });
  },
  startApplication: async ({ redis }, use) => {
    const running: DemoProcess[] = [];
    await use(async (name, watchdogMs = WATCHDOG_MS) => {
      const application = await startDemoProcess({ name, redisUrl: redis.url, threads: 2, watchdogMs });
      running.push(application);
      return application;
    });
    await Promise.all(running.map((application) => application.kill()));
  },
  pageProblems: [
    async ({ context }, use) => {
      const problems: string[] = [];
      context.on('page', (page) => noteProblems(page, problems));
      await use(problems);
      base.expect(problems, 'errors on the pages of this scenario').toEqual([]);
    },
    { auto: true },
  ],
});

function noteProblems(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    const isPolicy = /content security policy/i.test(message.text());
    if (isPolicy || /Uncaught|React/.test(message.text())) problems.push(message.text());
  });
}
