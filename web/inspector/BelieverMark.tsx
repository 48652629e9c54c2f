import type { Believer, Lock } from '../../shared/wire/lock.ts';
import { useShownNow } from '../cursor/shown-instant.ts';
import { useWords } from '../words/language.ts';

/** Those who believe still: nobody tells when a lease that is lost would be over. */
export function useBelievers(lock: Lock): readonly Believer[] {
  const now = useShownNow(lock.source);
  const believers = lock.believers ?? [];
  return now === null ? believers : believers.filter(({ until }) => until === null || until > now);
}

/** How many believe to hold a lock that Redis lost, in short. */
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
