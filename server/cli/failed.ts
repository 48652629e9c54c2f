import { printable } from './printable.ts';

/** Prints why the command cannot go on, and returns its exit code. */
export function failed(message: string, exitCode = 1): number {
  process.stderr.write(`lockscope: ${printable(message)}\n`);
  return exitCode;
}
