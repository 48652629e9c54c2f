import { lockNow } from '../cursor/routes-now.ts';
import { NameText } from '../ui/NameText.tsx';
import { Link } from '../url/router.tsx';

/** The name of a lock, as a link to its page. */
export function LockName({ lock: { source, db, lock } }: { lock: { source: string; db: number; lock: string } }) {
  return (
    <Link to={lockNow({ name: lock, source, db })}>
      <NameText text={lock} most={60} />
    </Link>
  );
}
