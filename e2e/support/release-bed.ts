import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { DemoClients } from './clients/demo-clients.ts';
import type { DemoProcess } from './lockscope/demo-process.ts';
import { type Lockscope, startLockscope } from './lockscope/lockscope.ts';
import { type RunningRedis, startRedis } from './servers/redis.ts';

/**
 * A Redis and clients for a test file, and for each of its tests a Lockscope that may release locks. Each test begins
 * with an empty Redis.
 */
export class ReleaseBed {
  redis!: RunningRedis;
  lockscope!: Lockscope;
  readonly #clients: DemoClients;

  constructor(watchdogMs: number) {
    this.#clients = new DemoClients({ threads: 2, watchdogMs });
    beforeAll(async () => {
      this.redis = await startRedis();
    });
    beforeEach(async () => {
      this.lockscope = await startLockscope(this.redis.url, ['--observe', 'monitor', '--allow-release']);
    });
    afterEach(async () => {
      await this.lockscope.stop();
      await this.#clients.settle();
      await this.redis.command('FLUSHALL');
    });
    afterAll(async () => {
      await this.#clients.end();
      await this.redis?.stop();
    });
  }

  client(name: string): Promise<DemoProcess> {
    return this.#clients.client(name, this.redis.url);
  }
}
