import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitFor } from '../support/wait-for.ts';

/** A program of a user, in the folder where Lockscope is installed. */
export type Program = {
  /** What the program wrote to stdout and stderr so far. */
  output(): string;
  /** The first group of the pattern, or the whole match if the pattern has no group, once the output matches. */
  prints(pattern: RegExp): Promise<string>;
  /** Ends the program with SIGTERM; returns its exit code and how long that took in ms. */
  end(): Promise<{ code: number | null; ms: number }>;
};

/** Starts `node`, or another program, with these arguments. */
export function startProgram(
  cwd: string,
  args: readonly string[],
  env: Record<string, string> = {},
  program = process.execPath,
): Program {
  const child: ChildProcess = spawn(program, args, { cwd, env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit');
  return {
    output: () => output,
    prints: (pattern) =>
      waitFor(`${pattern}`, (missing) => {
        const found = pattern.exec(output);
        if (found) return found[1] ?? found[0];
        if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}: ${output}`);
        return missing(output);
      }),
    async end() {
      const began = performance.now();
      child.kill('SIGTERM');
      if (child.exitCode === null) await ended;
      return { code: child.exitCode, ms: performance.now() - began };
    },
  };
}
