import { hidesLocks } from '../../../shared/doctor/rights/rights.ts';
import type { Lack } from '../../../shared/insights/insight.ts';
import type { Problem } from '../../../shared/wire/problems/problem.ts';
import type { Source } from '../../../shared/wire/source.ts';

/** What is not known about a source that is watched, as far as it matters to detectors. */
export function lacksOf({ unseen, keyEvents }: Pick<Source, 'unseen' | 'keyEvents'>): readonly Lack[] {
  const lacks = new Set(unseen.flatMap((each) => lackIn(each as Problem) ?? [])); // of the wire, checked when it was made
  if (keyEvents === 'off' || keyEvents === 'tracking') lacks.add('key-events');
  return [...lacks];
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
    case 'unseen-beyond-memory':
    case 'unseen-unsampled':
    case 'unseen-keys':
    case 'unseen-databases':
      return 'locks';
    case 'unseen-without-right': {
      const { loss } = unseen.values;
      if (loss === 'listeners') return 'listeners';
      return loss === 'clients' ? 'presence' : hidesLocks(loss) ? 'locks' : undefined;
    }
    default:
      return undefined;
  }
}
