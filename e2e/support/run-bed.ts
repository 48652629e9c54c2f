import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type RunReport, runReport } from '../../shared/wire/check.ts';
import { strictly } from '../../testing/stories/strictly.ts';
import { LockscopeCommand } from './lockscope/lockscope-command.ts';
import { type RunningRedis, startRedis } from './servers/redis.ts';

const SUITE = fileURLToPath(new URL('./clients/lock-suite.mjs', import.meta.url));

/** Steps of a program that uses a lock. */
export const LOCK = { client: 'a', thread: 1, action: 'lock', lock: 'orders:1' };
export const UNLOCK = { ...LOCK, action: 'unlock' };

/** A Redis and a folder for a test file, and the `lockscope run` processes of its tests. */
export class RunBed {
  redis!: RunningRedis;
  readonly folder = mkdtempSync(join(tmpdir(), 'lockscope-run-'));
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
    afterAll(async () => {
      await this.redis?.stop();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  run(flags: readonly string[], program: readonly string[], redisUrl = this.redis.url): LockscopeCommand {
    const command = new LockscopeCommand(['run', redisUrl, ...flags, '--', ...program]);
    this.#commands.push(command);
    return command;
  }

  /** The words of a program that uses locks in these steps. */
  program(steps: readonly object[]): string[] {
    return [process.execPath, SUITE, this.redis.url, JSON.stringify(steps)];
  }

  /** Runs a program of these steps at level `monitor`, with a report as JSON. */
  runSteps(steps: readonly object[], ...flags: string[]): LockscopeCommand {
    return this.run(['--observe', 'monitor', '--json', ...flags], this.program(steps));
  }
}

/** The report that `lockscope run --json` wrote. */
export function reportOf({ err }: LockscopeCommand): RunReport {
  const line = err.split('\n').find((each) => each.startsWith('{"event":"report"'));
  if (line === undefined) throw new Error(`no report: ${err}`);
  return strictly(runReport, JSON.parse(line));
}
