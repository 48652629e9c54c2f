import { useContext } from 'react';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { ShownInstant } from '../cursor/shown-instant.ts';
import { Notice } from '../ui/Notice.tsx';
import { secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';

/** A mark in a table row: the lock is not read, since when, and why. */
export function UnreadMark({ unread }: { unread: NonNullable<Lock['unread']> }) {
  const words = useWords().lock;
  return (
    <span className="unread-mark" title={words.unreadMeaning[partOf(unread)]}>
      <span aria-hidden="true">◐</span> {words.unread[partOf(unread)](secondsText(unread.since))}
    </span>
  );
}

/**
 * A notice on the page of a lock that is not read. Hidden at an instant when the lock was still read. `now`: the lock
 * now.
 */
export function UnreadNotice({ now }: { now: Lock }) {
  const words = useWords().lock;
  const shown = useContext(ShownInstant);
  const { unread } = now;
  if (!unread || (shown !== null && shown < unread.since)) return null;
  const part = partOf(unread);
  const [first = '', ...rest] = words.unread[part](secondsText(unread.since));
  return (
    <Notice tone="hint" title={first.toUpperCase() + rest.join('')}>
      {words.unreadMeaning[part]}
    </Notice>
  );
}

function partOf({ reason }: NonNullable<Lock['unread']>): 'hash' | 'reply' | 'beside' | 'rights' {
  return reason === 'fields' || reason === 'bytes' ? 'hash' : reason;
}
