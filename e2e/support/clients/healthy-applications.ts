import { randomBytes, randomUUID } from 'node:crypto';
import { pause } from '../wait-for.ts';
import { type App, connectApp } from './app.ts';

/** A script that deletes or renews a key only if it has this token, as applications write it. */
const DELETE_IF = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;
const RENEW_IF = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0`;

/** Connections of one application, and the time at which it ends. */
type Part = { readonly apps: readonly App[]; readonly isOver: () => boolean; readonly redisUrl: string };
type Play = (part: Part) => Promise<void>;

/** Does something again and again, with a pause in between. */
async function every(ms: number, { isOver }: Part, act: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    await act(n);
    await pause(ms);
  }
}

const one = ({ apps }: Part, n: number): App => apps[n % apps.length]!;
const set = (app: App, key: string, value: string, ...how: string[]) => app.command('SET', key, value, ...how);

/**
 * What applications keep in Redis with the commands of locks, though it is not a lock. Each of these keys begins with the
 * name of its play.
 */
const NO_LOCKS: Readonly<Record<string, Play>> = {
  // each message at most once, though it arrives again and again
  message: (part) =>
    every(30, part, (n) => set(one(part, n), `message:${Math.floor(n / 12)}`, randomUUID(), 'NX', 'PX', '60000')),
  // one mail in five seconds
  mail: (part) => every(40, part, (n) => set(one(part, n), 'mail:42', randomUUID(), 'NX', 'EX', '5')),
  // the session of an account, from its login to its logout
  account: (part) =>
    every(500, part, async (n) => {
      const key = 'account:42';
      await set(one(part, n), key, randomBytes(16).toString('hex'), 'EX', '3600');
      await pause(12_000);
      await one(part, n).command('DEL', key);
    }),
  // a link that is valid once
  link: (part) =>
    every(8000, part, async (n) => {
      await set(one(part, n), 'link:42', randomUUID(), 'EX', '900');
      await pause(12_000);
      await one(part, n + 1).command('GETDEL', 'link:42');
    }),
  refresh: (part) => every(3000, part, (n) => set(one(part, n), 'refresh:token:42', randomUUID(), 'EX', '900')),
  page: (part) =>
    every(50, part, async (n) => {
      const key = `page:${n % 5}`;
      if (n % 60 === 0) await one(part, n).command('DEL', key);
      if ((await one(part, n).command('GET', key)) === null)
        await set(one(part, n), key, `{"html":"${randomUUID()}"}`, 'NX', 'EX', '60');
    }),
  etag: (part) =>
    every(200, part, async (n) => {
      if (n % 40 === 39) await one(part, n).command('DEL', 'etag:home');
      await set(one(part, n), 'etag:home', randomBytes(20).toString('hex'), 'NX', 'EX', '300');
    }),
  rate: (part) =>
    every(20, part, async (n) => {
      const key = `rate:${n % 3}:${Math.floor(Date.now() / 1000)}`;
      if ((await one(part, n).command('INCR', key)) === 1) await one(part, n).command('EXPIRE', key, '2');
    }),
  // the application that queues a job sets the key, and the worker that ran it deletes it
  unique: (part) =>
    every(300, part, async (n) => {
      const [queue, worker] = part.apps as [App, App];
      await set(queue, `unique:job:${n % 2}`, randomUUID(), 'NX', 'EX', '600');
      await pause(100);
      await worker.command('DEL', `unique:job:${n % 2}`);
    }),
  heartbeat: (part) => every(500, part, (n) => set(one(part, n), `heartbeat:${n % 2}`, randomUUID(), 'EX', '10')),
};

/** Locks of applications that work as they should. */
const HEALTHY_LOCKS: Readonly<Record<string, Play>> = {
  // one candidate leads, and the others attempt every second to take over
  async leader(part) {
    const candidates = part.apps.map(async (app, n) => {
      const token = `node-${n}-${randomUUID()}`;
      await every(1000, part, async () => {
        if ((await app.command('EVAL', RENEW_IF, '1', 'leader:scheduler', token, '6000')) === 1) return;
        await set(app, 'leader:scheduler', token, 'NX', 'PX', '6000');
      });
    });
    await Promise.all(candidates);
  },
  async pool(part) {
    const workers = part.apps.flatMap((app) =>
      [1, 2].map(() =>
        every(5, part, async () => {
          const token = randomUUID();
          while ((await set(app, 'lock:stock', token, 'NX', 'PX', '30000')) === null) {
            if (part.isOver()) return;
            await pause(25);
          }
          await pause(10);
          await app.command('EVAL', DELETE_IF, '1', 'lock:stock', token);
        }),
      ),
    );
    await Promise.all(workers);
  },
  // attempts 30 times a second to become the one that works, and does something else if it is refused
  async trial(part) {
    const tries = part.apps.map((app) =>
      every(33, part, async () => {
        const token = randomUUID();
        if ((await set(app, 'lock:cron', token, 'NX', 'PX', '30000')) === null) return;
        await pause(300);
        await app.command('EVAL', DELETE_IF, '1', 'lock:cron', token);
      }),
    );
    await Promise.all(tries);
  },
  // a job at most once in some seconds: its lease runs out on purpose
  once: (part) =>
    every(500, part, (n) => set(one(part, n), 'lock:job:minutely', `${one(part, n).uuid}`, 'NX', 'PX', '4000')),
  // a process that lives for one job
  async brief(part) {
    await every(100, part, async () => {
      const app = await connectApp(part.redisUrl);
      const token = randomUUID();
      if ((await set(app, 'lock:import', token, 'NX', 'PX', '20000')) !== null) {
        await pause(300);
        await app.command('EVAL', DELETE_IF, '1', 'lock:import', token);
      }
      await app.close();
    });
  },
};

export const PLAYS_WITHOUT_LOCKS = Object.keys(NO_LOCKS);

/** Runs all applications, each over two connections of its own, and returns when they have ended. */
export async function runHealthyApplications(redisUrl: string, untilMs: number): Promise<void> {
  const isOver = () => Date.now() > untilMs;
  const plays = Object.values({ ...NO_LOCKS, ...HEALTHY_LOCKS }).map(async (play) => {
    const apps = await Promise.all([connectApp(redisUrl), connectApp(redisUrl)]);
    await play({ apps, isOver, redisUrl });
    for (const app of apps) await app.close();
  });
  await Promise.all(plays);
}
