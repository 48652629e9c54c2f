import { afterEach, expect, test } from 'vitest';
import { type Lockscope, startLockscope } from '../support/lockscope.ts';
import { EVERY_KIND, isCounting } from '../support/random-lock.ts';
import { runRandomProgram } from '../support/random-program.ts';
import { type RunningRedis, startRedis } from '../support/redis.ts';
import { seedOfRun } from '../support/seeded.ts';
import { differencesFromRedis, waitUntilSame } from '../support/world-checks.ts';

const HELD = EVERY_KIND.filter((lock) => !isCounting(lock));
/** How much more than usual: `RANDOM_TIMES=20` is a long run by hand. */
const TIMES = Number(process.env.RANDOM_TIMES || 1);
const OPERATIONS = 1000 * TIMES;
/** Much longer than a check may take: a wrong hold is still there when it is looked at. */
const WATCHDOG_MS = 30_000;
/** A change is read at once; so long a machine busy with much else may need. */
const CAUGHT_UP_WITHIN_MS = 8000;
const seed = seedOfRun();
let redis: RunningRedis | undefined;
let lockscope: Lockscope | undefined;
let end: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(end.map((one) => one()));
  end = [];
  await lockscope?.stop();
  await redis?.stop();
});

test.each([
  // Numbers send no key event that is subscribed to: they are read every 10 s.
  ['key events', 'KEA', 'notifications', HELD],
  ['client tracking', '', 'tracking', EVERY_KIND],
])(
  'by %s alone, what random programs hold is shown as Redis has it',
  { timeout: 300_000 * TIMES },
  async (_, flags, by, locks) => {
    redis = await startRedis({ 'notify-keyspace-events': flags });
    lockscope = await startLockscope(redis.url, ['--observe', 'events']);
    const program = await runRandomProgram({
      redisUrl: redis.url,
      seed,
      clients: 3,
      operations: OPERATIONS,
      locks,
      watchdogMs: WATCHDOG_MS,
      check: () => isSame(`at check of SEED=${seed}`),
    });
    end = program.clients.map((client) => () => client.kill());
    await isSame(`at the end of SEED=${seed}`);
    const [source] = (await lockscope.health()).sources;
    console.log(
      `random programs by ${by}: SEED=${seed}: ${program.operations} operations, ${program.checks} checks, ` +
        `${program.kills} kills, ${program.freezes} freezes`,
    );
    expect(source).toMatchObject({ level: 'events', keyEvents: by, rejected: 0, status: 'observing' });
    expect(program.operations).toBeGreaterThanOrEqual(OPERATIONS);
    expect(program.checks).toBeGreaterThan(0);
  },
);

function isSame(when: string): Promise<void> {
  const differences = () => differencesFromRedis(lockscope as Lockscope, redis as RunningRedis); // both run by now
  return waitUntilSame(`Redis and what is told, ${when}`, differences, CAUGHT_UP_WITHIN_MS);
}
