import { clientOf } from '../../../shared/events/names/names.ts';
import type { World } from './world.ts';

/**
 * All threads that work under a lock, if a holder works and so does a thread that only thinks it holds the lock;
 * otherwise empty. Beliefs in permits do not count, because several clients may hold permits at once. A frozen or dead
 * process does not work.
 */
export function workingTogether({ locks, clients, beliefs }: World, lock: string): string[] {
  const works = (holder: string) => !['frozen', 'dead'].includes(clients.get(clientOf(holder)) ?? 'running');
  const late = beliefs.filter((belief) => belief.lock === lock && belief.permit === null).map(({ holder }) => holder);
  const holders = (locks.get(lock)?.holders ?? []).map(({ id }) => id);
  const all = [late.filter(works), holders.filter(works)];
  return all.every((each) => each.length > 0) ? [...new Set(all.flat())] : [];
}

/**
 * Returns a thread of another process that works under a lock which this process has lost but still works under;
 * undefined if there is none.
 */
export function worksBeside(world: World, uuid: string): string | undefined {
  for (const { holder, lock } of world.beliefs) {
    if (clientOf(holder) !== uuid || lock === null) continue;
    const other = workingTogether(world, lock).find((each) => clientOf(each) !== uuid);
    if (other !== undefined) return other;
  }
  return undefined;
}
