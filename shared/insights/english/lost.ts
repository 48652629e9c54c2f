import { count } from '../../base/count.ts';
import type { Millis, RedisTime } from '../../base/time.ts';
import type { WordsOf } from '../words.ts';
import { checkWrites, sentences, taken } from './sentences.ts';

/**
 * The values in the sentences of insights about locks that were lost while their holders still work. Times are Redis
 * time; null: none, or not known.
 */
export type LostValues = {
  /** A holder lost its lock in a failover or a restart and does not know it. */
  'failover-lock-lost': {
    readonly holder: string;
    readonly lostAt: RedisTime;
    readonly endsAt: RedisTime | null;
    /** The thread that holds the lock now, or acquired it before the end; null: none, or both only read. */
    readonly heldBy: string | null;
    /** True: the problem ended at `endsAt`, when the lease would have ended, or when the holder learnt of the loss. */
    readonly isOver: boolean;
  };
  /** A RedLock is on half of its servers or fewer: the others lost it in a restart or a failover. */
  'redlock-node-restart': {
    /** The holder, by its id on a server that still has the lock. */
    readonly holder: string;
    /** How many watched servers had the lock, and how many of them still have it. */
    readonly servers: number;
    readonly left: number;
    /** When the RedLock lost the server with which it still had a majority. */
    readonly lostAt: RedisTime;
    /** The thread of another RedLock that holds it on most of the same servers; null: none. */
    readonly heldBy: string | null;
  };
  /** A lease ended before its holder came to unlock or renew. With a watchdog: a lease that was never renewed. */
  'lease-shorter-than-work': {
    readonly holder: string;
    /** The length of the lease; null: the hold began before it was seen. */
    readonly leaseMs: Millis | null;
    readonly endedAt: RedisTime;
    /** When the unlock or the renewal of the thread came too late. Null: that cannot be seen at this level. */
    readonly unlockedAt: RedisTime | null;
    /** `unlockedAt` is the time of a renewal. */
    readonly isRenewal: boolean;
    /** When the lease that ended was set by a renewal, or cut by its own client; null: by the acquisition. */
    readonly renewedAt: RedisTime | null;
    /** The time from when that lease was set until `unlockedAt`; null: not known. */
    readonly heldMs: Millis | null;
    /** How many earlier holds with this lease were released in time. Null if the unlock was seen. */
    readonly releasedBefore: number | null;
    /** The thread that acquired the lock in between; null: none did. */
    readonly takenBy: string | null;
    readonly takenAt: RedisTime | null;
    readonly isRedisson: boolean;
    /**
     * No watchdog can have set this lease: the watchdogs of this lock's clients are known to set another one, the
     * client set this end itself, or the lock has no watchdog.
     */
    readonly isWatchdogKnown: boolean;
    /** `holder` is a permit of a semaphore, and `takenBy` the permit that was the last free one. */
    readonly isPermit: boolean;
  };
  /** Redis evicted a held lock. */
  'evicted-lock-key': Omit<Lost, 'holder'> & {
    /** Null: the holder was not seen, but the lock was held, because a thread was refused before. */
    readonly holder: string | null;
    /** The setting `maxmemory-policy`; null: not known. */
    readonly policy: string | null;
  };
  /** A plain command removed a held lock, or set an earlier end of its lease. */
  'operator-delete-or-flush': Omit<Lost, 'holder'> & {
    /** Null: the acquisition was not seen, because it was before watching began, or in a blind spot. */
    readonly holder: string | null;
    /** When the attempt of a thread that then slept was last refused, if no holder was seen. */
    readonly refusedAt: RedisTime | null;
    /** The command that removed the lock; null: it was not seen, or a command set an earlier end of the lease. */
    readonly command: string | null;
    /** The connection that sent the command; null: not known. */
    readonly address: string | null;
    /** When the command set an earlier end of the lease, which then ended; null: it removed the lock. */
    readonly shortenedAt: RedisTime | null;
    /** All keys of the lock's database are gone, and no command was seen. */
    readonly isEmptied: boolean;
    readonly isRedisson: boolean;
  };
  /** A thread lost the lock before watching began, and then tried to renew or unlock it. */
  'lost-before-watching': {
    readonly holder: string;
    readonly at: RedisTime;
    readonly isRenewal: boolean;
    /** Whether another thread is known to have held the lock then. */
    readonly isHeldByOther: boolean;
    /** Since when the server has been watched. */
    readonly since: RedisTime;
  };
  /** A former holder deleted the lock of the next one. */
  'foreign-delete': Lost & {
    /** The former holder. */
    readonly late: string;
    /** When the hold of the former holder had expired; null: not known. */
    readonly expiredAt: RedisTime | null;
  };
  /** A fencing token was not above an earlier one of the same lock. */
  'fencing-token-back': {
    readonly holder: string;
    readonly token: string;
    /** The highest token until then, the thread that got it, and when. */
    readonly highest: string;
    readonly highestHolder: string;
    readonly highestAt: RedisTime;
    /** The key that counts the tokens. */
    readonly counter: string;
    /** Since when tokens are above `highest` again; null: they are not. */
    readonly endedAt: RedisTime | null;
  };
};

/** A hold that was lost, and the thread that acquired the lock before the former holder noticed. */
type Lost = {
  readonly holder: string;
  readonly at: RedisTime;
  readonly takenBy: string | null;
  readonly takenAt: RedisTime | null;
};

export const lost: WordsOf<LostValues> = {
  'failover-lock-lost': {
    title: 'A holder lost this lock and does not know it',
    explanation: ({ holder, lostAt, endsAt, heldBy, isOver }, { who, clock }) =>
      sentences(
        `The hold of ${who(holder)} was lost at ${clock(lostAt)}, when another server took over or the server was restarted.`,
        endsAt !== null &&
          `Its thread may ${isOver ? 'have worked' : 'work'} as if it held the lock until ${clock(endsAt)}.`,
        heldBy !== null &&
          (isOver
            ? `${who(heldBy)} got the lock before that, so both may have worked at the same time.`
            : `${who(heldBy)} holds the lock now, so both may work at the same time.`),
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
        leaseMs === null
          ? `${who(holder)} already held this lock when its hold was first seen${unlockedAt === null ? '' : `, and came to ${more.isRenewal ? 'renew' : 'unlock'} it at ${clock(unlockedAt)}`}.`
          : unlockedAt === null || heldMs === null
            ? `${who(holder)} took this lock with a lease of about ${inSeconds(leaseMs)}. It ended at ${clock(endedAt)}, and neither a renewal nor a release was seen.`
            : more.isPermit
              ? `The permit ${who(holder)} ${more.renewedAt === null ? `was taken with a lease of ${inSeconds(leaseMs)}` : `was given a lease of ${inSeconds(leaseMs)} at ${clock(more.renewedAt)}`}, and its client came to ${more.isRenewal ? 'renew' : 'release'} it after ${inSeconds(heldMs)}, at ${clock(unlockedAt)}.`
              : `${who(holder)} ${more.renewedAt === null ? `took this lock with a lease of ${inSeconds(leaseMs)}` : `set the lease of this lock to ${inSeconds(leaseMs)} at ${clock(more.renewedAt)}`} and came to ${more.isRenewal ? 'renew' : 'unlock'} it after ${inSeconds(heldMs)}, at ${clock(unlockedAt)}.`,
        unlockedAt !== null && `The lease had ended at ${clock(endedAt)}, and no renewal was seen in time.`,
        !isWatchdogKnown &&
          (leaseMs === null
            ? 'Whether the thread passed a leaseTime was not seen. If it passed none, its watchdog has failed.'
            : leaseMs === 0
              ? 'Redis ends such a lease at once. A leaseTime below 1 ms is sent as 0.'
              : 'Which lease the watchdog of its client sets is not known. If the thread passed no leaseTime, its watchdog has failed.'),
        releasedBefore !== null &&
          `Before that, ${count(releasedBefore, 'hold', 'holds')} with this lease had been released in time, and its client was still there after it. Whether the work took longer, or its thread did not unlock, cannot be seen without MONITOR.`,
        more.isPermit && takenBy !== null && takenAt !== null
          ? `All permits were taken at ${clock(takenAt)}, the last one as ${who(takenBy)}: one more client may have worked than there are permits.`
          : taken(takenBy, takenAt, { who, clock }),
      ),
    advice: ({ holder, endedAt, takenBy, isPermit }, say) =>
      isPermit
        ? `Check what ${takenBy === null ? `the client of permit ${say.who(holder)}` : `the clients of the permits ${say.who(holder)} and ${say.who(takenBy)}`} wrote after ${say.clock(endedAt)}.`
        : checkWrites(holder, endedAt, takenBy, say),
    later: ({ isRedisson, isPermit }) =>
      isPermit
        ? 'Acquire permits with a lease above the longest time the work takes, or extend it while the work runs.'
        : isRedisson
          ? 'Lock without a leaseTime, so that the watchdog renews the lease, or set it above the longest time the work takes. Use a fencing token for writes.'
          : 'Set the timeout of the lock above the longest time the work takes, or extend it while the work runs. Use a fencing token for writes.',
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
  'fencing-token-back': {
    title: 'Fencing tokens started again from a lower number',
    explanation: ({ holder, token, highest, highestHolder, highestAt, endedAt }, { who, clock }) =>
      sentences(
        `${who(holder)} got token ${token}, after ${who(highestHolder)} had got ${highest} at ${clock(highestAt)}.`,
        endedAt === null
          ? `Storage that checks tokens refuses each holder until its token is above ${highest}.`
          : `Tokens are above ${highest} again since ${clock(endedAt)}. Until then, storage that checks tokens refused each holder.`,
        'A deleted or evicted counter, a restored backup or a failover has this effect.',
      ),
    advice: ({ highest, counter, endedAt }) =>
      endedAt === null
        ? `If storage checks these tokens, set the counter to the highest one, so that the next one is above it: SET ${counter} ${highest}.`
        : 'If storage checks these tokens, check which writes it refused.',
    later: () =>
      'Keep the counter of a fenced lock when keys are deleted, and do not let Redis evict keys without a lease.',
  },
};

function inSeconds(ms: Millis): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}
