import type { Source } from '../../shared/wire/source.ts';
import { isWatchedElsewhere } from '../url/base-path.ts';

/**
 * Whether a source is watched at a lower level than monitor, and by choice: the guard or Redis did not lower it. Never
 * in a viewer, which cannot change a level.
 */
export function mayStartMonitor({ status, level, guard, problem }: Source): boolean {
  if (isWatchedElsewhere) return false;
  return status === 'observing' && level !== 'monitor' && guard.state !== 'tripped' && problem === undefined;
}
