import { NameText } from '../ui/NameText.tsx';
import { EmptyState } from '../ui/Notice.tsx';
import { OVERVIEW } from '../url/route.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** The page for unknown addresses, with a link to the overview. */
export function NotFoundPage({ path }: { path: string }) {
  const { overview } = useWords();
  return (
    <div className="page">
      <h1 tabIndex={-1}>{overview.noSuchPage}</h1>
      <EmptyState
        title={overview.leadsNowhere}
        actions={
          <Link className="button is-primary" to={OVERVIEW}>
            {overview.toOverview}
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
