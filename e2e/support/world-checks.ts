import { redisTime } from '../../shared/base/time.ts';
import { locksFromEvents } from '../../shared/testing/locks-from-events.ts';
import type { Lock } from '../../shared/wire/lock.ts';
import type { Lockscope, ToldEvent } from './lockscope.ts';
import type { RunningRedis } from './redis.ts';
import { waitFor } from './wait-for.ts';

/** Both count whole milliseconds, and time goes by between the two questions. */
const SAME_END_MS = 150;

/** Asks again until there is no difference left: the world goes on while it is compared. Throws with the last ones. */
export async function waitUntilSame(what: string, differences: () => Promise<string[]>): Promise<void> {
  await waitFor(what, async (missing) => {
    const found = await differences();
    return found.length === 0 || missing(found.join('\n'));
  });
}

/** Where `GET /api/locks` differs from what the keys hold: holders, hold counts, ends of leases. */
export async function differencesFromRedis(lockscope: Lockscope, redis: RunningRedis): Promise<string[]> {
  const differences: string[] = [];
  for (const lock of await lockscope.locks()) {
    const found = await keyContent(redis, lock.name);
    const told = Object.fromEntries(lock.holders.map(({ id, holdCount }) => [id, String(holdCount)]));
    if (JSON.stringify(found.fields) !== JSON.stringify(told)) {
      differences.push(`${lock.name}: Redis holds ${JSON.stringify(found.fields)}, told is ${JSON.stringify(told)}`);
    }
    const { expiresAt } = lock.lease;
    if (lock.held && (expiresAt === null || Math.abs(expiresAt / 1000 - found.endsAtMs) > SAME_END_MS)) {
      differences.push(`${lock.name}: its lease ends at ${found.endsAtMs}, told is ${expiresAt}`);
    }
  }
  return differences;
}

async function keyContent(redis: RunningRedis, name: string) {
  const [fields, pttl] = [await redis.command('HGETALL', name), Number(await redis.command('PTTL', name))];
  return { fields: { ...(fields as Record<string, string>) }, endsAtMs: Date.now() + pttl }; // RESP3: a map
}

/** Where the locks of this instant differ from what the events alone give, reduced from the beginning. */
export async function differencesFromEvents(
  lockscope: Lockscope,
  eventsSoFar: () => Promise<ToldEvent[]>,
): Promise<string[]> {
  const before = await lockscope.newestSeq();
  const told = await lockscope.locks();
  if ((await lockscope.newestSeq()) !== before) return ['the world moved on while it was compared'];
  const events = (await eventsSoFar()).filter(({ seq }) => seq <= before);
  const at = redisTime(Math.max(0, ...told.map((lock) => lock.changedAt)));
  return lockDifferences(told, locksFromEvents(events, at), 'now');
}

/** Where a lock of a past instant, as `?at=` gives it, differs from what the events up to there give. */
export async function differencesAt(lockscope: Lockscope, events: readonly ToldEvent[], at: number): Promise<string[]> {
  const differences: string[] = [];
  for (const lock of locksFromEvents(events, redisTime(at))) {
    const { status, body } = await lockscope.get(`/api/locks/${encodeURIComponent(lock.name)}?at=${at}`);
    if (status !== 200) differences.push(`${lock.name} at ${at}: ${JSON.stringify(body)}`);
    else differences.push(...lockDifferences([body as Lock], [lock], String(at))); // compared field by field
  }
  return differences;
}

function lockDifferences(told: readonly Lock[], worked: readonly Lock[], when: string): string[] {
  const toldById = new Map(told.map((lock) => [lock.id, essence(lock)]));
  const workedById = new Map(worked.map((lock) => [lock.id, essence(lock)]));
  return [...new Set([...toldById.keys(), ...workedById.keys()])].flatMap((id) => {
    const [one, other] = [toldById.get(id), workedById.get(id)];
    return one === other ? [] : [`${id} (${when}): told ${one}, its events give ${other}`];
  });
}

/** What events alone decide: not what CLIENT LIST says, nor what depends on the moment of asking. */
function essence(lock: Lock): string {
  return JSON.stringify({
    holders: lock.holders.map(({ id, holdCount, since, renewals, lastRenewedAt, expiresAt }) =>
      [id, holdCount, since, renewals, lastRenewedAt, expiresAt].join(),
    ),
    waiters: lock.waiters.map(({ id, attempts, since }) => [id, attempts, since].join()),
    lease: lock.lease,
    subscribers: lock.subscribers,
    certainty: lock.certainty,
    changedAt: lock.changedAt,
  });
}
