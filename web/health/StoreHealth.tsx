import { useHealth } from '../data/queries/queries.ts';
import { NameText } from '../ui/NameText.tsx';
import { sizeText } from '../ui/size-text.ts';
import { secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { problemText } from '../words/problem-text.ts';
import { Chip } from './Chip.tsx';

/**
 * A chip for the store, which keeps what memory drops: how far it reaches back, and why nothing is stored. Renders
 * nothing without a store.
 */
export function StoreHealth() {
  const words = useWords();
  const { health } = words;
  const { data: store } = useHealth(({ store }) => store ?? null);
  if (!store) return null;
  const { file, from, until, bytes, problem } = store;
  const failed = problem && problemText(words, problem);
  return (
    <Chip
      dot={failed ? '◐' : '●'}
      title={health.storeTitle}
      label={failed && until !== null ? health.storeEnds(secondsText(until)) : health.storeTitle}
    >
      <p>
        <NameText text={file} most={200} /> <span className="quiet">{sizeText(bytes)}</span>
      </p>
      <p>{from === null ? health.storeEmpty : health.storeSince(secondsText(from))}</p>
      {failed && (
        <p>
          {failed.message} {failed.hint}
        </p>
      )}
    </Chip>
  );
}
