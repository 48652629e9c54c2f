import type { Source } from '../../shared/wire/source.ts';

/** Whether a source is watched at a lower level than monitor, and by choice: the guard or Redis did not lower it. */
export function mayStartMonitor({ status, level, guard, problem }: Source): boolean {
  return status === 'observing' && level !== 'monitor' && guard.state !== 'tripped' && problem === undefined;
}
