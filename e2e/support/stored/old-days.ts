import { readFileSync } from 'node:fs';
import { openStore } from '../../../server/store/store.ts';
import { linkHere } from '../../../server/store/testing/link-here.ts';
import { StoredWatch } from '../../../server/store/testing/stored-trace.ts';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { shiftedTimes } from '../../../shared/recording/shifted-times.ts';
import { timeOfStep } from '../../../shared/recording/steps-from-recording.ts';
import { signalsFromTrace, stepsFromSignals } from '../../../testing/traces/trace-file.ts';

const TRACE = new URL('../../../shared/traces/redisson-4.7.0/contention.trace', import.meta.url);
const HOUR = 3_600_000_000;

/** The lock of the trace that is stored. */
export const OLD_LOCK = 'orders:42';

/**
 * Stores days that are long past, as an observer would have: clients of Redisson that compete for a lock,
 * `timesOf(day)` times a day, an hour apart. `source` is the name of the source on the bus.
 */
export async function storeOldDays(
  path: string,
  source: string,
  { from, days, timesOf }: { from: RedisTime; days: number; timesOf(day: number): number },
): Promise<void> {
  const store = await openStore({ path, source, retainMs: 1e12, mostBytes: 1e12 }, linkHere);
  if (!store.ok) throw new Error(store.error);
  const steps = stepsFromSignals(signalsFromTrace(readFileSync(TRACE, 'latin1')), true);
  const [first] = steps;
  if (!first) throw new Error('the trace is empty');
  const begin = timeOfStep(first);
  const watch = new StoredWatch(store.value, redisTime(from - 1));
  for (let day = 0; day < days; day++) {
    for (let nth = 0; nth < timesOf(day); nth++) {
      const at = from + (24 * day + nth) * HOUR;
      watch.take(steps.map((step) => shiftedTimes(step, begin, Math.round((at - begin) / 1000) * 1000)));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  await watch.end();
}
