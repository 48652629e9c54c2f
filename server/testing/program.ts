import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';

const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));

/** The ready line, in words and as JSON. */
const READY = /^(?:lockscope ready |\{"event":"ready","url":")(http:\/\/127\.0\.0\.1:\d+)(?:"\})?$/m;

/** The built program as a person or a script runs it. */
export class Program {
  readonly child: ChildProcess;
  out = '';
  err = '';

  constructor(words: readonly string[], env: Record<string, string> = {}) {
    if (!existsSync(MAIN)) throw new Error('Lockscope is not built. Run "npm run build:server" first.');
    this.child = spawn(process.execPath, [MAIN, ...words], {
      stdio: 'pipe',
      env: { PATH: process.env.PATH ?? '', ...env },
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.err += chunk.toString()));
  }

  /** Its exit code, once it has ended; null when a signal ended it. */
  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close');
    return this.child.exitCode;
  }

  end(signal: 'SIGTERM' | 'SIGINT'): Promise<number | null> {
    this.child.kill(signal);
    return this.ended();
  }

  /** Ends it without giving it a chance. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended();
  }

  /** The page's address, once it is ready. */
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
