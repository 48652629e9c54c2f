import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { counterText } from '../../parts/counter-words.ts';
import { LeaseBar } from '../../parts/LeaseBar.tsx';
import { useWords } from '../../words/language.ts';

/** The lease of a held lock. Renders nothing for a semaphore or latch, which has no lease of its own. */
export function LeaseCell({ lock }: { lock: Lock }) {
  const { counters } = useWords();
  if (!lock.held || counterText(lock, counters) !== undefined) return null;
  return <LeaseBar source={lock.source} lease={lock.lease} holders={lock.holders} />;
}
