import type { CheckBody } from '../../shared/wire/check.ts';
import type { Observatory } from '../watch/observatory.ts';
import { BlindLog } from './blind-log.ts';
import { checkBodyFrom } from './check-report.ts';
import { logVerdicts } from './verdict-log.ts';
import { watchedOf, withBlindSpots } from './watched.ts';
import { hasCaughtUp, isReady } from './watching.ts';

/**
 * Watches until all locks that are held are read, and for `forMs` more. Returns the verdicts from then on. If a source
 * cannot be watched, returns those of the other sources at once.
 */
export async function check(observatory: Observatory, forMs: number, signal: AbortSignal): Promise<CheckBody> {
  await observatory.start();
  const wasReady = await isReady(observatory, signal);
  const blind = new BlindLog();
  const stop = observatory.onBatch(({ events }) => {
    for (const event of events) blind.take(event);
  });
  try {
    const from = observatory.now();
    const over = wasReady ? watchFor(observatory, forMs, signal) : Promise.resolve();
    const log = await logVerdicts(observatory, over, signal);
    const all = log.report();
    if (!all) throw new Error('no report of the detectors');
    const report = withBlindSpots(all, blind.all());
    const busy = observatory.locks(0).length;
    return checkBodyFrom(report, from, watchedOf(observatory.sources(), busy, blind.all(), report));
  } finally {
    stop();
  }
}

async function watchFor(observatory: Observatory, forMs: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, forMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  await hasCaughtUp(observatory, signal);
}
