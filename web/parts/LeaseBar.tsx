import type { Holder, Lock } from '../../shared/wire/locks/lock.ts';
import { useIsShownClockStopped, useShownNow } from '../cursor/shown-instant.ts';
import { countdownText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { holdLease } from './lock-words.ts';

type LeaseBarProps = { source: string; lease: Lock['lease']; holders: readonly Holder[] };

/**
 * The lease as a bar and the remaining time, with a sign if a watchdog renews it. At a renewal the bar jumps up, and a
 * triangle replaces the sign for a moment. While the source is not watched, the bar is grey and does not move.
 */
export function LeaseBar({ source, lease, holders }: LeaseBarProps) {
  const words = useWords().lock;
  const now = useShownNow(source);
  const isStopped = useIsShownClockStopped(source);
  const view = holdLease(lease, holders, now, words.lease);
  const isTicking = view.leftMs !== null;
  return (
    <span className={`lease is-${view.state} ${isStopped ? 'is-stopped' : ''}`}>
      {isTicking && (
        <span className={lease.ms === null ? 'lease-track is-unmeasured' : 'lease-track'} aria-hidden="true">
          <span className="lease-fill" style={{ transform: `scaleX(${view.share})` }} />
        </span>
      )}
      {isTicking && <span className="lease-left">{countdownText(view.leftMs ?? 0)}</span>}
      {view.isJustRenewed ? (
        <span className="lease-renewal" title={words.justRenewed}>
          ▲
        </span>
      ) : (
        view.state === 'renewed' &&
        holders.some(({ watchdog }) => watchdog === 'on') && (
          <span className="lease-renewal" title={words.isRenewed}>
            ↻
          </span>
        )
      )}
      {view.words !== '' && <span className="lease-words">{view.words}</span>}
    </span>
  );
}
