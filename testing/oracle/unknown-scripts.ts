import { type Step, scriptCallFromHead, scriptShaOf } from '../../shared/signals/step.ts';
import { scriptOf } from './scripts.ts';

/** Redisson 4 checks at its start whether a script may read two keys. */
const PROBE = '444506ed6079843ae4590ff6caf5f677dae3a35f';

/** Scripts that the table of the account does not have: it cannot expect their events. */
export function unknownScripts(steps: readonly Step[]): string[] {
  const shas = steps.flatMap((step) => {
    if (step.kind !== 'command' || step.inner.length === 0 || !scriptCallFromHead(step.head)) return [];
    const sha = scriptShaOf(step.head);
    return sha !== PROBE && !scriptOf(sha) ? [sha] : [];
  });
  return [...new Set(shas)].map((sha) => `the second account does not know script ${sha}`);
}
