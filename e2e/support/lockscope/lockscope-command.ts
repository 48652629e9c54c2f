import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url));

/** A command of Lockscope that ends by itself. */
export class LockscopeCommand {
  readonly child: ChildProcess;
  out = '';
  err = '';

  constructor(words: readonly string[]) {
    if (!existsSync(MAIN)) throw new Error('Lockscope is not built: npm run build:server');
    this.child = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.err += chunk.toString()));
  }

  /** Waits until the command has ended, and returns its exit code. */
  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close');
    return this.child.exitCode;
  }

  /** Ends the command with SIGKILL if it still runs. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended();
  }
}
