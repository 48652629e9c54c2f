import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { plusMillis, redisTime } from '../../../shared/base/time.ts';
import { shiftedTimes } from '../../../shared/recording/shifted-times.ts';
import { timeOfStep } from '../../../shared/recording/steps-from-recording.ts';
import { signalsFromTrace, stepsFromSignals } from '../../../testing/traces/trace-file.ts';
import { DEFAULT_MEMORY } from '../../watch/terms/memory-shares.ts';
import { OpenedRanges } from '../opened-ranges.ts';
import { StoredWatch, storeIn } from './stored-trace.ts';

const DAYS = 30;
/** How often the trace is played each day. */
const TIMES_A_DAY = Number(process.env.STORE_TIMES_A_DAY ?? 8);
const INSTANTS = 10;
const DAY_MS = 86_400_000;
const FILE = new URL('../../../shared/traces/redisson-4.7.0/herd.trace', import.meta.url);

/**
 * Stores 30 days of a trace, and opens ten instants of them. `bytes`: the size of the store once it is closed. Prints
 * how long that takes, and returns how many of the instants were stored.
 */
export async function measureThirtyDays(path: string, bytes: () => Promise<number> | number) {
  const steps = stepsFromSignals(signalsFromTrace(readFileSync(FILE, 'latin1')), true);
  const begin = timeOfStep(steps[0]!);
  const watch = new StoredWatch(await storeIn(path), plusMillis(begin, -1));
  for (let n = 0; n < DAYS * TIMES_A_DAY; n++) {
    const shift = n * (DAY_MS / TIMES_A_DAY) * 1000;
    watch.take(steps.map((step) => shiftedTimes(step, begin, shift)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const end = watch.live.answers.now();
  const events = watch.live.history.nextSeq() - 1;
  await watch.end();

  const again = await storeIn(path);
  const bytesAnEvent = (await bytes()) / events;
  const opening: number[] = [];
  let opened = 0;
  for (let n = 0; n < INSTANTS; n++) {
    const at = redisTime(begin + Math.floor(((n + 0.5) / INSTANTS) * (end - begin)));
    const ranges = new OpenedRanges(again.link, DEFAULT_MEMORY);
    const start = performance.now();
    const range = await ranges.open(at, at);
    const page = await range?.answers.lockPage({ at, from: 0, limit: 100, isWanted: () => true });
    opening.push(performance.now() - start);
    if (page) opened++;
  }
  await again.close();
  opening.sort((a, b) => a - b);
  const [medianMs = 0, longestMs = 0] = [opening[INSTANTS / 2], opening.at(-1)];
  console.log(
    `${events} events in ${DAYS} days: ${bytesAnEvent.toFixed(1)} bytes an event; ` +
      `an instant opens in ${medianMs.toFixed(0)} ms, at most ${longestMs.toFixed(0)} ms`,
  );
  return { bytesAnEvent, opened };
}
