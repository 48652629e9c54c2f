import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type App, connectApp } from './clients/app.ts';
import { type Lockscope, type ReportedEvent, startLockscope } from './lockscope/lockscope.ts';
import { type CuttingProxy, startCuttingProxy } from './servers/cutting-proxy.ts';
import { type RunningRedis, startRedis } from './servers/redis.ts';
import { waitFor } from './wait-for.ts';

/**
 * A Redis for a test file, and for each of its tests an application and a Lockscope that reaches Redis through a proxy.
 */
export class CutBed {
  redis!: RunningRedis;
  app!: App;
  proxy!: CuttingProxy;
  lockscope!: Lockscope;

  constructor() {
    beforeAll(async () => {
      this.redis = await startRedis({ 'notify-keyspace-events': 'Exe' });
    });
    beforeEach(async () => {
      this.proxy = await startCuttingProxy(this.redis.port);
      this.lockscope = await startLockscope(`redis://127.0.0.1:${this.proxy.port}`);
      this.app = await connectApp(this.redis.url);
      await this.app.acquire('held-all-along', { leaseMs: 600_000 });
      await this.until('held-all-along', 'lock.acquired');
    });
    afterEach(async () => {
      await this.app.close();
      await this.lockscope.stop();
      await this.proxy.close();
      await this.redis.command('FLUSHALL');
    });
    afterAll(() => this.redis?.stop());
  }

  /** The events of a lock, once there is one of that type. */
  until(lock: string, type: ReportedEvent['type']): Promise<ReportedEvent[]> {
    return waitFor(`${type} of ${lock}`, async (missing) => {
      const events = await this.lockscope.eventsAfter(0, { lock });
      if (events.some((event) => event.type === type)) return events;
      return missing(JSON.stringify({ events, sources: (await this.lockscope.health()).sources }));
    });
  }

  /** The events about `count` blind spots, once all of them have ended and Redis was read after the last one. */
  blindSpots(count: number): Promise<ReportedEvent[]> {
    return waitFor(`${count} blind spots with both ends`, async (missing) => {
      const spots = (await this.lockscope.eventsAfter(0)).filter(({ type }) => type.startsWith('blind-spot.'));
      const [source] = (await this.lockscope.health()).sources;
      const isOver = source?.status === 'observing' && (source.snapshotAt ?? 0) > (spots.at(-1)?.at ?? 0);
      return (spots.length === 2 * count && isOver && spots) || missing(JSON.stringify({ source, spots }));
    });
  }

  /** The figures that no cut may change: drift, rejected lines, and the level. */
  async figures() {
    const [source] = (await this.lockscope.health()).sources;
    return { drift: source?.drift, rejected: source?.rejected, level: source?.level };
  }
}

/** The figures if nothing is wrong. */
export const NOTHING_WRONG = { drift: 0, rejected: 0, level: 'monitor' };
