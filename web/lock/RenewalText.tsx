import { renewalOf } from '../../shared/insights/lease-renewal.ts';
import type { Holder, Lock } from '../../shared/wire/locks/lock.ts';
import { endOfHolder } from '../../shared/wire/locks/lock-facts.ts';
import { useShownNow } from '../cursor/shown-instant.ts';
import { CertaintyMark } from '../parts/Certainty.tsx';
import { countdownText, durationText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';

/** What is known about the renewal of a hold, and the reason. A conclusion is marked as inferred. */
export function RenewalText({ lock, holder }: { lock: Lock; holder: Holder }) {
  const { lockPage, remedies } = useWords();
  const now = useShownNow(lock.source);
  const finding = now === null ? null : renewalOfHolder(lock, holder, now);
  if (finding === null || now === null) return lockPage.watchdogMeaning[holder.watchdog];
  const { reason, isInferred, leaseMs, dueAt } = finding;
  const due = dueAt === null || dueAt <= now ? null : countdownText((dueAt - now) / 1000);
  const texts =
    reason === 'renewed' || reason === 'due'
      ? remedies.renewal[reason](due)
      : remedies.renewal[reason](durationText(leaseMs ?? 0));
  return (
    <>
      {texts} {isInferred && <CertaintyMark certainty="inferred" />}
    </>
  );
}

/** The finding about the renewal of one holder at an instant. */
export function renewalOfHolder(lock: Lock, holder: Holder, now: number) {
  const { mode, watchdog, presence, holdCount, renewals } = holder;
  const expiresAt = endOfHolder(lock, holder);
  const { ms: leaseMs, neverEnds } = lock.lease;
  const hold = { library: lock.library, mode, watchdog, presence, holdCount, renewals, leaseMs, expiresAt, neverEnds };
  return renewalOf(hold, now);
}
