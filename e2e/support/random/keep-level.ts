import { type Lockscope, sourceOf } from '../lockscope/lockscope.ts';
import { repeatUntilStopped } from './repeat-until-stopped.ts';

const EVERY_MS = 1000;

/**
 * Asks each second at which level a Lockscope watches its source. `stop` returns each change of the level: the new one,
 * when, and why.
 */
export function keepLevel(lockscope: Pick<Lockscope, 'health'>, level: string) {
  const changes: string[] = [];
  const startedAt = Date.now();
  let before = level;
  const asking = repeatUntilStopped(async () => {
    const source = await sourceOf(lockscope);
    if (source.level !== before)
      changes.push(`${source.level} after ${Date.now() - startedAt} ms: ${source.guard.reason ?? 'no reason'}`);
    before = source.level;
  }, EVERY_MS);
  return {
    async stop(): Promise<readonly string[]> {
      await asking.stop();
      return changes;
    },
  };
}
