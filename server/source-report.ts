import type { Logger } from 'pino';
import type { Source } from '../shared/wire/source.ts';
import type { Observatory } from './watch/observatory.ts';

/** Logs each problem of a source once, and that it is over; gives back how to stop. */
export function reportSources(observatory: Observatory, log: Pick<Logger, 'info' | 'warn'>): () => void {
  const told = new Map<string, string>();
  const look = () => {
    for (const source of observatory.sources()) {
      if (source.ended) continue;
      const now = lineOf(source);
      if (now === undefined) continue;
      const isSilent = source.problem?.code === 'not-answering'; // its line counts the seconds
      const what = isSilent ? 'not-answering' : now;
      if (told.get(source.id) === what) continue;
      told.set(source.id, what);
      if (source.problem || source.recorder?.problem) log.warn({ source: source.url }, now);
      else log.info({ source: source.url }, now);
    }
  };
  look();
  return observatory.onBatch((batch) => {
    if (batch.sourcesChanged) look();
  });
}

/** What is worth a line; undefined while there is nothing to say. */
function lineOf({ problem, status, level, redisVersion, recording, recorder }: Source): string | undefined {
  if (recorder?.problem) return `${recorder.problem.message} ${recorder.problem.hint}`;
  if (recording) return lineOfRecording(recording);
  if (problem) return `${problem.message} ${problem.hint}`;
  return status === 'observing' ? `observing at level ${level}, Redis ${redisVersion}` : undefined;
}

function lineOfRecording({ name, cutShort, badLines }: NonNullable<Source['recording']>): string {
  const end = cutShort ? ' It was cut short: what made it ended without a word.' : '';
  const bad = badLines.first.map(({ line, reason }) => `line ${line}: ${reason}`).slice(0, 3);
  const unread = bad.length > 0 ? ` Lines that could not be read: ${badLines.count} (${bad.join(', ')}).` : '';
  return `showing the recording ${name}.${end}${unread}`;
}
