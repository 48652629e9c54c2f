import { keySlot } from '../../../shared/base/key-slot.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import type { Source } from '../../../shared/wire/source.ts';
import type { Answers } from '../answers/answers.ts';

/** The fields of a source that show where its locks are. */
export type SourcePlace = Pick<Source, 'topology' | 'node'>;

/**
 * The same answers, with the server that each lock is on now, and in a cluster its slot. At an earlier instant the server
 * is left out, since the lock may have moved since.
 */
export function placedAnswers(answers: Answers, sourceOf: (id: string) => SourcePlace | undefined): Answers {
  const placed = <T extends Lock>(lock: T): T => placedLock(lock, sourceOf(lock.source));
  const placedAt = <T extends Lock>(lock: T, at: number | undefined): T => {
    if (at === undefined) return placed(lock);
    const source = sourceOf(lock.source);
    return placedLock(lock, source && { topology: source.topology });
  };
  const placedIfKnown = (lock: Lock | undefined) => lock && placed(lock);
  return {
    ...answers,
    locks: (mostFree, most) => answers.locks(mostFree, most).map(placed),
    async lockPage(query, signal) {
      const page = await answers.lockPage(query, signal);
      return { ...page, locks: page.locks.map((lock) => placedAt(lock, query.at)) };
    },
    locksNamed: (name, where) => answers.locksNamed(name, where).map(placed),
    async pastLocksNamed(name, where, at, signal) {
      const locks = await answers.pastLocksNamed(name, where, at, signal);
      return locks.map((lock) => placedAt(lock, at));
    },
    lockById: (id) => placedIfKnown(answers.lockById(id)),
    async detail(lock, at, signal) {
      const detail = await answers.detail(lock, at, signal);
      return detail && placedAt(detail, at);
    },
  };
}

/** A lock with its place. On a single server nothing is added, since the source has its address. */
function placedLock<T extends Lock>(lock: T, source: SourcePlace | undefined): T {
  if (source?.topology === undefined || source.topology === 'single') return lock;
  return {
    ...lock,
    ...(source.node === undefined ? {} : { node: source.node }),
    ...(source.topology === 'cluster' ? { slot: keySlot(lock.name) } : {}),
  };
}
