import { parseArgs } from 'node:util';
import type { LockscopeOptions } from '../../../library/lockscope.ts';

/** The flags of the command that are options of `createLockscope` too. */
const FLAGS = {
  observe: { type: 'string' },
  match: { type: 'string', multiple: true },
  memory: { type: 'string' },
  token: { type: 'string' },
  otlp: { type: 'string' },
  'metrics-lock': { type: 'string', multiple: true },
  'allow-release': { type: 'boolean' },
  'configure-notifications': { type: 'boolean' },
} as const;

/**
 * The options of `createLockscope` that mean the same as these URLs and flags of the command. Throws at any other flag.
 */
export function libraryOptions(words: readonly string[]): LockscopeOptions {
  const { values, positionals: redis } = parseArgs({ args: [...words], allowPositionals: true, options: FLAGS });
  const named = Object.entries(values).map(([flag, value]) => [
    flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return { redis, ...Object.fromEntries(named) };
}
