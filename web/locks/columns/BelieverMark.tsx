import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { useLosses } from '../../verdicts/believers.ts';
import { useWords } from '../../words/language.ts';

/**
 * A mark with the number of clients that still think they hold a lock that Redis lost. Few locks have one, so this code
 * is loaded only when the first lock does.
 */
export default function BelieverMark({ lock }: { lock: Lock }) {
  const { insights, servers } = useWords();
  const { length } = useLosses(lock);
  if (length === 0) return null;
  return (
    <span className="presence is-gone" title={insights['failover-lock-lost'].title}>
      <span aria-hidden="true">✕</span> {servers.believeCount(length)}
    </span>
  );
}
