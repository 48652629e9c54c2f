import { redisTime } from '../../../shared/base/time.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { locksFromEvents } from '../../../testing/stories/locks-from-events.ts';
import type { Lockscope, ReportedEvent } from '../lockscope/lockscope.ts';
import type { RunningRedis } from '../servers/redis.ts';
import { waitFor } from '../wait-for.ts';

type Commanded = Pick<RunningRedis, 'command'>;

/** The clock by which leases end. A reported end may differ from the end in Redis by `sameEndMs`. */
type Ends = { readonly nowMs: () => number; readonly sameEndMs: number };

/** Redis and Lockscope report whole milliseconds, and time passes between the requests to them. */
const ENDS: Ends = { nowMs: () => Date.now(), sameEndMs: 150 };

/** Compares until there is no difference, because Redis changes meanwhile. Throws with the last differences. */
export async function waitUntilSame(
  what: string,
  differences: () => Promise<string[]>,
  withinMs?: number,
): Promise<void> {
  const look = async (missing: (why: string) => undefined) => {
    const found = await differences();
    return found.length === 0 || missing(found.join('\n'));
  };
  await waitFor(what, look, withinMs);
}

/**
 * Waits until Lockscope has read the keys of each source again. A comparison at the end of a run is repeated after
 * that: a state that is right only before these reads was right by chance.
 */
export async function untilReadAgain(lockscope: Pick<Lockscope, 'health'>): Promise<void> {
  const readAt = async () =>
    new Map((await lockscope.health()).sources.map(({ id, snapshotAt }) => [id, snapshotAt ?? 0]));
  // A read that is shown in this moment may have been requested before it: the second new read is certain.
  for (const round of ['next', 'second']) {
    const before = await readAt();
    await waitFor(`the ${round} read of each source`, async () =>
      [...(await readAt())].every(([id, at]) => at > (before.get(id) ?? 0)),
    );
  }
}

/**
 * Differences between `GET /api/locks` and the keys in Redis: holders, hold counts, lease ends, queues, fencing tokens,
 * permits and counts. None of the keys in `names` may be missing, if Redis has them.
 */
export async function differencesFromRedis(
  lockscope: Pick<Lockscope, 'locks'>,
  redis: Commanded,
  names: readonly string[] = [],
  { nowMs, sameEndMs }: Ends = ENDS,
): Promise<string[]> {
  const differences: string[] = [];
  const locks = await lockscope.locks();
  for (const name of names) {
    if (locks.some((lock) => lock.name === name) || Number(await redis.command('EXISTS', name)) === 0) continue;
    differences.push(`${name}: Redis has it, nothing is reported`);
  }
  for (const lock of locks) {
    const found = COUNTING.has(lock.kind)
      ? await countedIn(redis, lock)
      : await heldIn(redis, lock, { nowMs, sameEndMs });
    for (const { what, redis: there, reported } of found) {
      if (JSON.stringify(there) === JSON.stringify(reported)) continue;
      differences.push(
        `${lock.name}: ${what}: Redis has ${JSON.stringify(there)}, reported is ${JSON.stringify(reported)}`,
      );
    }
  }
  return differences;
}

/** One value in Redis, and the same value as Lockscope reports it. */
type Fact = { what: string; redis: unknown; reported: unknown };

const COUNTING: ReadonlySet<string> = new Set(['semaphore', 'expirable-semaphore', 'latch']);

async function countedIn(redis: Commanded, { name, kind, permits, latch, holders }: Lock): Promise<Fact[]> {
  const number = Number((await redis.command('GET', name)) ?? 0);
  if (kind === 'latch') return [{ what: 'count', redis: number, reported: latch?.count ?? 0 }];
  const facts: Fact[] = [{ what: 'free permits', redis: number, reported: permits?.available ?? 0 }];
  if (kind === 'semaphore') return facts;
  const out = await redis.command('ZCARD', beside(name, 'timeout'));
  return [...facts, { what: 'permits that are out', redis: Number(out), reported: holders.length }];
}

async function heldIn(redis: Commanded, lock: Lock, { nowMs, sameEndMs }: Ends): Promise<Fact[]> {
  const { name, kind, holders, waiters } = lock;
  const { mode, ...fields } = { ...((await redis.command('HGETALL', name)) as Record<string, string>) }; // in RESP3 the reply is a map
  const pttl = Number(await redis.command('PTTL', name));
  const fieldOf = ({ id, mode: how }: Lock['holders'][number]) => (how === 'write' ? `${id}:write` : id);
  const reported = holders.map((holder) => [fieldOf(holder), String(holder.holdCount)]);
  const facts: Fact[] = [{ what: 'holders', redis: Object.entries(fields).sort(), reported: reported.sort() }];
  const [endsAtMs, reportedMs] = [nowMs() + pttl, (lock.lease.expiresAt ?? 0) / 1000];
  const isSameEnd = Math.abs(reportedMs - endsAtMs) <= sameEndMs;
  if (lock.held && !isSameEnd) facts.push({ what: 'end of the lease', redis: endsAtMs, reported: reportedMs });
  if (kind === 'fair-lock') {
    const inLine = waiters.filter(({ position }) => position !== null);
    inLine.sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
    const queue = await redis.command('LRANGE', before('redisson_lock_queue', name), '0', '-1');
    facts.push({ what: 'queue', redis: queue, reported: inLine.map(({ id }) => id) });
  }
  if (kind === 'fenced-lock' && lock.held) {
    const token = await redis.command('GET', before('redisson_lock_token', name));
    facts.push({ what: 'token', redis: token, reported: lock.fencingToken });
  }
  return facts;
}

function before(prefix: string, name: string): string {
  return name.includes('{') ? `${prefix}:${name}` : `${prefix}:{${name}}`;
}

function beside(name: string, suffix: string): string {
  return name.includes('{') ? `${name}:${suffix}` : `{${name}}:${suffix}`;
}

/** Differences between the current locks and the locks reduced from all events since the beginning. */
export async function differencesFromEvents(
  lockscope: Lockscope,
  eventsSoFar: () => Promise<ReportedEvent[]>,
): Promise<string[]> {
  const before = await lockscope.newestSeq();
  const reported = await lockscope.locks();
  if ((await lockscope.newestSeq()) !== before) return ['the world moved on while it was compared'];
  const events = (await eventsSoFar()).filter(({ seq }) => seq <= before);
  // A waiter that is presumed gone is shown for a while, so the present time is used, not only the last change.
  const at = redisTime(Math.max(Date.now() * 1000, ...reported.map((lock) => lock.changedAt)));
  return lockDifferences(reported, locksFromEvents(events, at), 'now');
}

/** Differences between each lock at a past instant, from `?at=`, and the lock reduced from the events until then. */
export async function differencesAt(
  lockscope: Lockscope,
  events: readonly ReportedEvent[],
  at: number,
): Promise<string[]> {
  const differences: string[] = [];
  for (const lock of locksFromEvents(events, redisTime(at))) {
    const { status, body } = await lockscope.get(`/api/locks/${encodeURIComponent(lock.name)}?at=${at}`);
    if (status !== 200) differences.push(`${lock.name} at ${at}: ${JSON.stringify(body)}`);
    else differences.push(...lockDifferences([body as Lock], [lock], String(at))); // compared field by field
  }
  return differences;
}

function lockDifferences(reported: readonly Lock[], computed: readonly Lock[], when: string): string[] {
  // After a blind spot, the state that events show is only assumed, until a read confirms it. No event reports that
  // read.
  const assumed = new Set(reported.flatMap(({ id, assumedSince }) => (assumedSince === undefined ? [] : [id])));
  const factsOf = (lock: Lock) => factsFromEvents(assumed.has(lock.id) ? { ...lock, certainty: 'inferred' } : lock);
  const reportedById = new Map(reported.map((lock) => [lock.id, factsOf(lock)]));
  const computedById = new Map(computed.map((lock) => [lock.id, factsOf(lock)]));
  return [...new Set([...reportedById.keys(), ...computedById.keys()])].flatMap((id) => {
    const [lockFacts, eventFacts] = [reportedById.get(id), computedById.get(id)];
    return lockFacts === eventFacts ? [] : [`${id} (${when}): reported ${lockFacts}, its events give ${eventFacts}`];
  });
}

/**
 * The part of a lock that only events decide, without CLIENT LIST and without fields that depend on the current time.
 */
function factsFromEvents(lock: Lock): string {
  return JSON.stringify({
    holders: lock.holders.map(({ id, holdCount, since, renewals, lastRenewedAt, expiresAt }) =>
      [id, holdCount, since, renewals, lastRenewedAt, expiresAt].join(),
    ),
    waiters: lock.waiters.map(({ id, attempts, since, position }) => [id, attempts, since, position].join()),
    lease: lock.lease,
    subscribers: lock.subscribers,
    permits: lock.permits,
    latch: lock.latch,
    fencingToken: lock.fencingToken,
    certainty: lock.certainty,
    changedAt: lock.changedAt,
  });
}
