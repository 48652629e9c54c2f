import { afterEach, beforeEach } from 'vitest';
import { type DemoProcess, startDemoProcess } from './clients/demo-process.ts';
import { type Lockscope, startLockscope } from './clients/lockscope.ts';
import { type RunningRedis, startRedis } from './servers/redis.ts';

/** A Redis, a Lockscope that may write to it, and clients, new for each test of a file. */
export class ReleaseBed {
  redis!: RunningRedis;
  lockscope!: Lockscope;
  readonly #watchdogMs: number;
  #clients: DemoProcess[] = [];

  constructor(watchdogMs: number) {
    this.#watchdogMs = watchdogMs;
    beforeEach(async () => {
      this.redis = await startRedis();
      this.lockscope = await startLockscope(this.redis.url, ['--observe', 'monitor', '--allow-release']);
    });
    afterEach(async () => {
      await Promise.all(this.#clients.map((client) => client.kill()));
      this.#clients = [];
      await this.lockscope.stop();
      await this.redis.stop();
    });
  }

  async client(name: string): Promise<DemoProcess> {
    const started = await startDemoProcess({
      ...{ name, redisUrl: this.redis.url, threads: 2 },
      watchdogMs: this.#watchdogMs,
    });
    this.#clients.push(started);
    return started;
  }
}
