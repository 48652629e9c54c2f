import { EVENTS } from '../url/route.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** The id of the multi lock or RedLock of an event or a holder, as a link to its events. */
export function GroupChip({ id, isTabStop = true }: { id: string; isTabStop?: boolean }) {
  const { groups } = useWords();
  return (
    <Link
      className="group-chip"
      to={{ ...EVENTS, group: id }}
      title={groups.showOnly(id)}
      tabIndex={isTabStop ? 0 : -1}
    >
      <svg viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
        <path d="M1 4h7v7H1zM4 4V1h7v7H8" fill="none" stroke="currentColor" strokeWidth="1.4" />
      </svg>{' '}
      {id}
    </Link>
  );
}
