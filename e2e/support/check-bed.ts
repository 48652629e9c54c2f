import { afterAll, afterEach, beforeAll } from 'vitest';
import { type CheckBody, checkBody } from '../../shared/wire/check.ts';
import { strictly } from '../../testing/stories/strictly.ts';
import { LockscopeCommand } from './lockscope/lockscope-command.ts';
import { type RunningRedis, startRedis } from './servers/redis.ts';
import { waitFor } from './wait-for.ts';

/** Of this many ECHOs, some are certainly of the heartbeat. The others are of the first reads, which send one each. */
const BEATS = 8;

/** A Redis for a test file, and the `lockscope check` processes of its tests. */
export class CheckBed {
  redis!: RunningRedis;
  #commands: LockscopeCommand[] = [];

  constructor() {
    beforeAll(async () => {
      this.redis = await startRedis();
    });
    afterEach(async () => {
      await Promise.all(this.#commands.map((command) => command.kill()));
      this.#commands = [];
      await this.redis.command('FLUSHALL');
    });
    afterAll(() => this.redis?.stop());
  }

  check(...words: string[]): LockscopeCommand {
    const command = new LockscopeCommand(['check', ...words]);
    this.#commands.push(command);
    return command;
  }

  /**
   * Waits until Lockscope has switched MONITOR on and has sent some beats of its heartbeat (an ECHO every 200 ms). From
   * then on, Lockscope sees what clients do.
   */
  async untilWatching(command: LockscopeCommand): Promise<void> {
    let echoes: number | undefined;
    await waitFor('MONITOR', async (missing) => {
      if (command.child.exitCode !== null) throw new Error(`ended with ${command.child.exitCode}: ${command.err}`);
      const list = String(await this.redis.command('CLIENT', 'LIST'));
      if (!/ cmd=monitor /.test(list)) return missing(list);
      const now = (await this.redis.commandCalls()).get('echo') ?? 0;
      echoes ??= now;
      return now >= echoes + BEATS || missing(`${now - echoes} beats`);
    });
  }
}

/** The document that `lockscope check --json` wrote. */
export function bodyOf({ out }: LockscopeCommand): CheckBody {
  return strictly(checkBody, JSON.parse(out));
}
