import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PROGRAMS } from '../../server/package-info.ts';

/** The running program, in its own process. */
type Product = { readonly url: string; readonly pid: number; stop(): Promise<void> };

/** Starts `lockscope` with these arguments. Settles when it is ready. */
export async function startProduct(words: readonly string[]): Promise<Product> {
  const program = spawn(process.execPath, [PROGRAMS.lockscope, ...words, '--port', '0', '--no-open'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => program.kill()); // the program must also end if the bench fails
  const ended = new Promise<void>((resolve) => program.once('exit', () => resolve()));
  const lines = createInterface({ input: program.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const found = /^lockscope ready (\S+)$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    lines.on('close', () => reject(new Error('lockscope ended without a ready line')));
  });
  return {
    url,
    pid: program.pid ?? 0,
    stop: async () => {
      program.kill('SIGTERM');
      await ended;
    },
  };
}
