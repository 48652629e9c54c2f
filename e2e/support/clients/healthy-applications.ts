import { randomBytes, randomUUID } from 'node:crypto';
import { pause } from '../wait-for.ts';
import { type App, connectApp } from './app.ts';

/** Scripts that delete or renew a key only if its value is the token of the caller, as applications write them. */
const DELETE_IF = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;
const RENEW_IF = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0`;

/** The connections of one application to `redisUrl`, and whether its time is over. */
type Context = { readonly apps: readonly App[]; readonly isOver: () => boolean; readonly redisUrl: string };
type Activity = (context: Context) => Promise<void>;

/** Calls `act` until the time is over, with a pause of `ms` after each call. */
async function every(ms: number, { isOver }: Context, act: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    await act(n);
    await pause(ms);
  }
}

const nthApp = ({ apps }: Context, n: number): App => apps[n % apps.length]!;
const set = (app: App, key: string, value: string, ...how: string[]) => app.command('SET', key, value, ...how);

/**
 * Keys that are not locks, though applications write them with the commands of locks. Each key begins with the name of
 * its activity.
 */
const NOT_LOCKS: Readonly<Record<string, Activity>> = {
  // handles each message once, though it arrives 12 times
  message: (context) =>
    every(30, context, (n) =>
      set(nthApp(context, n), `message:${Math.floor(n / 12)}`, randomUUID(), 'NX', 'PX', '60000'),
    ),
  // sends at most one mail in five seconds
  mail: (context) => every(40, context, (n) => set(nthApp(context, n), 'mail:42', randomUUID(), 'NX', 'EX', '5')),
  // the session of an account, from its login to its logout
  account: (context) =>
    every(500, context, async (n) => {
      const key = 'account:42';
      await set(nthApp(context, n), key, randomBytes(16).toString('hex'), 'EX', '3600');
      await pause(12_000);
      await nthApp(context, n).command('DEL', key);
    }),
  // a link that is valid once
  link: (context) =>
    every(8000, context, async (n) => {
      await set(nthApp(context, n), 'link:42', randomUUID(), 'EX', '900');
      await pause(12_000);
      await nthApp(context, n + 1).command('GETDEL', 'link:42');
    }),
  refresh: (context) =>
    every(3000, context, (n) => set(nthApp(context, n), 'refresh:token:42', randomUUID(), 'EX', '900')),
  page: (context) =>
    every(50, context, async (n) => {
      const key = `page:${n % 5}`;
      if (n % 60 === 0) await nthApp(context, n).command('DEL', key);
      if ((await nthApp(context, n).command('GET', key)) === null)
        await set(nthApp(context, n), key, `{"html":"${randomUUID()}"}`, 'NX', 'EX', '60');
    }),
  etag: (context) =>
    every(200, context, async (n) => {
      if (n % 40 === 39) await nthApp(context, n).command('DEL', 'etag:home');
      await set(nthApp(context, n), 'etag:home', randomBytes(20).toString('hex'), 'NX', 'EX', '300');
    }),
  rate: (context) =>
    every(20, context, async (n) => {
      const key = `rate:${n % 3}:${Math.floor(Date.now() / 1000)}`;
      if ((await nthApp(context, n).command('INCR', key)) === 1) await nthApp(context, n).command('EXPIRE', key, '2');
    }),
  // the application that queues a job sets the key, and the worker that ran it deletes it
  unique: (context) =>
    every(300, context, async (n) => {
      const [queue, worker] = context.apps as [App, App];
      await set(queue, `unique:job:${n % 2}`, randomUUID(), 'NX', 'EX', '600');
      await pause(100);
      await worker.command('DEL', `unique:job:${n % 2}`);
    }),
  heartbeat: (context) =>
    every(500, context, (n) => set(nthApp(context, n), `heartbeat:${n % 2}`, randomUUID(), 'EX', '10')),
};

/** Locks of applications that work as they should. */
const HEALTHY_LOCKS: Readonly<Record<string, Activity>> = {
  // one candidate leads, and the others attempt every second to take over
  async leader(context) {
    const candidates = context.apps.map(async (app, n) => {
      const token = `node-${n}-${randomUUID()}`;
      await every(1000, context, async () => {
        if ((await app.command('EVAL', RENEW_IF, '1', 'leader:scheduler', token, '6000')) === 1) return;
        await set(app, 'leader:scheduler', token, 'NX', 'PX', '6000');
      });
    });
    await Promise.all(candidates);
  },
  async pool(context) {
    const workers = context.apps.flatMap((app) =>
      [1, 2].map(() =>
        every(5, context, async () => {
          const token = randomUUID();
          while ((await set(app, 'lock:stock', token, 'NX', 'PX', '30000')) === null) {
            if (context.isOver()) return;
            await pause(25);
          }
          await pause(10);
          await app.command('EVAL', DELETE_IF, '1', 'lock:stock', token);
        }),
      ),
    );
    await Promise.all(workers);
  },
  // over each of two connections, a process attempts 30 times a second to run the job, and does other work if the lock is held
  async trial(context) {
    const tries = context.apps.map((app) =>
      every(33, context, async () => {
        const token = randomUUID();
        if ((await set(app, 'lock:cron', token, 'NX', 'PX', '30000')) === null) return;
        await pause(300);
        await app.command('EVAL', DELETE_IF, '1', 'lock:cron', token);
      }),
    );
    await Promise.all(tries);
  },
  // a job that runs at most once in 4 s: its lease runs out on purpose
  once: (context) =>
    every(500, context, (n) =>
      set(nthApp(context, n), 'lock:job:minutely', `${nthApp(context, n).uuid}`, 'NX', 'PX', '4000'),
    ),
  // a process that lives for one job
  async brief(context) {
    await every(100, context, async () => {
      const app = await connectApp(context.redisUrl);
      const token = randomUUID();
      if ((await set(app, 'lock:import', token, 'NX', 'PX', '20000')) !== null) {
        await pause(300);
        await app.command('EVAL', DELETE_IF, '1', 'lock:import', token);
      }
      await app.close();
    });
  },
};

export const ACTIVITIES_WITHOUT_LOCKS = Object.keys(NOT_LOCKS);

/** Runs all applications, each over two connections of its own, and returns when they have ended. */
export async function runHealthyApplications(redisUrl: string, untilMs: number): Promise<void> {
  const isOver = () => Date.now() > untilMs;
  const activities = Object.values({ ...NOT_LOCKS, ...HEALTHY_LOCKS }).map(async (activity) => {
    const apps = await Promise.all([connectApp(redisUrl), connectApp(redisUrl)]);
    await activity({ apps, isOver, redisUrl });
    for (const app of apps) await app.close();
  });
  await Promise.all(activities);
}
