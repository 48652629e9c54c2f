import { count } from '../../base/count.ts';
import type { RedisTime } from '../../base/time.ts';
import type { Say, WordsOf } from '../words.ts';
import { checkWrites, sentences, taken } from './sentences.ts';

/**
 * The values in the sentences of insights about leases that are not renewed, or not in time. Times are Redis time;
 * null: none, or not known.
 */
export type RenewalsValues = {
  /** A watchdog that renewed before is late, and its client is not known to be gone. */
  'renewal-overdue': {
    readonly holder: string;
    readonly dueAt: RedisTime;
    readonly endsAt: RedisTime | null;
    readonly renewals: number;
  };
  /** The renewals of a reader stopped when another thread of its client released. */
  'read-renewal-lost': {
    readonly holder: string;
    readonly endedAt: RedisTime;
    /** When the reader's unlock was refused; null: no unlock can be seen at this level. */
    readonly unlockedAt: RedisTime | null;
    /** The thread that released. It had re-entered the read lock in an earlier hold. */
    readonly releasedBy: string;
    readonly releasedAt: RedisTime;
    readonly takenBy: string | null;
    readonly takenAt: RedisTime | null;
  };
  /** A live client stopped renewing a lock. */
  'renewal-broken-after-error': {
    readonly holder: string;
    readonly endedAt: RedisTime;
    /**
     * Why the client stopped:
     *
     *   gave-up     one of its renewals got no answer
     *   stale       the lock was deleted while the client held it
     *   no-holder   its renewals named no holder
     *   not-run     Redis did not run its renewals
     *   unseen      no renewal came, and this level does not show the reason
     */
    readonly fault: 'gave-up' | 'stale' | 'no-holder' | 'not-run' | 'unseen';
    /**
     * With `stale`: how many holds of the client have expired without a renewal since the lock was deleted, this one
     * included. With `no-holder` and `not-run`: how many such renewals there were during this hold. Otherwise 1.
     */
    readonly times: number;
    /** The releases of Redisson that the client may run; null with `no-holder`, `not-run` and `unseen`. */
    readonly version: string | null;
    readonly takenBy: string | null;
    readonly takenAt: RedisTime | null;
  };
  /** The one script that renews all locks of a client is refused, because two of them are in different slots. */
  'watchdog-batch-failure': {
    /** The holder of the lock that expired first, and how many locks of its client expired together. */
    readonly holder: string;
    readonly locks: number;
    /** How many scripts the server refused with CROSSSLOT at that time, for any client; 0 for a reader. */
    readonly refusals: number;
    /** Since when two of these locks, in different slots, were not renewed. For a reader: when its hold began. */
    readonly since: RedisTime;
    readonly endedAt: RedisTime;
    /** A thread that acquired one of the locks after that; null: none did. */
    readonly takenBy: string | null;
    readonly takenAt: RedisTime | null;
    /** The lock is renewed, but a timeout key of the reader `holder` was not: it expired at `endedAt`. */
    readonly isReader: boolean;
  };
  /** A lease expired that its watchdog had renewed before. */
  'watchdog-starved': {
    readonly holder: string;
    /** When the watchdog last renewed; null: its renewals were not seen. */
    readonly renewedAt: RedisTime | null;
    readonly endedAt: RedisTime;
    /** When the next renewal arrived and found no lock; null: none was seen yet. */
    readonly lateAt: RedisTime | null;
    /** When the unlock arrived instead; null: it did not. */
    readonly unlockedAt: RedisTime | null;
    /** Whether the commands of the holder's thread since then would have been seen. */
    readonly areCommandsSeen: boolean;
    readonly takenBy: string | null;
    readonly takenAt: RedisTime | null;
  };
};

export const renewals: WordsOf<RenewalsValues> = {
  'renewal-overdue': {
    title: 'The watchdog is late',
    explanation: ({ holder, dueAt, endsAt, renewals }, { who, clock }) =>
      sentences(
        `The watchdog of ${who(holder)} should have renewed the lease at ${clock(dueAt)}, after ${count(renewals, 'renewal', 'renewals')}.`,
        endsAt !== null && `If no renewal arrives, the lease ends at ${clock(endsAt)}, also if its work still runs.`,
      ),
    advice: ({ endsAt }, { clock }) =>
      `Look for a pause of that process${endsAt === null ? '' : ` before ${clock(endsAt)}`}: garbage collection, a busy CPU, a suspended container.`,
    later: () => 'Use a fencing token for writes.',
  },
  'renewal-broken-after-error': {
    title: 'The watchdog stopped, and the lease ended',
    explanation: (values, say) => sentences(...notRenewed(values, say), taken(values.takenBy, values.takenAt, say)),
    advice: ({ fault, holder, endedAt, takenBy }, say) =>
      sentences(
        checkWrites(holder, endedAt, takenBy, say),
        fault === 'stale' || fault === 'no-holder'
          ? 'Restart the client: until then every hold of this name may end after one lease.'
          : fault !== 'unseen' && 'The next lock() of this name is renewed again.',
      ),
    later: ({ fault }) => {
      switch (fault) {
        case 'not-run':
          return 'Find out why Redis answered late. With useScriptCache set to false, Redisson sends the whole script, which needs no loading. Use a fencing token for writes.';
        case 'unseen':
          return 'Watch at level monitor: if it happens again, it shows the reason. Upgrade Redisson to 3.46.0 or later. Use a fencing token for writes.';
        default:
          return 'Upgrade Redisson to 3.46.0 or later. Use a fencing token for writes.';
      }
    },
  },
  'watchdog-starved': {
    title: 'The client stood still, and its lease expired',
    explanation: (
      { holder, renewedAt, endedAt, lateAt, unlockedAt, areCommandsSeen, takenBy, takenAt },
      { who, clock },
    ) =>
      sentences(
        renewedAt === null
          ? `The lease of ${who(holder)} ended at ${clock(endedAt)}, and no renewal was seen before that.`
          : `The watchdog of ${who(holder)} renewed the lease at ${clock(renewedAt)}, and the lease ended at ${clock(endedAt)}.`,
        lateAt !== null
          ? `${renewedAt === null ? 'A' : 'The next'} renewal came at ${clock(lateAt)}, too late. The process or its connection to Redis was delayed${renewedAt === null ? ', or the thread had passed a leaseTime shorter than its work' : ''}.`
          : unlockedAt !== null
            ? `Its unlock came at ${clock(unlockedAt)}, and no other renewal was seen before it. The process was delayed, or its watchdog had stopped.`
            : areCommandsSeen
              ? 'Since then that thread has sent nothing about this lock. It may still work without it.'
              : 'Its client was still there after that. Whether the thread still worked, and whether a renewal came too late, cannot be seen without MONITOR.',
        taken(takenBy, takenAt, { who, clock }),
      ),
    advice: ({ holder, endedAt, takenBy }, say) =>
      sentences(
        checkWrites(holder, endedAt, takenBy, say),
        'Look for a pause of that process: garbage collection, a busy CPU, a suspended container.',
      ),
    later: () => 'Use a fencing token for writes.',
  },
  'watchdog-batch-failure': {
    title: 'A renewal of several locks failed',
    explanation: ({ holder, locks, refusals, since, endedAt, takenBy, takenAt, isReader }, { who, clock }) =>
      isReader
        ? sentences(
            `The client of ${who(holder)} renews this lock, but not every timeout key of this reader: one expired at ${clock(endedAt)}.`,
            'If another reader unlocks now, it may delete the lock under this one, and a writer gets in.',
            'Redisson 3.44.0 to 3.52.0 does this, for example if one script renews several locks.',
          )
        : sentences(
            `${count(locks, 'lock', 'locks')} of the client of ${who(holder)} expired without a renewal since ${clock(since)}, the first at ${clock(endedAt)}.`,
            `They are in different slots, and Redis refused ${count(refusals, 'script', 'scripts')} with CROSSSLOT at that time. Since 3.44.0 Redisson renews up to 100 locks of a client in one script, which a server in cluster mode refuses if they are in different slots.`,
            takenBy !== null && takenAt !== null && `${who(takenBy)} got one of the locks at ${clock(takenAt)}.`,
          ),
    advice: ({ isReader, endedAt }, { clock }) =>
      isReader
        ? `Check what that reader used after ${clock(endedAt)}.`
        : `Check what was written after ${clock(endedAt)}. Set lockWatchdogBatchSize to 1 and restart the client: until then its locks go on to expire.`,
    later: ({ isReader }) =>
      isReader
        ? 'Update Redisson: 4.0.0 renews these keys.'
        : 'Use the cluster configuration of Redisson (useClusterServers). An upgrade alone does not help.',
  },
  'read-renewal-lost': {
    title: 'A reader was not renewed after another thread released',
    explanation: ({ holder, endedAt, unlockedAt, releasedBy, releasedAt, takenBy, takenAt }, { who, clock }) =>
      sentences(
        `${who(releasedBy)} released its read lock at ${clock(releasedAt)}. After that, no renewal was seen for ${who(holder)}, another reader of the same client.`,
        unlockedAt === null
          ? `Its lease ended at ${clock(endedAt)}, and its client still used this lock after a renewal was due. A pause of its process looks the same. Whether the reader still worked, and the release of its Redisson, cannot be seen without MONITOR.`
          : `Its lease ended at ${clock(endedAt)}, and it came to unlock at ${clock(unlockedAt)}.`,
        `${who(releasedBy)} had held the read lock twice before. Redisson 3.44.0 to 4.6.1 may stop the renewals of other readers after that.`,
        taken(takenBy, takenAt, { who, clock }),
      ),
    advice: ({ holder, endedAt }, { who, clock }) => `Check what ${who(holder)} used after ${clock(endedAt)}.`,
    later: () =>
      'If the client uses Redisson 3.44.0 to 4.6.1, upgrade it to 4.7.0 and restart it. Until then, do not take a read lock twice in one thread.',
  },
};

/** Which renewals were seen, and the fault that explains them. */
function notRenewed(
  values: RenewalsValues['renewal-broken-after-error'],
  { who, clock }: Say,
): readonly [string, string] {
  const { holder, endedAt, fault, times, version } = values;
  const holds = times === 1 ? 'a hold of that client' : `${times} holds of that client`;
  switch (fault) {
    case 'gave-up':
      return [
        `A renewal of ${who(holder)} was sent twice at the same instant, and no other followed until the lease ended at ${clock(endedAt)}.`,
        `By its scripts the client is Redisson ${version}, and up to 3.43.0 a renewal without an answer is the last one.`,
      ];
    case 'stale':
      return [
        `This lock was deleted while the client of ${who(holder)} held it. Since then ${holds} expired without a renewal, last at ${clock(endedAt)}.`,
        `By its scripts the client is Redisson ${version}, which does not renew a lock again after that.`,
      ];
    case 'no-holder':
      return [
        `While ${who(holder)} held this lock, its client sent ${count(times, 'renewal', 'renewals')} that named no holder. They renewed nothing, and the lease ended at ${clock(endedAt)}.`,
        'Redisson 3.44.0 and 3.45.1 were seen to do that after a thread took a lock twice and released it twice.',
      ];
    case 'not-run':
      return [
        `A renewal of ${who(holder)} was sent twice at the same instant, and Redis ran no command for it. No renewal took effect until the lease ended at ${clock(endedAt)}.`,
        'Most likely Redis did not have the script, and its answer came too late for the client to load it. Redisson 3.46.0 and 4.7.0 were seen to lose their first renewal that way.',
      ];
    case 'unseen':
      return [
        `The lease of ${who(holder)} ended at ${clock(endedAt)}, and no renewal was seen during that hold, although a watchdog of the same client had renewed this lock before.`,
        'Why it did not cannot be seen without MONITOR. The application may also have set a lease of the same length itself.',
      ];
  }
}
