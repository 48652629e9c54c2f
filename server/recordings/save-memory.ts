import { fileTimeText } from '../../shared/base/time.ts';
import type { Problem } from '../../shared/wire/problems/problem.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import type { RecordingEntry } from '../../shared/wire/recordings.ts';
import { ObserverGone } from '../watch/observer/observer-problems.ts';
import type { RecordingCut } from '../watch/recording/recording-sink.ts';

/** A source of which nothing was saved, and why. */
type NotSaved = { readonly source: string; readonly problem: Problem };

/**
 * Saves each source's part of memory. If a source has nothing or does not answer, the others are still saved, and the
 * source is returned with its problem. Rejects with what `cut` and `keep` reject with, except `ObserverGone`.
 */
export async function saveEach(
  sources: readonly string[],
  cut: (source: string) => Promise<RecordingCut | undefined>,
  keep: (source: string, part: RecordingCut) => Promise<RecordingEntry>,
): Promise<{ saved: RecordingEntry[]; notSaved: NotSaved[] }> {
  const saved: RecordingEntry[] = [];
  const notSaved: NotSaved[] = [];
  for (const source of sources) {
    const part = await cut(source).catch((error: unknown) => {
      if (error instanceof ObserverGone) return error;
      throw error;
    });
    if (part instanceof ObserverGone) notSaved.push({ source, problem: part.problem });
    else if (!part) notSaved.push({ source, problem: problem('not-in-memory', { what: 'range' }) });
    else saved.push(await keep(source, part));
  }
  return { saved, notSaved };
}

/**
 * A file name with both ends, so that two parts of one memory have two names:
 * `lockscope-2025-11-21T09-47-34Z-to-09-57-34Z.lockscope`. The second end has a date only if its day is another one.
 */
export function savedName(startedAt: number, endsAt: number, source?: string): string {
  const [from, to] = [fileTimeText(startedAt), fileTimeText(endsAt)];
  const [day, time] = to.split('T');
  const end = from.startsWith(`${day}T`) ? time : to;
  return `lockscope-${from}-to-${end}${source === undefined ? '' : `-${source}`}.lockscope`;
}
