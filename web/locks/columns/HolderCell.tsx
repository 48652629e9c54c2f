import { Suspense } from 'react';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { holderCount, readersOf } from '../../../shared/wire/locks/lock-facts.ts';
import { counterText } from '../../parts/counter-words.ts';
import { GroupChip } from '../../parts/GroupChip.tsx';
import { Person, PresenceMark } from '../../parts/Person.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useWords } from '../../words/language.ts';

const BelieverMark = lazyPart(() => import('./BelieverMark.tsx'));

/**
 * The first holder of a lock, after a mark if its client is idle or gone. The hold count follows if it is above 1 or
 * the hold is not exclusive, then the number of other holders. Several readers, permits and latches are only counted.
 */
export function HolderCell({ lock, isTabStop }: { lock: Lock; isTabStop: boolean }) {
  const { counters, lock: words } = useWords();
  const counted = counterText(lock, counters);
  const [holder] = lock.holders;
  const others = holderCount(lock) - 1;
  const believers = lock.believers !== undefined && (
    <Suspense>
      <BelieverMark lock={lock} />
    </Suspense>
  );
  if (counted !== undefined || !holder || readersOf(lock) > 1) {
    const text = counted ?? (holder ? words.readers(readersOf(lock)) : undefined);
    return (
      <>
        {text === undefined ? (
          <span className="nothing">
            {lock.holderUnseen ? words.holderUnseenShort : lock.held ? words.heldByUnknownShort : words.free}
          </span>
        ) : (
          <span className={lock.held ? 'counter' : 'counter nothing'}>{text}</span>
        )}
        {believers}
      </>
    );
  }
  const { holdCount, mode, presence, group } = holder;
  return (
    <>
      <PresenceMark presence={presence} />
      <Person lockId={lock.id} {...holder} isAmongLocks />
      {(holdCount > 1 || mode !== 'exclusive') && (
        <span className={holdCount > 1 ? 'hold-count is-deep' : 'hold-count'}>{words.count(holdCount, mode)}</span>
      )}
      {others > 0 && <span className="more">+{others}</span>}
      {group !== undefined && <GroupChip id={group} isTabStop={isTabStop} />}
      {believers}
    </>
  );
}
