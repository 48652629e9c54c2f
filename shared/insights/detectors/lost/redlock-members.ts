import { sourceInId } from '../../../state/lock-state.ts';

/** Whether these are locks of one name, each on another server. */
export function isOneName(lockIds: readonly string[]): boolean {
  return new Set(lockIds.map((id) => id.slice(sourceInId(id).length))).size === 1;
}
