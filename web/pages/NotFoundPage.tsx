import { NameText } from '../ui/NameText.tsx';
import { EmptyState } from '../ui/Notice.tsx';
import { OVERVIEW } from '../url/route.ts';
import { Link } from '../url/router.tsx';

/** An address that leads nowhere, and the way back. */
export function NotFoundPage({ path }: { path: string }) {
  return (
    <div className="page">
      <h1 tabIndex={-1}>No such page</h1>
      <EmptyState
        title="This address leads nowhere."
        actions={
          <Link className="button is-primary" to={OVERVIEW}>
            Go to the overview
          </Link>
        }
      >
        <p>
          <NameText text={path} most={80} />
        </p>
      </EmptyState>
    </div>
  );
}
