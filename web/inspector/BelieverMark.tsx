import type { Believer, Lock } from '../../shared/wire/lock.ts';
import { useShownNow } from '../cursor/shown-instant.ts';
import { useWords } from '../words/language.ts';

/** Returns the believers whose lost lease would still be running. No event reports the end of a lost lease. */
export function useBelievers(lock: Lock): readonly Believer[] {
  const now = useShownNow(lock.source);
  const believers = lock.believers ?? [];
  return now === null ? believers : believers.filter(({ until }) => until === null || until > now);
}

/** A mark with the number of clients that still think they hold a lock that Redis lost. */
export function BelieverMark({ lock }: { lock: Lock }) {
  const { servers } = useWords();
  const { length } = useBelievers(lock);
  if (length === 0) return null;
  return (
    <span className="presence is-gone" title={servers.believesWhy}>
      <span aria-hidden="true">✕</span> {servers.believeCount(length)}
    </span>
  );
}
