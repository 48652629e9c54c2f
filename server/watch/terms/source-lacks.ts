import { hidesLocks, type Loss } from '../../../shared/doctor/rights/rights.ts';
import { LACKS, type Lack } from '../../../shared/insights/insight.ts';
import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import { recordedLack } from '../../../shared/wire/problems/values.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { readsQueues } from '../../../shared/wire/watched.ts';

/**
 * As `lacksOf`, for a recording. Adds `queues` if the queues of fair locks may not be read, and `unmatched` if
 * `--match` left locks out.
 */
export function recordedLacks(source: Pick<Source, 'unseen' | 'keyEvents'>): readonly string[] {
  const isMatched = source.unseen.some(
    ({ code, values }) => code === 'unseen-unmatched' || values.lack === 'unmatched',
  );
  const others = [...(readsQueues(source) ? [] : ['queues']), ...(isMatched ? ['unmatched'] : [])];
  return [...lacksOf(source), ...others].sort();
}

/** What a recording could not show. `lacks`: what the recording names; `undefined`: its version names nothing. */
export function unseenInRecording(lacks: readonly string[] | undefined): Problem[] {
  if (lacks === undefined) return [problem('unseen-when-recorded', { lack: 'unknown' })];
  return lacks.map((each) => problem('unseen-when-recorded', { lack: recordedLack.catch('locks').parse(each) }));
}

/** What is not known about a source that is watched, as far as it matters to detectors. */
export function lacksOf({ unseen, keyEvents }: Pick<Source, 'unseen' | 'keyEvents'>): readonly Lack[] {
  const lacks = new Set(unseen.flatMap((each) => lacksIn(each as Problem))); // its form was checked when it was made
  if (keyEvents === 'off' || keyEvents === 'tracking') lacks.add('key-events');
  return [...lacks];
}

/** Losses that leave few locks out: those of many readers, and semaphores and latches that only a waiter shows. */
const LEFT_OUT: ReadonlySet<Loss> = new Set(['large', 'waiters']);

function lacksIn(unseen: Problem): readonly Lack[] {
  if (unseen.code !== 'unseen-when-recorded') return [lackIn(unseen) ?? []].flat();
  const { lack } = unseen.values;
  return lack === 'unknown' ? LACKS : LACKS.filter((each) => each === lack);
}

function lackIn(unseen: Problem): Lack | undefined {
  switch (unseen.code) {
    case 'unseen-clients':
    case 'unseen-connections':
      return 'presence';
    case 'unseen-key-events':
      return 'key-events';
    case 'unseen-before-scan':
    case 'unseen-before-text':
    case 'unseen-dropped-lines':
    case 'unseen-beyond-memory':
    case 'unseen-unsampled':
    case 'unseen-waiters':
    case 'unseen-keys':
    case 'unseen-databases':
      return 'locks';
    case 'unseen-without-right': {
      const { loss } = unseen.values;
      if (loss === 'listeners') return 'listeners';
      return loss === 'clients' ? 'presence' : hidesLocks(loss) || LEFT_OUT.has(loss) ? 'locks' : undefined;
    }
    default:
      return undefined;
  }
}
