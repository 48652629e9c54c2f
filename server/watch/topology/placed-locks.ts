import { keySlot } from '../../../shared/base/key-slot.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import type { Source } from '../../../shared/wire/source.ts';
import type { Answers } from '../answers/answers.ts';

/** The fields of a source that show where its locks are. */
export type SourcePlace = Pick<Source, 'topology' | 'node'>;

/**
 * The same answers, with the server that each lock is on now, and in a cluster its slot. `detail` leaves out the server
 * at an earlier instant, since the lock may have moved since.
 */
export function placedAnswers(answers: Answers, sourceOf: (id: string) => SourcePlace | undefined): Answers {
  const placed = (lock: Lock): Lock => placedLock(lock, sourceOf(lock.source));
  const placedIfKnown = (lock: Lock | undefined) => lock && placed(lock);
  return {
    ...answers,
    locks: (mostFree, most) => answers.locks(mostFree, most).map(placed),
    async lockPage(query, signal) {
      const page = await answers.lockPage(query, signal);
      return { ...page, locks: page.locks.map(placed) };
    },
    locksNamed: (name, where) => answers.locksNamed(name, where).map(placed),
    lockById: (id) => placedIfKnown(answers.lockById(id)),
    async detail(lock, at, signal) {
      const detail = await answers.detail(lock, at, signal);
      const source = sourceOf(lock.source);
      return detail && placedLock(detail, at === undefined ? source : source && { topology: source.topology });
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
