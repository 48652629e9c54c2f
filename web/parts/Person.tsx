import { memo } from 'react';
import type { Holder } from '../../shared/wire/locks/lock.ts';
import { shortClient, splitHolder } from '../../shared/wire/person-text.ts';
import { NameText } from '../ui/NameText.tsx';
import { useWords } from '../words/language.ts';
import { PRESENCE_SIGNS } from './lock-words.ts';
import { useClientName, useLetter } from './people.ts';

type PersonProps = {
  lockId: string;
  id: string;
  client?: string;
  thread?: string | null;
  name?: string | null;
  /** The letter of the person, if the shown lock or event contains it. */
  letter?: string | undefined;
  most?: number;
  /** True in a list of several locks. Letters are unique only per lock, so such a list shows no letter of a lock. */
  isAmongLocks?: boolean;
};

/** A holder or waiter: its letter, then its name. The title is the id, up to 500 characters of it. */
export const Person = memo(function Person(props: PersonProps) {
  const { lockId, id, client, thread, name = null, most = 32, isAmongLocks = false } = props;
  const split = splitHolder(id);
  const letter = useLetter(isAmongLocks ? null : lockId, id, props.letter);
  const known = useClientName(client ?? split.client, name);
  const shownThread = thread === undefined ? split.thread : thread;
  return (
    <span className="person" title={id.slice(0, 500)}>
      {letter !== null && <Letter letter={letter} />}
      <span className="person-name">
        <NameText text={known || shortClient(client ?? split.client)} most={most} isOneLine />
        {shownThread !== null && `:${shownThread}`}
      </span>
    </span>
  );
});

/** A letter in a box. */
export function Letter({ letter }: { letter: string }) {
  return <b className="letter">{letter}</b>;
}

/** Shows by shape and word whether a client is connected. Shows only idle and gone ones, unless `isWordy`. */
export function PresenceMark({ presence, isWordy = false }: { presence: Holder['presence']; isWordy?: boolean }) {
  const { lock } = useWords();
  if (presence === 'connected' && !isWordy) return null;
  if (presence === 'unknown' && !isWordy) return null;
  return (
    <span className={`presence is-${presence}`} title={lock.presenceMeaning[presence]}>
      <span aria-hidden="true">{PRESENCE_SIGNS[presence]}</span> {lock.presence[presence]}
    </span>
  );
}
