import { expect, test } from 'vitest';
import { orderProblems } from '../../support/compare/compare-truth.ts';
import { compareLock } from '../../support/compare/demo-lock-story.ts';
import { listenTo } from '../../support/compare/second-account.ts';
import { compareSteps } from '../../support/compare/step-story.ts';
import {
  differencesAt,
  differencesFromEvents,
  differencesFromRedis,
  untilReadAgain,
  waitUntilSame,
} from '../../support/compare/world-checks.ts';
import { startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { endsAfterEach, TIME_LIMIT_FACTOR, TIMES } from '../../support/random/ends-after-each.ts';
import { keepReading } from '../../support/random/keep-reading.ts';
import { keepStory } from '../../support/random/keep-story.ts';
import { compareCounter } from '../../support/random/random-counter-story.ts';
import { EVERY_KIND, isCounting, type RandomLock } from '../../support/random/random-lock.ts';
import { type RandomProgram, runRandomProgram } from '../../support/random/random-program.ts';
import { chanceFrom, seedOfRun } from '../../support/random/seeded.ts';
import { startRedis } from '../../support/servers/redis.ts';

const PLAIN: readonly RandomLock[] = ['stock:7', 'tenant:{9}:cart', 'with "quotes" and \\', '锁:订单'].map((name) => ({
  name,
  kind: 'lock',
}));

const seed = seedOfRun();
const keep = endsAfterEach();

test.each([
  ['plain locks, with key events of expiries', { 'notify-keyspace-events': 'Exe' }, PLAIN, 3000 * TIMES],
  ['every kind, with key events of expiries', { 'notify-keyspace-events': 'Exe' }, EVERY_KIND, 4000 * TIMES],
  ['every kind, without key events of expiries', { 'notify-keyspace-events': '' }, EVERY_KIND, 4000 * TIMES],
])(
  'the events match what random programs did (%s)',
  { timeout: 300_000 * TIME_LIMIT_FACTOR },
  async (_, settings, locks, operations) => {
    console.log(`random programs: SEED=${seed}, at least ${operations} operations`);
    const redis = keep(await startRedis(settings), (server) => server.stop());
    const account = keep(await listenTo(redis), (each) => each.close());
    const lockscope = keep(await startLockscopeProcess(redis.url), (each) => each.stop());
    const reading = keepReading(lockscope);
    const program = await runRandomProgram({ redisUrl: redis.url, seed, clients: 3, operations, locks });
    for (const client of program.clients) keep(client, () => client.kill());

    await waitUntilSame('what Lockscope reports and what Redis holds', () => differencesFromRedis(lockscope, redis));
    const readAt = Date.now() * 1000;
    await Promise.all(program.clients.map((client) => client.kill()));
    await waitUntilSame('what is left and what Redis holds', () => differencesFromRedis(lockscope, redis));
    await untilReadAgain(lockscope);
    const events = await reading.stop();
    await waitUntilSame('the locks and what the events give', () => differencesFromEvents(lockscope, reading.all));
    const chance = chanceFrom(seed, 'instants');
    const past: string[] = [];
    for (let n = 0; n < 20; n++) past.push(...(await differencesAt(lockscope, events, chance.oneOf(events).at)));
    const [source] = (await lockscope.health()).sources;
    console.log(
      `random programs: SEED=${seed}: ${program.operations} operations, ${events.length} events, ` +
        `${program.kills} kills, ${program.freezes} freezes, drift ${source?.drift}, ${source?.rejected} lines rejected`,
    );

    // without verdicts and reports about the server, which no line of the trace shows
    const happened = events.filter(({ type }) => !/^(insight|server)\./.test(type));
    const problems = [
      ...past,
      ...(await account.differences(happened, { killed: timesOf(program.killed), readAt })),
      ...program.clients.flatMap((client) => compareSteps(client, happened)),
      ...locks.flatMap((lock) => (isCounting(lock) ? compareCounter : compareLock)(lock, program.clients, happened)),
      ...orderProblems(events),
    ];
    const killed = [...timesOf(program.killed)];
    const seen = async () => ({ events, reported: program.clients, killed, readAt, trace: await account.trace() });
    const where = problems.length === 0 ? '' : keepStory({ seed, problems, ...(await seen()) });
    const first = problems.slice(0, 5).join('\n');
    expect(problems.slice(0, 20), `SEED=${seed}: ${problems.length} differences, story in ${where}\n${first}`).toEqual(
      [],
    );
    expect(source, `SEED=${seed}`).toMatchObject({ drift: 0, rejected: 0, status: 'observing' });
    expect(program.operations).toBeGreaterThanOrEqual(operations);
  },
);

/** When clients were killed, by uuid and by the name of their connections. */
function timesOf(killed: RandomProgram['killed']): Map<string, number> {
  return new Map([...killed].flatMap(([{ uuid, name }, at]) => [[uuid, at] as const, [name, at] as const]));
}
