import { expect, test } from 'vitest';
import { differencesFromRedis, untilReadAgain, waitUntilSame } from '../../support/compare/world-checks.ts';
import type { Lockscope } from '../../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { endsAfterEach, TIME_LIMIT_FACTOR } from '../../support/random/ends-after-each.ts';
import { EVERY_KIND, isCounting } from '../../support/random/random-lock.ts';
import { runRandomProgram } from '../../support/random/random-program.ts';
import { seedOfRun } from '../../support/random/seeded.ts';
import { type RunningRedis, startRedis } from '../../support/servers/redis.ts';

const HELD = EVERY_KIND.filter((lock) => !isCounting(lock));
const OPERATIONS = 1000 * TIME_LIMIT_FACTOR;
/** Much longer than a check may take, so a wrong hold is still there when it is compared. */
const WATCHDOG_MS = 30_000;
/** A change is read immediately, but a busy machine may take this long. */
const CAUGHT_UP_WITHIN_MS = 8000;
const seed = seedOfRun();
const keep = endsAfterEach();

test.each([
  // Semaphores and latches send no key event that is subscribed to: they are read every 10 s.
  ['key events', 'KEA', 'notifications', HELD],
  ['client tracking', '', 'tracking', EVERY_KIND],
])(
  'by %s alone, the holds of random programs are reported as they are in Redis',
  { timeout: 300_000 * TIME_LIMIT_FACTOR },
  async (_, flags, by, locks) => {
    const redis = keep(await startRedis({ 'notify-keyspace-events': flags }), (server) => server.stop());
    const lockscope = keep(await startLockscopeProcess(redis.url, ['--observe', 'events']), (each) => each.stop());
    const isSame = sameAs(lockscope, redis);
    const program = await runRandomProgram({
      redisUrl: redis.url,
      seed,
      clients: 3,
      operations: OPERATIONS,
      locks,
      watchdogMs: WATCHDOG_MS,
      check: () => isSame(`at check of SEED=${seed}`),
    });
    for (const client of program.clients) keep(client, () => client.kill());
    await isSame(`at the end of SEED=${seed}`);
    await untilReadAgain(lockscope);
    expect(await differencesFromRedis(lockscope, redis), `after the next reads, SEED=${seed}`).toEqual([]);
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

/** Returns a function that waits until the locks in Lockscope are the same as in Redis. */
function sameAs(lockscope: Lockscope, redis: RunningRedis): (when: string) => Promise<void> {
  const differences = () => differencesFromRedis(lockscope, redis);
  return (when) => waitUntilSame(`the locks in Redis and in Lockscope, ${when}`, differences, CAUGHT_UP_WITHIN_MS);
}
