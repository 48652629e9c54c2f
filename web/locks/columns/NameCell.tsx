import { lockNow } from '../../cursor/routes-now.ts';
import { CertaintyMark } from '../../parts/Certainty.tsx';
import { ShortPlace } from '../../parts/LockPlace.tsx';
import { NameText } from '../../ui/NameText.tsx';
import { Link } from '../../url/router.tsx';
import type { CellProps } from './lock-column.ts';

/** Longer names are cut in the middle, however wide the window is. */
const MOST_OF_NAME = 200;

/** The name of a lock as a link to its page, and the place of the lock. */
export function NameCell({ lock, isTabStop, hasManySources }: CellProps) {
  return (
    <>
      <Link to={lockNow(lock)} className="row-link" data-row-focus tabIndex={isTabStop ? 0 : -1}>
        <NameText text={lock.name} most={MOST_OF_NAME} isOneLine />
      </Link>
      <ShortPlace lock={lock} hasManySources={hasManySources} />
      {lock.certainty === 'inferred' && <CertaintyMark certainty="inferred" assumedSince={lock.assumedSince} />}
    </>
  );
}
