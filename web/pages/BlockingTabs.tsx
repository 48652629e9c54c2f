import { graphNow, waitsNow } from '../cursor/routes-now.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** The two tabs about threads that wait: for whom, and what that cost. Both keep the cursor. */
export function BlockingTabs({ here }: { here: 'chain' | 'cost' }) {
  const { blocking } = useWords().frame;
  return (
    <nav className="tabs" aria-label={blocking.label}>
      <Link to={graphNow()} aria-current={here === 'chain' ? 'page' : undefined}>
        {blocking.chain}
      </Link>
      <Link to={waitsNow()} aria-current={here === 'cost' ? 'page' : undefined}>
        {blocking.cost}
      </Link>
    </nav>
  );
}
