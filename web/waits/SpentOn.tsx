import type { WaitsPart } from '../../shared/wire/waits.ts';
import { durationText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { useHolderName } from './use-holder-name.ts';
import { partText } from './waits-text.ts';

type SpentOnProps = {
  parts: readonly WaitsPart[];
  /** The length of the whole bar, 0 to 1, relative to the longest bar of the list. */
  share: number;
  /** The lock that was waited for: it is not named again. */
  lock?: string;
};

/** What waited time was spent on: a bar of parts, and the same parts in words. */
export function SpentOn({ parts, share, lock }: SpentOnProps) {
  const { waits: texts } = useWords();
  const nameOf = useHolderName();
  if (parts.length === 0) return <span className="quiet">{texts.noWaits}</span>;
  return (
    <div className="spent-on">
      <div className="spent-bar" style={{ width: `${Math.max(1, share * 100)}%` }} aria-hidden="true">
        {parts.map((part) => (
          <i key={keyOf(part)} className={`is-${part.cause}`} style={{ flexGrow: part.ms }} />
        ))}
      </div>
      <ul>
        {parts.map((part) => (
          <li key={keyOf(part)}>
            <i className={`spent-sign is-${part.cause}`} aria-hidden="true" />
            {partText(part, nameOf, texts, lock)} <b>{durationText(part.ms)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

function keyOf({ cause, holder = '', lock = '' }: WaitsPart): string {
  return `${cause} ${holder} ${lock}`;
}
