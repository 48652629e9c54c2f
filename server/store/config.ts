import { ok, type Result } from '../../shared/base/result.ts';
import { type Flags, STORE_TEXT } from '../cli/flags.ts';
import { type Refusal, wrongUsage } from '../cli/usage-problem.ts';
import { isDatabaseUrl, shownStore } from './store-name.ts';
import type { StoreTask } from './thread-messages.ts';

/** The store that `--store` or `LOCKSCOPE_STORE` names, and how much it keeps; `undefined`: nothing is stored. */
export function storeConfig(
  flags: Pick<Flags, 'store' | 'retain' | 'store-size'>,
  env: NodeJS.ProcessEnv,
  isGiven: (flag: 'retain' | 'store-size') => boolean,
): Result<StoreTask | undefined, Refusal> {
  const path = flags.store ?? (env.LOCKSCOPE_STORE || undefined);
  if (path === undefined) {
    const alone = (['retain', 'store-size'] as const).find(isGiven);
    return alone === undefined ? ok(undefined) : wrongUsage(`--${alone} works only with --store.`);
  }
  if (isDatabaseUrl(path)) {
    if (!isReadable(path)) {
      return wrongUsage(
        `--store: ${shownStore(path)} cannot be read. Write it as in postgres://USER:PASSWORD@HOST:5432/DATABASE, and percent-encode special characters in the user and password.`,
      );
    }
  } else if (/^\w+:\/\//.test(path)) {
    return wrongUsage(STORE_TEXT);
  }
  return ok({ path, retainMs: flags.retain, mostBytes: flags['store-size'] });
}

/** Whether the URL of a database can be parsed. With a Unix socket, nothing may follow the `@` but the database. */
function isReadable(url: string): boolean {
  try {
    const { username, password } = new URL(url.replace('@/', '@socket/'));
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
