import type { Source } from '../../shared/wire/source.ts';
import { dismissedHints } from '../choices/dismissed.ts';
import { useOwnLocks } from '../data/queries/level-orders.ts';
import { NameText } from '../ui/NameText.tsx';
import { Notice } from '../ui/Notice.tsx';
import { isWatchedElsewhere } from '../url/base-path.ts';
import { useWords } from '../words/language.ts';

/** A hint about keys that look like an application's own locks, with a button that shows or hides them as locks, except in a viewer. */
export function OwnLocksHint({ id, source }: { id: string; source: Source }) {
  const { states } = useWords();
  const change = useOwnLocks();
  const { count = 0, isMore = false, names = [], isShown = false } = source.ownLocks ?? {};
  return (
    <Notice
      tone="hint"
      title={isShown ? states.ownLocksShown : states.ownLocks(count, isMore)}
      actions={
        <>
          {!isWatchedElsewhere && (
            <button
              type="button"
              className={isShown ? 'button is-small' : 'button is-small is-primary'}
              disabled={change.isPending}
              onClick={() => change.mutate({ source: source.id, shown: !isShown })}
            >
              {isShown ? states.hideOwnLocks : states.showOwnLocks}
            </button>
          )}
          <button type="button" className="button is-small" onClick={() => dismissedHints.dismiss(id)}>
            {isShown ? states.keepOwnLocks : states.goOn}
          </button>
        </>
      }
    >
      {isShown ? states.ownLocksShownHint : states.ownLocksHint}
      {!isShown && (
        <span>
          {' '}
          {states.forExample}{' '}
          {names.slice(0, MOST_NAMES).map((name, n) => (
            <span key={name}>
              {n > 0 && ', '}
              <NameText text={name} most={40} />
            </span>
          ))}
        </span>
      )}
    </Notice>
  );
}

const MOST_NAMES = 3;
