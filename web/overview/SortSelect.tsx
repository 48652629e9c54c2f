import { ArrowUpDown } from 'lucide-react';
import { offeredSorts } from '../locks/columns/lock-order.ts';
import { Icon } from '../ui/Icon.tsx';
import { LOCK_SORTS, type LockSort, type OverviewRoute } from '../url/route.ts';
import { navigate } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** The order of the locks as a list, for narrow screens, where the headings of the table are hidden. */
export function SortSelect({ route }: { route: OverviewRoute }) {
  const words = useWords();
  const { overview } = words;
  const sort = (sort: LockSort) => navigate({ ...route, sort, isReversed: false }, { replace: true });
  return (
    <span className="sort-select field">
      <select
        aria-label={overview.sortBy}
        value={route.sort}
        onChange={({ target }) => sort(LOCK_SORTS.find((each) => each === target.value) ?? 'attention')}
      >
        {offeredSorts(words, route.sort).map(({ sort, text }) => (
          <option key={sort} value={sort}>
            {text}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="button"
        aria-label={overview.reverse}
        aria-pressed={route.isReversed}
        disabled={route.sort === 'attention'}
        onClick={() => navigate({ ...route, isReversed: !route.isReversed }, { replace: true })}
      >
        <Icon of={ArrowUpDown} />
      </button>
    </span>
  );
}
