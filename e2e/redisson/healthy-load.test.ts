import { expect, test } from 'vitest';
import { JavaClient } from '../support/clients/redisson.ts';
import type { JavaThread } from '../support/clients/redisson-thread.ts';
import type { ReportedEvent } from '../support/lockscope/lockscope.ts';
import { startLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { keepLevel } from '../support/random/keep-level.ts';
import { keepReading } from '../support/random/keep-reading.ts';
import { keepStory } from '../support/random/keep-story.ts';
import { type Chance, chanceFrom, seedOfRun } from '../support/random/seeded.ts';
import { isStandstill, KEEPS_SLOWLOG } from '../support/random/standstill.ts';
import { startRedis } from '../support/servers/redis.ts';
import { pause } from '../support/wait-for.ts';
import { takeTurn } from './turns.ts';
import { versionsToPlay } from './versions.ts';

/** How long each version runs; HEALTHY_SECONDS for a long run by hand. */
const SECONDS = Number(process.env.HEALTHY_SECONDS || 12);
/** Each thread rests up to this many milliseconds after a hold; HEALTHY_REST for many long runs on one machine. */
const LONGEST_REST_MS = Number(process.env.HEALTHY_REST || 0);
const LEVELS = ['monitor', 'events'] as const;
const CLIENTS = ['app1', 'app2', 'app3'];
const THREADS = ['A', 'B', 'C', 'D'];
/** The watchdog renews every 2 s, so it renews the longest holds once. */
const WATCHDOG_MS = 6000;
const LONGEST_MS = 3500;
/** The time limit of each version covers the runs of all of them, because a version waits for its turn. */
const WITHIN_MS = versionsToPlay().length * SECONDS * 1000 + 600_000;

/** All threads compete for these locks. Versions without fenced or spin locks use plain locks of the same names. */
const LOCKS = [
  ['lock', 'stock:7'],
  ['lock', 'orders:42'],
  ['fair', 'queue'],
  ['read', 'catalog'],
  ['write', 'catalog'],
  ['fenced', 'ledger'],
  ['spin', 'ticker'],
] as const;

/** A time in which a thread waited for a lock or held it, by its own account, in µs. */
type Range = { readonly holder: string; readonly lock: string; readonly from: number; readonly to: number };
type Account = { readonly waits: Range[]; readonly holds: Range[] };
type Load = { readonly version: string; readonly until: number; readonly account: Account };
/** In µs: a client that listens this long while none of its threads waits has leaked the subscription. */
const LEAKED_AFTER = 1_000_000;
/** A thread that sleeps longer than this beside a free lock was not woken, in µs. */
const SLEPT_ON = 500_000;

/** Faults that these releases really have. */
const FAULTS: readonly (readonly [incident: string, releases: RegExp])[] = [
  ['latch-litter', /^(3\.52|4\.[012])\./],
  ['fair-timeout-drift', /^3\.5\./],
];

const seed = seedOfRun();

test.concurrent.each(versionsToPlay())(
  'a healthy load of Redisson %s raises no alarm',
  { timeout: WITHIN_MS },
  async (version) => {
    const turn = await takeTurn();
    const ends: (() => unknown)[] = [() => turn.end()];
    try {
      const redis = await startRedis({ 'notify-keyspace-events': 'KA', ...KEEPS_SLOWLOG });
      ends.push(() => redis.stop());
      const watching = await Promise.all(
        LEVELS.map(async (level) => {
          const lockscope = await startLockscopeProcess(redis.url, ['--observe', level]);
          ends.push(() => lockscope.stop());
          return { level, levels: keepLevel(lockscope, level), reading: keepReading(lockscope) };
        }),
      );
      const clients = await Promise.all(
        CLIENTS.map((name) => JavaClient.start({ version, redisUrls: [redis.url], name, watchdogMs: WATCHDOG_MS })),
      );
      ends.push(() => Promise.all(clients.map((client) => client.stop())));
      const until = Date.now() + SECONDS * 1000;
      const account: Account = { waits: [], holds: [] };
      const rounds = await Promise.all(
        clients.flatMap((client) =>
          THREADS.map((letter) =>
            runLoad(client.thread(letter), chanceFrom(seed, version, client.name, letter), { version, until, account }),
          ),
        ),
      );
      await pause(3000);
      const channels = (await redis.command('PUBSUB', 'CHANNELS', 'redisson_*')) as string[];
      // All events are read before any of them is checked: a check of a million events takes minutes, and connections
      // would end meanwhile.
      const seen = await Promise.all(
        watching.map(async ({ level, levels, reading }) => ({
          level,
          changes: await levels.stop(),
          events: await reading.stop(),
        })),
      );
      const acquiredAt = account.holds.map(({ from }) => from);
      const accounts = { acquiredAt, seconds: SECONDS, slowlog: await redis.command('SLOWLOG', 'GET', '-1') };
      const found: string[] = [];
      for (const { level, changes, events } of seen) {
        found.push(...changes.map((change) => `${level}: watched at ${change}`));
        const alarms = events.filter(
          (event) =>
            isAlarm(event, version) &&
            !isMissedMessage(event, account) &&
            !isStandstill(event, accounts) &&
            !isLeakedSubscription(event, account, events, channels),
        );
        console.log(
          `healthy load: Redisson ${version}, SEED=${seed}, ${level}: ${sum(rounds)} holds, ${events.length} events, ${alarms.length} alarms`,
        );
        if (alarms.length === 0) continue;
        found.push(
          `${level}: ${alarms.length}, story in ${keepStory({ seed, version, level, alarms, account, channels, events })}`,
        );
      }
      expect(found, `alarms of Redisson ${version}, SEED=${seed}`).toEqual([]);
      expect(sum(rounds)).toBeGreaterThan(SECONDS);
    } finally {
      for (const end of ends.reverse()) await end();
    }
  },
);

/** Locks and unlocks at random until `until`. Returns the number of holds. Throws if a call ends with an exception. */
async function runLoad(thread: JavaThread, chance: Chance, { version, until, account }: Load): Promise<number> {
  let holds = 0;
  while (Date.now() < until) {
    const [kind, name] = chance.oneOf(LOCKS);
    const known = (await thread.perform('has', name, [], kind)) === 'true' ? kind : 'lock';
    const threadAndLock = { holder: thread.holder, lock: name };
    const calledAt = nowMicros();
    const isAcquired = await acquire(thread, known, name, chance, mayGiveUp(known, version));
    const from = nowMicros();
    account.waits.push({ ...threadAndLock, from: calledAt, to: from });
    if (!isAcquired) continue;
    holds++;
    await work(thread, known, name, chance);
    account.holds.push({ ...threadAndLock, from, to: nowMicros() });
    const answer = await thread.at(known).unlock(name);
    if (answer !== 'ok') throw new Error(`${thread.holder} unlocks ${known} ${name}: ${answer}`);
    if (chance.isTrue(0.3)) await pause(chance.whole(1, 40));
    if (LONGEST_REST_MS > 0) await pause(chance.whole(0, LONGEST_REST_MS));
  }
  return holds;
}

async function acquire(
  thread: JavaThread,
  kind: string,
  name: string,
  chance: Chance,
  canGiveUp: boolean,
): Promise<boolean> {
  const lease = chance.isTrue(0.4) ? chance.whole(20_000, 90_000) : undefined;
  const mayFail = canGiveUp && chance.isTrue(0.3);
  const at = thread.at(kind);
  const answer = await (mayFail ? at.tryLock(name, chance.whole(0, 400)) : at.lock(name, lease));
  if (answer.startsWith('!'))
    throw new Error(`${thread.holder} locks ${kind} ${name}: ${answer} ${thread.client.errors}`);
  return answer === (mayFail ? 'true' : 'ok');
}

/**
 * Whether a thread may give up waiting for a lock of this kind. It may not where this causes a real incident. A fair
 * waiter that gives up just as it is woken leaves the next one asleep. In 3.16, tryLock of a spin lock may acquire the
 * lock at its last attempt and return false, so others would wait without end.
 */
function mayGiveUp(kind: string, version: string): boolean {
  return kind !== 'fair' && !(kind === 'spin' && version.startsWith('3.16.'));
}

/** Some holds are re-entered, and a few take so long that their watchdog renews them. */
async function work(thread: JavaThread, kind: string, name: string, chance: Chance): Promise<void> {
  // Readers never hold long: other readers beside a slow one would keep writers waiting, which is a real incident.
  const isLong = kind !== 'read' && chance.isTrue(0.01);
  await pause(isLong ? chance.whole(1000, LONGEST_MS) : chance.whole(0, 12));
  if (kind !== 'lock' || !chance.isTrue(0.2)) return;
  await thread.lock(name);
  await pause(chance.whole(0, 5));
  await thread.unlock(name);
}

function isAlarm(event: ReportedEvent, version: string): boolean {
  if (event.type !== 'insight.opened') return false;
  return !FAULTS.some(([incident, releases]) => event.incident === incident && releases.test(version));
}

/**
 * Whether these threads went on sleeping while the lock was free, by their own account. In all releases, a message
 * wakes only threads that sleep already, so one that was just refused misses it.
 */
function isMissedMessage(event: ReportedEvent, { waits, holds }: Account): boolean {
  if (event.type !== 'insight.opened' || event.incident !== 'missed-wakeup') return false;
  const { at, lock, holders = [] } = event;
  const isFree = !holds.some((hold) => hold.lock === lock && isWithin(hold, at));
  const slept = (holder: string) =>
    waits.some((wait) => wait.holder === holder && wait.lock === lock && wait.from < at && at + SLEPT_ON < wait.to);
  return isFree && holders.length > 0 && holders.every(slept);
}

/**
 * Whether the client really has leaked a subscription. It has if it still listens although none of its threads waits,
 * or none waited during a second or longer since the problem began. This happens in all releases if a wait ends while
 * the SUBSCRIBE is under way, as on a busy machine. Such a listener looks like a thread that is not woken.
 */
function isLeakedSubscription(
  event: ReportedEvent,
  { waits }: Account,
  events: readonly ReportedEvent[],
  channels: readonly string[],
): boolean {
  if (event.type !== 'insight.opened') return false;
  if (event.incident !== 'subscription-pool-exhausted' && event.incident !== 'missed-wakeup') return false;
  const { lock, at, from = at, holders = [] } = event;
  const client = holders[0]?.split(':')[0] ?? '';
  const own = waits.filter((wait) => wait.lock === lock && wait.holder.startsWith(client));
  const isUnused = client !== '' && !own.some((wait) => isWithin(wait, at));
  if (!isUnused && longestWithout(own, from, at) < LEAKED_AFTER) return false;
  // A later wait of the client may end the leaked subscription. A client that still listens sends no SUBSCRIBE before
  // that.
  const next = events.find(
    (each) =>
      (each.type === 'waiter.subscribed' || each.type === 'waiter.unsubscribed') &&
      each.lock === lock &&
      each.at > at &&
      (client === '' || ('holder' in each && each.holder?.startsWith(client) === true)),
  );
  // Locks of each kind have their own prefix.
  return next?.type === 'waiter.unsubscribed' || channels.some((channel) => channel.endsWith(`:{${lock}}`));
}

/** The longest part of the time from one instant to another in which none of these threads waited, in µs. */
function longestWithout(waits: readonly Range[], from: number, to: number): number {
  let longest = 0;
  let free = from;
  for (const wait of waits.filter((each) => each.to >= from && each.from <= to).sort((a, b) => a.from - b.from)) {
    longest = Math.max(longest, wait.from - free);
    free = Math.max(free, wait.to);
  }
  return Math.max(longest, to - free);
}

/**
 * In µs. The threads' clock counts milliseconds, and without MONITOR an event has the time at which its message
 * arrived.
 */
const LATE = 20_000;

function isWithin({ from, to }: Range, at: number): boolean {
  return from <= at && at <= to + LATE;
}

const nowMicros = () => Date.now() * 1000;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
