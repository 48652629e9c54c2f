import type { Lockscope } from '../lockscope/lockscope.ts';
import { sourceOf } from '../lockscope/lockscope.ts';
import { pause } from '../wait-for.ts';

const EVERY_MS = 1000;

/** Notes each second at which level a Lockscope watches its source. `stop` returns when it watched at another one, and why. */
export function keepLevel(lockscope: Pick<Lockscope, 'health'>, level: string) {
  const others: string[] = [];
  const startedAt = Date.now();
  let before = level;
  let isStopped = false;
  const watching = (async () => {
    while (!isStopped) {
      const source = await sourceOf(lockscope);
      if (source.level !== before)
        others.push(`${source.level} after ${Date.now() - startedAt} ms: ${source.guard.reason ?? 'no reason'}`);
      before = source.level;
      await pause(EVERY_MS);
    }
  })();
  // If a test fails, its Lockscope ends while this still asks. `stop` reports the error if the test continues.
  watching.catch(() => {});
  return {
    async stop(): Promise<readonly string[]> {
      isStopped = true;
      await watching;
      return others;
    },
  };
}
