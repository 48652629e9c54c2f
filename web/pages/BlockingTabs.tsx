import { graphNow, waitsNow } from '../cursor/routes-now.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** The two tabs about threads that wait: for which threads they wait, and what the waits cost. Both keep the cursor. */
export function BlockingTabs({ shown }: { shown: 'chain' | 'cost' }) {
  const { blocking } = useWords().frame;
  return (
    <nav className="tabs" aria-label={blocking.label}>
      <Link to={graphNow()} aria-current={shown === 'chain' ? 'page' : undefined}>
        {blocking.chain}
      </Link>
      <Link to={waitsNow()} aria-current={shown === 'cost' ? 'page' : undefined}>
        {blocking.cost}
      </Link>
    </nav>
  );
}
