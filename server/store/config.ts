import { ok, type Result } from '../../shared/base/result.ts';
import type { Flags } from '../cli/flags.ts';
import { type Refusal, wrongUsage } from '../cli/usage-problem.ts';
import type { StoreTask } from './thread-messages.ts';

/** The store that `--store` or `LOCKSCOPE_STORE` names, and what it keeps; `undefined`: nothing is stored. */
export function storeConfig(
  flags: Pick<Flags, 'store' | 'retain' | 'store-size'>,
  env: NodeJS.ProcessEnv,
  isGiven: (flag: 'retain' | 'store-size') => boolean,
): Result<StoreTask | undefined, Refusal> {
  const path = flags.store ?? (env.LOCKSCOPE_STORE || undefined);
  if (path === undefined) {
    const alone = (['retain', 'store-size'] as const).find(isGiven);
    return alone === undefined ? ok(undefined) : wrongUsage(`--${alone} works only with --store FILE.`);
  }
  if (/^\w+:\/\//.test(path)) {
    return wrongUsage('--store takes a file name, such as locks.store. A database with a URL cannot be used yet.');
  }
  return ok({ path, retainMs: flags.retain, mostBytes: flags['store-size'] });
}
