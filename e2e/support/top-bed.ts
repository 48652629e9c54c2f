import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type TopLine, topLine } from '../../shared/wire/top.ts';
import { strictly } from '../../testing/stories/strictly.ts';
import { type App, connectApp } from './clients/app.ts';
import { DemoClients } from './clients/demo-clients.ts';
import type { DemoProcess } from './lockscope/demo-process.ts';
import { LockscopeCommand } from './lockscope/lockscope-command.ts';
import { PseudoTerminal } from './lockscope/pseudo-terminal.ts';
import { type RunningRedis, startRedis } from './servers/redis.ts';

/** What the screen shows once a server is watched. */
export const UP_TO_DATE = /Redis \d\S+ {2}level/;

/** A Redis, an application and clients for a test file, and the `lockscope top` processes of its tests. */
export class TopBed {
  redis!: RunningRedis;
  app!: App;
  readonly #clients = new DemoClients({ threads: 2, watchdogMs: 60_000 });
  #terminals: PseudoTerminal[] = [];
  #commands: LockscopeCommand[] = [];

  constructor() {
    beforeAll(async () => {
      this.redis = await startRedis({ 'notify-keyspace-events': 'KEA' }); // new locks are seen at once, also at level events
      this.app = await connectApp(this.redis.url);
    });
    afterEach(async () => {
      await Promise.all(this.#commands.map((command) => command.kill()));
      await Promise.all(this.#terminals.map((terminal) => terminal.close()));
      [this.#terminals, this.#commands] = [[], []];
      await this.#clients.settle();
      await this.redis.command('FLUSHALL');
    });
    afterAll(async () => {
      await this.#clients.end();
      await this.app?.close();
      await this.redis?.stop();
    });
  }

  client(name: string): Promise<DemoProcess> {
    return this.#clients.client(name, this.redis.url);
  }

  /** Starts `lockscope top` in a terminal. */
  top(words: readonly string[], options: ConstructorParameters<typeof PseudoTerminal>[1] = {}): PseudoTerminal {
    const terminal = new PseudoTerminal(['top', this.redis.url, ...words], options);
    this.#terminals.push(terminal);
    return terminal;
  }

  /** Starts `lockscope top` with pipes. */
  piped(...words: string[]): LockscopeCommand {
    const command = new LockscopeCommand(['top', ...words]);
    this.#commands.push(command);
    return command;
  }
}

/** Expects that the program has ended and that the terminal is as it was. */
export async function expectRestored(terminal: PseudoTerminal, exitCode: number): Promise<void> {
  const end = await terminal.ended();
  expect(end.exitCode).toBe(exitCode);
  expect(end.settings).toEqual(expect.arrayContaining(['icanon', 'echo', 'isig', 'icrnl']));
  expect(terminal.screen.modes).toEqual({ isOtherScreen: false, hasCursor: true, wraps: true });
}

/** The lines that `lockscope top --json` wrote. */
export function topLines({ out }: LockscopeCommand): TopLine[] {
  const lines = out.split('\n').slice(0, -1);
  return lines.map((line) => strictly(topLine, JSON.parse(line)));
}

/** The first row with that part. */
export function rowWith(rows: readonly string[], part: string): string {
  return rows.find((each) => each.includes(part)) ?? `no row with ${part}`;
}
