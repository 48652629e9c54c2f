import { type App, connectApp } from '../clients/app.ts';
import { type RunningRedis, startRedis } from '../servers/redis.ts';
import { waitFor } from '../wait-for.ts';
import { type Lockscope, type ReportedEvent, startLockscope } from './lockscope.ts';

/** A Redis, an application that uses it, and a Lockscope that watches it. */
export type WatchedRedis = {
  redis: RunningRedis;
  lockscope: Lockscope;
  app: App;
  /** The events of a lock in short form, once `isReported` returns true for them: `lock.acquired ×1`, … */
  story(lock: string, isReported: (events: ReportedEvent[]) => boolean): Promise<string[]>;
  /** The events about a lock without verdicts, once there is one of that type. */
  eventsUntil(lock: string, type: ReportedEvent['type']): Promise<ReportedEvent[]>;
  end(): Promise<void>;
};

/** Starts the Redis, the Lockscope and the application. `settings` are for Redis, `flags` for Lockscope. */
export async function watchRedis(
  settings: Record<string, string> = {},
  flags: readonly string[] = ['--observe', 'monitor'],
): Promise<WatchedRedis> {
  const redis = await startRedis(settings);
  const lockscope = await startLockscope(redis.url, flags);
  const app = await connectApp(redis.url);
  const eventsOnce = (lock: string, isReported: (events: ReportedEvent[]) => boolean): Promise<ReportedEvent[]> =>
    waitFor(`the events about ${lock.slice(0, 80)}`, async (missing) => {
      const events = await lockscope.eventsAfter(0, { lock });
      if (isReported(events)) return events;
      const { sources } = await lockscope.health();
      return missing(`${inShort(events).join(', ').slice(0, 1000) || 'none so far'}; ${JSON.stringify(sources)}`);
    });
  return {
    redis,
    lockscope,
    app,
    story: async (lock, isReported) => inShort(await eventsOnce(lock, isReported)),
    eventsUntil: async (lock, type) => {
      return withoutVerdicts(await eventsOnce(lock, (all) => all.some((event) => event.type === type)));
    },
    async end() {
      await app.close();
      await lockscope.stop();
      await redis.stop();
    },
  };
}

/** Waits until every source is watched and up to date. On a busy machine Redis may lag for a while. */
export async function untilWell(lockscope: Lockscope): Promise<void> {
  await waitFor('status ok', async (missing) => {
    const { status, sources } = await lockscope.health();
    return status === 'ok' || missing(JSON.stringify({ status, sources }));
  });
}

/** Waits until every source has looked at all keys once. From then on, a key that a source does not know is absent. */
export async function untilScanned(lockscope: Lockscope): Promise<void> {
  await waitFor('the first scan', async (missing) => {
    const { sources } = await lockscope.health();
    const isScanned = sources.every((source) => source.snapshotAt !== null && source.missing === undefined);
    return isScanned || missing(JSON.stringify(sources));
  });
}

/** Waits until the source observes at that level, has had this many blind spots, and was read after the last one. */
export async function untilSettled(lockscope: Lockscope, level: string, blindSpots: number): Promise<void> {
  await waitFor(`level ${level} after ${blindSpots} blind spots`, async (missing) => {
    const ends = (await lockscope.eventsAfter(0)).filter(({ type }) => type === 'blind-spot.ended');
    const [source] = (await lockscope.health()).sources;
    const isThere = source?.level === level && source.status === 'observing';
    const isRead = ends.length === blindSpots && (source?.snapshotAt ?? 0) > (ends.at(-1)?.at ?? 0);
    return (isThere && isRead) || missing(JSON.stringify({ ends, source }));
  });
}

/**
 * Accepts the cost of MONITOR. With thousands of operations a second, MONITOR exceeds its budget and would end. While
 * Redis does not answer, as may happen on a busy machine, Lockscope refuses every level (409).
 */
export async function acceptCost(lockscope: Lockscope): Promise<void> {
  const request = { level: 'monitor', openEnded: true, force: true };
  await waitFor('the cost of MONITOR to be accepted', async (missing) => {
    const { status, body } = await lockscope.post('/api/sources/redis/observe', request);
    if (status !== 200 && status !== 409) throw new Error(`status ${status}: ${JSON.stringify(body)}`);
    return status === 200 || missing(JSON.stringify(body));
  });
}

/** The events without verdicts, which Lockscope concludes from the other events some time later. */
export function withoutVerdicts(events: readonly ReportedEvent[]): ReportedEvent[] {
  return events.filter(({ type }) => !type.startsWith('insight.'));
}

/** Events without verdicts in short form: the type, the hold count, the reason, and whether the event is inferred. */
export function inShort(events: readonly ReportedEvent[]): string[] {
  return withoutVerdicts(events).map((event) => {
    const words: string[] = [event.type];
    if ('holdCount' in event && event.holdCount !== undefined) words.push(`×${event.holdCount}`);
    if ('reason' in event && event.reason !== undefined && event.reason !== 'held') words.push(event.reason);
    if (event.certainty === 'inferred') words.push('(inferred)');
    return words.join(' ');
  });
}
