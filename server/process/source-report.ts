import type { Logger } from 'pino';
import { BAD_LINES } from '../../shared/wire/problems/english/reasons.ts';
import type { Source } from '../../shared/wire/source.ts';
import { lacksRights } from '../../shared/wire/watched.ts';
import type { Observatory } from '../watch/observatory.ts';

/** Problems whose text counts the seconds. */
const COUNTING: ReadonlySet<string> = new Set(['not-answering', 'observer-silent']);

/** Logs how each source is watched, or its problem, whenever that has changed. Returns a function that stops this. */
export function reportSources(observatory: Observatory, log: Pick<Logger, 'info' | 'warn'>): () => void {
  const logged = new Map<string, string>();
  const look = () => {
    for (const source of observatory.sources()) {
      if (source.ended) continue;
      const now = lineOf(source);
      if (now === undefined) continue;
      const code = source.problem?.code ?? '';
      const what = COUNTING.has(code) ? code : now;
      if (logged.get(source.id) === what) continue;
      logged.set(source.id, what);
      if (source.problem || source.recorder?.problem || source.guard.state === 'tripped' || lacksRights(source))
        log.warn({ source: source.url }, now);
      else log.info({ source: source.url }, now);
    }
  };
  look();
  return observatory.onBatch((batch) => {
    if (batch.sourcesChanged) look();
  });
}

/** The log line for a source; `undefined` if there is nothing to log. */
function lineOf(source: Source): string | undefined {
  const { problem, status, level, redisVersion, recording, recorder, guard, unseen } = source;
  if (recorder?.problem) return `${recorder.problem.message} ${recorder.problem.hint}`;
  if (recording) return lineOfRecording(recording);
  if (problem) return `${problem.message} ${problem.hint}`;
  if (status !== 'observing') return undefined;
  const why = guard.reason === undefined ? '' : `. ${guard.reason}`;
  const hidden = lacksRights(source) ? unseen.filter(({ values }) => 'grant' in values) : [];
  const lacking = hidden.length === 0 ? '' : `. Not seen: ${hidden.map(({ message }) => message).join(' ')}`;
  return `observing at level ${level}, Redis ${redisVersion}${why}${lacking}`;
}

function lineOfRecording({ name, skipped, cutShort, badLines }: NonNullable<Source['recording']>): string {
  const end = cutShort ? ' Its end is missing: it was cut short, or is still being written.' : '';
  const reasons = badLines.first.filter(({ reason }, n, all) => all.findIndex((bad) => bad.reason === reason) === n);
  const bad = reasons.map(({ line, reason }) => `line ${line}: ${BAD_LINES[reason]}`).slice(0, 3);
  const unread = bad.length > 0 ? ` Lines that could not be read: ${badLines.count} (${bad.join(', ')}).` : '';
  const around = skipped ? ` ${skipped.message}` : '';
  return `showing the recording ${name}.${around}${end}${unread}`;
}
