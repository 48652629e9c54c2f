import type { Millis } from '../base/time.ts';

/*
 * What is known about the renewal of one hold's lease, and the reason. Nothing in a lease shows whether a watchdog
 * renews it: only a renewal that was seen does. Everything else is concluded (`isInferred`), or not known.
 */

/** The fields of a hold that a conclusion needs. Times are Redis time in µs. */
export type RenewedHold = {
  readonly library: string;
  readonly mode: string;
  readonly watchdog: 'on' | 'off' | 'unknown';
  readonly presence: string;
  readonly holdCount: number;
  readonly renewals: number;
  /** The length of the lease as it was last set; null: no lease, or its setting was not seen. */
  readonly leaseMs: Millis | null;
  readonly expiresAt: number | null;
  /** Present only if the key has no lease. An `expiresAt` of null alone may mean that the end is not known. */
  readonly neverEnds?: true | undefined;
};

/**
 * Why a hold counts as renewed, or does not:
 *
 *   gone         its client is gone, so nothing renews it
 *   never-ends   there is no lease
 *   renewed      renewals were seen
 *   late         renewals were seen, but the next one is missing
 *   extended     another library renewed it, whose times are not known
 *   missed       no renewal came when a watchdog's was due
 *   long         no renewal was seen, and the lease is longer than the default of Redisson's watchdog
 *   due          too early to know
 *   unseen       it was not seen how the lease was set, or its end is not known
 */
type RenewalReason = 'gone' | 'never-ends' | 'renewed' | 'extended' | 'late' | 'missed' | 'long' | 'due' | 'unseen';

type RenewalFinding = {
  readonly reason: RenewalReason;
  readonly isInferred: boolean;
  readonly leaseMs: Millis | null;
  /** When a watchdog's next renewal is, or was, due: a third of the lease after it was set. Null: not known. */
  readonly dueAt: number | null;
};

/** The lease of Redisson's watchdog if the application does not set another. */
export const DEFAULT_WATCHDOG_MS: Millis = 30_000;
/** A renewal is missing once it is more than this late. */
const LATE_MICROS = 1_000_000;

/** Returns what is known about the renewal of a hold; null for permits, and for other libraries without a renewal. */
export function renewalOf(hold: RenewedHold, now: number): RenewalFinding | null {
  const { library, mode, presence, watchdog, renewals, leaseMs, expiresAt, neverEnds } = hold;
  if (mode === 'permit' || (library !== 'redisson' && renewals === 0)) return null;
  const dueAt = leaseMs === null || expiresAt === null ? null : expiresAt - (leaseMs * 1000 * 2) / 3;
  const finding = (reason: RenewalReason, isInferred: boolean) => ({ reason, isInferred, leaseMs, dueAt });
  if (expiresAt === null) return finding(neverEnds ? 'never-ends' : 'unseen', false);
  if (presence === 'gone') return finding('gone', true);
  if (library !== 'redisson') return finding('extended', false);
  if (renewals > 0) {
    const isLate = now > (dueAt === null ? expiresAt : dueAt + LATE_MICROS);
    return finding(isLate ? 'late' : 'renewed', isLate);
  }
  // a later end of the lease shows that something set it since, for example another reader's watchdog
  if (watchdog === 'off' && (dueAt === null || now > dueAt)) return finding('missed', true);
  if (leaseMs === null) return finding('unseen', false);
  // a writer that locks again adds its lease to what is left of the one before
  const isSum = mode === 'write' && hold.holdCount > 1;
  return leaseMs > DEFAULT_WATCHDOG_MS && !isSum ? finding('long', true) : finding('due', false);
}
