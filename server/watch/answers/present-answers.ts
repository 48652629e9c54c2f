import { countOf } from '../../../shared/state/lock-counts.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import type { Memory } from '../history/memory.ts';
import { inSlices } from '../slices/in-slices.ts';
import type { Answers } from './answers.ts';
import { pastAnswers } from './past-answers.ts';
import { presentLocks, presentPage } from './present-locks.ts';

/** How many client names are kept for pages. Without a limit, clients that come and go all day would fill memory. */
const MOST_NAMES = 2000;

/** All answers from memory, except the batches that listeners receive (`onBatch`). */
export function answersFrom(memory: Memory): Omit<Answers, 'onBatch'> {
  const { pageAt, ...past } = pastAnswers(memory);
  const viewOf = (lock: LockState): Lock => memory.viewOf(lock);

  return {
    ...past,
    now: memory.now,
    locks: (mostFree = Number.POSITIVE_INFINITY, most = Number.POSITIVE_INFINITY) =>
      presentLocks(memory, mostFree, most),
    lockPage: ({ at, ...query }, signal) =>
      inSlices(at === undefined ? presentPage(memory, query) : pageAt(at, query), signal),
    locksNamed(name, where) {
      const found: Lock[] = [];
      for (const [, lock] of memory.world.entries()) {
        if (lock.name !== name) continue;
        if (where?.source !== undefined && where.source !== lock.source) continue;
        if (where?.db !== undefined && where.db !== lock.db) continue;
        found.push(viewOf(lock));
      }
      return found;
    },
    lockById(id) {
      const lock = memory.world.get(id);
      return lock && viewOf(lock);
    },
    tallies() {
      const { world } = memory;
      return { locks: world.tallies(), oldestWaits: new Map(world.oldestWaits.entries()) };
    },
    countOf(id) {
      const lock = memory.world.get(id);
      return lock && countOf(lock);
    },
    clientNames() {
      const newest = [...memory.clientStates.clients()].slice(-MOST_NAMES);
      return Object.fromEntries(newest.flatMap(({ client, name }) => (name === null ? [] : [[client, name]])));
    },
  };
}
