import { count } from '../../base/count.ts';
import type { Millis, RedisTime } from '../../base/time.ts';
import type { LostValues } from '../values/lost.ts';
import type { Say, WordsOf } from '../words.ts';
import { sentences } from './sentences.ts';

export const lost: WordsOf<LostValues> = {
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
  'failover-lock-lost': {
    title: 'A holder lost this lock and does not know it',
    explanation: ({ holder, lostAt, endsAt, heldBy }, { who, clock }) =>
      sentences(
        `The hold of ${who(holder)} was lost at ${clock(lostAt)}, when another server took over or the server was restarted.`,
        endsAt !== null && `Its thread may work as if it held the lock until ${clock(endsAt)}.`,
        heldBy !== null && `${who(heldBy)} holds the lock now, so both may work at the same time.`,
      ),
    advice: ({ heldBy }) =>
      heldBy === null
        ? 'Stop that thread, or keep other threads from the lock until it has ended. Check what it wrote.'
        : 'Check what both threads wrote.',
    later: () => 'Let locks wait for replicas, and use a fencing token for writes.',
  },
  'redlock-node-restart': {
    title: 'A RedLock lost its majority',
    explanation: ({ holder, servers, left, lostAt, heldBy }, { who, clock }) =>
      sentences(
        `${who(holder)} had this RedLock on ${servers} of the watched servers and now has it on ${left}, which is no majority, since ${clock(lostAt)}. The others restarted or failed over without it.`,
        'Renewals do not bring it back there, and another client may get a majority.',
        heldBy !== null && `${who(heldBy)} has it on most of these servers now, so both may work at the same time.`,
      ),
    advice: () => 'Treat the lock as not exclusive: check what its holders wrote.',
    later: () =>
      'Between two restarts wait longer than the longest hold, or give the servers persistence. Use a fencing token for writes.',
  },
  'lease-shorter-than-work': {
    title: 'The lease was shorter than the work',
    explanation: (
      { holder, leaseMs, endedAt, unlockedAt, takenBy, takenAt, heldMs, releasedBefore, isWatchdogKnown, ...more },
      { who, clock },
    ) =>
      sentences(
        unlockedAt === null || heldMs === null
          ? `${who(holder)} took this lock with a lease of about ${inSeconds(leaseMs)}. It ended at ${clock(endedAt)}, and neither a renewal nor a release was seen.`
          : `${who(holder)} ${more.renewedAt === null ? 'took this lock with' : `renewed this lock at ${clock(more.renewedAt)} with`} a lease of ${inSeconds(leaseMs)} and came to ${more.isRenewal ? 'renew' : 'unlock'} it after ${inSeconds(heldMs)}, at ${clock(unlockedAt)}.`,
        unlockedAt !== null && `The lease had ended at ${clock(endedAt)}, and no renewal was seen in time.`,
        !isWatchdogKnown &&
          'Which lease the watchdog of its client sets is not known. If the thread passed no leaseTime, its watchdog has failed.',
        releasedBefore !== null &&
          `Before that, ${count(releasedBefore, 'hold', 'holds')} with this lease had been released in time, and its client was still there after it. Whether the work took longer, or its thread did not unlock, cannot be seen without MONITOR.`,
        taken(takenBy, takenAt, { who, clock }),
      ),
    advice: ({ holder, endedAt, takenBy }, say) => checkWrites(holder, endedAt, takenBy, say),
    later: ({ isRedisson }) =>
      isRedisson
        ? 'Lock without a leaseTime, so that the watchdog renews the lease, or set it above the longest time the work takes. Use a fencing token for writes.'
        : 'Set the timeout of the lock above the longest time the work takes, or extend it while the work runs. Use a fencing token for writes.',
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
    explanation: ({ holder, renewedAt, endedAt, lateAt, areCommandsSeen, takenBy, takenAt }, { who, clock }) =>
      sentences(
        `The watchdog of ${who(holder)} renewed the lease at ${clock(renewedAt)}, and the lease ended at ${clock(endedAt)}.`,
        lateAt !== null
          ? `The next renewal came at ${clock(lateAt)}, too late. The process or its connection to Redis was delayed.`
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
  'evicted-lock-key': {
    title: 'Redis evicted a held lock',
    explanation: ({ holder, at, policy, takenBy, takenAt }, { who, clock }) =>
      sentences(
        `Redis evicted this lock at ${clock(at)} to free memory${policy === null ? '' : ` (maxmemory-policy ${policy})`}. ${holder === null ? 'A thread that was not seen held it' : `${who(holder)} held it and did not release it`}.`,
        taken(takenBy, takenAt, { who, clock }),
      ),
    advice: ({ holder, at, takenBy }, say) =>
      `${checkWrites(holder, at, takenBy, say)} Free memory: Redis may evict the next lock.`,
    later: () =>
      'Keep locks in a Redis with the maxmemory-policy noeviction. The volatile policies do not protect locks, because a lock has an expiry.',
  },
  'operator-delete-or-flush': {
    title: 'A command took a held lock away',
    explanation: ({ holder, at, command, address, shortenedAt, isEmptied, refusedAt, ...next }, { who, clock }) => {
      const held = holder === null ? 'it was held by a thread that was not seen' : `${who(holder)} held it`;
      return sentences(
        shortenedAt !== null
          ? `A command from ${address} set an earlier end of its lease at ${clock(shortenedAt)}: the lock ended at ${clock(at)}, while ${held}.`
          : isEmptied
            ? `The database of this lock was emptied at ${clock(at)}, while ${held}.`
            : command === null
              ? `This lock was removed at ${clock(at)}, while ${held}, and no release message was sent.`
              : `${command} from ${address} removed this lock at ${clock(at)}, while ${held}.`,
        refusedAt !== null &&
          `An attempt was refused at ${clock(refusedAt)}, and its thread slept on. The holder took the lock while Lockscope did not watch.`,
        address === null
          ? `Which command did that cannot be seen without MONITOR.${isEmptied ? '' : ' An unlock of Redisson sends a message.'}`
          : 'Such a command sends no release message to waiters.',
        taken(next.takenBy, next.takenAt, { who, clock }),
      );
    },
    advice: ({ holder, at, takenBy, address }, say) =>
      sentences(
        checkWrites(holder, at, takenBy, say),
        address !== null && `Find the application or the person at ${address}.`,
      ),
    later: ({ isRedisson }) =>
      isRedisson
        ? 'To release a lock by hand, use forceUnlock(): it deletes the lock and wakes the waiters. Make sure that its holder no longer works.'
        : 'Before you release a lock by hand, make sure that its holder no longer works.',
  },
  'lost-before-watching': {
    title: 'A thread lost the lock before watching began',
    explanation: ({ holder, at, isRenewal, isHeldByOther, since }, { who, clock }) =>
      sentences(
        `${who(holder)} came to ${isRenewal ? 'renew' : 'unlock'} this lock at ${clock(at)}, but ${isHeldByOther ? 'another thread held it' : 'did not hold it'}.`,
        `It has not taken the lock since watching began at ${clock(since)}, so it lost it before that. How was not seen.`,
      ),
    advice: ({ holder, isRenewal }, { who }) =>
      `Check what ${who(holder)} wrote${isRenewal ? ', and whether it still works' : ''}: it may have worked without the lock.`,
    later: () => 'Keep Lockscope running, or keep what happens with --store: then it is known what took the lock.',
  },
  'foreign-delete': {
    title: "A client deleted another client's lock",
    explanation: ({ holder, at, late, expiredAt, takenBy, takenAt }, { who, clock }) =>
      sentences(
        late === holder
          ? `A client deleted this lock at ${clock(at)}, while another one held it. Both had set the same value, ${who(holder)}.`
          : `${who(late)} deleted this lock at ${clock(at)}, while ${who(holder)} held it.`,
        expiredAt !== null && `Its own hold had expired at ${clock(expiredAt)}.`,
        taken(takenBy, takenAt, { who, clock }),
      ),
    advice: ({ holder, at, takenBy }, say) => checkWrites(holder, at, takenBy, say),
    later: () => 'Release with one script that deletes the key only if it still has the own token.',
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
function notRenewed(values: LostValues['renewal-broken-after-error'], { who, clock }: Say): readonly [string, string] {
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

/** What to do now after a lock was lost: two threads may have written. `holder` is null: it was not seen. */
function checkWrites(holder: string | null, since: RedisTime, takenBy: string | null, { who, clock }: Say): string {
  if (holder === null)
    return `Find the thread that held it${takenBy === null ? '' : `, and check what it and ${who(takenBy)} wrote after ${clock(since)}`}: it may still work.`;
  return `Check what ${who(holder)}${takenBy === null ? '' : ` and ${who(takenBy)}`} wrote after ${clock(since)}.`;
}

/** The sentence about the thread that got the lock meanwhile. */
function taken(takenBy: string | null, takenAt: RedisTime | null, { who, clock }: Say): string | false {
  if (takenBy === null || takenAt === null) return false;
  return `${who(takenBy)} got the lock at ${clock(takenAt)}, so both may have worked at the same time.`;
}

function inSeconds(ms: Millis): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}
