import { expect, test } from 'vitest';
import { differencesFromRedis, untilReadAgain, waitUntilSame } from '../../support/compare/world-checks.ts';
import type { DemoProcess, Reported } from '../../support/lockscope/demo-process.ts';
import type { ReportedEvent } from '../../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../../support/lockscope/lockscope-process.ts';
import { endsAfterEach, TIME_LIMIT_FACTOR, TIMES } from '../../support/random/ends-after-each.ts';
import { keepReading } from '../../support/random/keep-reading.ts';
import { keepStory } from '../../support/random/keep-story.ts';
import { EVERY_KIND, type RandomLock } from '../../support/random/random-lock.ts';
import { runRandomProgram } from '../../support/random/random-program.ts';
import { seedOfRun } from '../../support/random/seeded.ts';
import { startRedis } from '../../support/servers/redis.ts';

type Alarm = Extract<ReportedEvent, { type: 'insight.opened' | 'insight.closed' }>;

/** One lock each of four kinds, so that all threads compete for each lock. */
const FEW: readonly RandomLock[] = [
  { name: 'stock:7', kind: 'lock' },
  { name: 'queue', kind: 'fair-lock' },
  { name: 'catalog', kind: 'read-write' },
  { name: 'ticker', kind: 'spin-lock' },
];
const LEVELS = ['monitor', 'events'] as const;
/** A crowd begins with five waiting threads, and lasts while four wait. */
const CROWDED = 4;
const seed = seedOfRun();
const keep = endsAfterEach();

test.each([
  ['of every kind', EVERY_KIND, 3, 'Exe', 4000 * TIMES],
  ['for few locks', FEW, 5, 'Exe', 4000 * TIMES],
  ['without key events', EVERY_KIND, 3, '', 2000 * TIMES],
])(
  'healthy random programs (%s) raise no alarm at levels monitor and events',
  { timeout: 240_000 * TIME_LIMIT_FACTOR },
  async (_, locks, clients, flags, operations) => {
    const redis = keep(await startRedis({ 'notify-keyspace-events': flags }), (server) => server.stop());
    const watching = await Promise.all(
      LEVELS.map(async (level) => {
        const lockscope = keep(await startLockscopeProcess(redis.url, ['--observe', level]), (each) => each.stop());
        return { level, lockscope, reading: keepReading(lockscope) };
      }),
    );
    const healthy = { isHealthy: true, watchdogMs: 10_000 };
    const program = await runRandomProgram({ redisUrl: redis.url, seed, clients, operations, locks, ...healthy });
    for (const client of program.clients) keep(client, () => client.kill());
    for (const { level, lockscope, reading } of watching) {
      if (level === 'monitor') {
        await waitUntilSame('what Lockscope reports and what Redis holds', () =>
          differencesFromRedis(lockscope, redis),
        );
      }
      await untilReadAgain(lockscope);
      const events = await reading.stop();
      const alarms = events.filter(
        (event) =>
          isAlarm(event) &&
          !hasMissedMessage(event, program.clients) &&
          !sleptOnAfterDowngrade(event, events, program.clients) &&
          !isCrowd(event, program.clients),
      );
      const where = alarms.length === 0 ? '' : keepStory({ seed, level, alarms, events });
      const first = alarms.slice(0, 5).map((alarm) => JSON.stringify(alarm));
      console.log(`healthy random programs: SEED=${seed}, ${level}: ${events.length} events, ${alarms.length} alarms`);
      expect(alarms, `SEED=${seed}, ${level}: alarms, story in ${where}\n${first.join('\n')}`).toEqual([]);
    }
    expect(program).toMatchObject({ kills: 0, freezes: 0 });
    expect(program.operations).toBeGreaterThanOrEqual(operations);
  },
);

function isAlarm(event: ReportedEvent): event is Alarm {
  return event.type === 'insight.opened';
}

/**
 * Whether the threads of the alarm slept until their own timer, by their client's account. The release of a write lock wakes only
 * readers that sleep already, in Redisson too, so a reader that was just refused misses the message.
 */
function hasMissedMessage({ incident, holders = [], lock, at }: Alarm, clients: readonly DemoProcess[]): boolean {
  const isWoken = (step: Reported, thread: string | undefined) =>
    step.type === 'milestone' && step.wokenBy === 'own-timer' && step.lock === lock && `${step.thread}` === thread;
  const slept = (holder: string) =>
    clients.some(({ uuid, reported }) => {
      const thread = holder.startsWith(`${uuid}:`) ? holder.slice(uuid.length + 1) : undefined;
      return reported.some((step) => step.at > at && isWoken(step, thread));
    });
  return incident === 'missed-wakeup' && holders.length > 0 && holders.every(slept);
}

/**
 * Whether the threads of the alarm slept on, by their client's account, after a writer had gone on as a reader.
 * Redisson sends no message then, so readers sleep until the next message.
 */
function sleptOnAfterDowngrade(
  { incident, holders = [], because = [], lock, from, at }: Alarm,
  events: readonly ReportedEvent[],
  clients: readonly DemoProcess[],
): boolean {
  const isDowngrade = events.some(
    (event) => because.includes(event.seq) && event.type === 'lock.released' && event.isDowngrade === true,
  );
  if (incident !== 'silent-release' || !isDowngrade || from == null) return false;
  const slept = (holder: string) =>
    clients.some(({ uuid, reported }) => {
      const steps = reported.filter((step) => 'thread' in step && `${uuid}:${step.thread}` === holder);
      return callsFor(lock, steps).some((call) => call.from <= from && call.to >= at);
    });
  return holders.length > 0 && holders.every(slept);
}

/**
 * Whether a crowd of threads really waited for the lock all the time, as happens on a slow machine. The accounts of
 * their clients are checked every 100 ms.
 */
function isCrowd({ incident, lock, from, at }: Alarm, clients: readonly DemoProcess[]): boolean {
  if (incident !== 'convoy' || from == null) return false;
  const calls = clients.flatMap(({ reported }) => callsFor(lock, reported));
  for (let instant: number = from; instant <= at; instant += 100_000) {
    if (calls.filter((call) => call.from <= instant && instant <= call.to).length < CROWDED) return false;
  }
  return true;
}

/** When threads of a process called to acquire the lock, and when each got its answer. */
function callsFor(lock: string, reported: readonly Reported[]): { from: number; to: number }[] {
  const steps = reported.filter((step) => step.type === 'truth').filter((step) => step.lock === lock);
  const answers = new Map(steps.filter(({ phase }) => phase === 'returned').map(({ op, at }) => [op, at]));
  return steps
    .filter(({ phase, action }) => phase === 'called' && (action === 'lock' || action === 'tryLock'))
    .map(({ op, at }) => ({ from: at, to: answers.get(op) ?? at }));
}
