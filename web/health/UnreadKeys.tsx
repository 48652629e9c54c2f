import type { Source } from '../../shared/wire/source.ts';
import { NameText } from '../ui/NameText.tsx';
import { countText, secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { Chip } from './Chip.tsx';

type Unread = NonNullable<Source['unread']>;

/** A chip for the keys of a source that are too large to read, or refused; renders nothing if there are none. */
export function UnreadKeys({ unread }: { unread: Source['unread'] }) {
  const { health } = useWords();
  if (!unread) return null;
  const areSomeRefused = unread.first.some(isRefused);
  return (
    <Chip dot="◐" title={health.unreadTitle(areSomeRefused)} label={health.unread(unread.count, areSomeRefused)}>
      <UnreadList unread={unread} />
    </Chip>
  );
}

/** The first keys that are not read, each with its reason, and the count of the remaining ones. */
export function UnreadList({ unread: { count, first } }: { unread: Unread }) {
  const { health } = useWords();
  return (
    <>
      {!first.every(isRefused) && <p>{health.unreadMeaning}</p>}
      {first.some(isRefused) && <p>{health.refusedMeaning}</p>}
      <ul className="plain-list">
        {first.map(({ db, name, reason, size, since, isKnownLock }) => (
          <li key={`${db}/${name}`}>
            <NameText text={name} most={48} /> · {health.unreadSize[reason](countText(size))} ·{' '}
            {reason === 'beside'
              ? health.unreadBeside(secondsText(since))
              : isKnownLock
                ? health.unreadLock(secondsText(since))
                : health.unreadKey}
          </li>
        ))}
        {count > first.length && <li>{health.unreadMore(count - first.length)}</li>}
      </ul>
    </>
  );
}

function isRefused({ reason }: Unread['first'][number]): boolean {
  return reason === 'rights';
}
