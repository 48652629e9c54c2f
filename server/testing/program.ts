import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { vi } from 'vitest';
import { PROGRAMS } from '../package-info.ts';

/** The ready line, as text or as JSON. */
const READY = /^(?:lockscope ready |\{"event":"ready","url":")(http:\/\/127\.0\.0\.1:\d+)(?:"\})?$/m;

/** The built program, in a process of its own. */
export class Program {
  readonly child: ChildProcess;
  out = '';
  err = '';

  constructor(words: readonly string[], env: Record<string, string> = {}) {
    if (!existsSync(PROGRAMS.lockscope)) throw new Error('Lockscope is not built. Run "npm run build:server" first.');
    this.child = spawn(process.execPath, [PROGRAMS.lockscope, ...words], {
      stdio: 'pipe',
      env: { PATH: process.env.PATH ?? '', ...env },
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.err += chunk.toString()));
  }

  /** Waits until the program has ended. Returns its exit code; null if a signal ended it. */
  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close');
    return this.child.exitCode;
  }

  end(signal: 'SIGTERM' | 'SIGINT'): Promise<number | null> {
    this.child.kill(signal);
    return this.ended();
  }

  /** Ends the program with SIGKILL. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended();
  }

  /** Waits for the ready line and returns the page's address. */
  async ready(): Promise<string> {
    return vi.waitFor(
      () => {
        const url = READY.exec(this.out)?.[1];
        if (this.child.exitCode !== null) throw new Error(`ended with ${this.child.exitCode}: ${this.err}`);
        if (url === undefined) throw new Error(`no ready line: ${this.out}${this.err}`);
        return url;
      },
      { timeout: 40_000 },
    );
  }
}
