import type { Logger } from 'pino';
import { inTime } from '../redis/connection/in-time.ts';
import type { Observatory } from '../watch/observatory.ts';

const FIRST_ANSWER_MS = 3000;

/** Starts to watch. Waits until every Redis has answered or failed, at most 3 s. */
export async function startWatching(observatory: Observatory, log: Pick<Logger, 'error'>): Promise<void> {
  try {
    const isWatching = observatory.start().then(() => firstAnswers(observatory));
    await inTime(FIRST_ANSWER_MS, isWatching);
  } catch (error) {
    log.error({ err: error }, 'could not start watching');
  }
}

function firstAnswers(observatory: Observatory): Promise<void> {
  const isSettled = () => observatory.sources().every(({ status, problem }) => status !== 'connecting' || problem);
  return onceSources(observatory, isSettled);
}

/** Resolves when `isSo` returns true. Checks that now and after each change of the sources. */
export function onceSources(observatory: Observatory, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (isSo()) return resolve();
    const stop = observatory.onBatch(({ sourcesChanged }) => {
      if (!sourcesChanged || !isSo()) return;
      stop();
      resolve();
    });
  });
}
