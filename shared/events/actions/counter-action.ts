import type { Millis, RedisTime } from '../../base/time.ts';
import type { Lease } from '../types/lease.ts';
import type { LockKind } from '../types/lock-kind.ts';

/** A permit of an expirable semaphore. `expiresAt` null: it never expires. */
export type PermitDeadline = { readonly id: string; readonly expiresAt: RedisTime | null };

type SemaphoreFields = {
  readonly lock: string;
  /** `semaphore` until something shows that its permits expire. */
  readonly kind: LockKind;
  /** False: any script may do this to any number, so the action is used only if the key is known to be a semaphore. */
  readonly isProven: boolean;
};

type Attempt = { readonly lock: string; readonly member: string; readonly limit: number | undefined };

/** What scripts of semaphores and latches do. */
export type CounterAction =
  | ({
      readonly do: 'take-permits';
      readonly permits: number;
      readonly deadlines?: readonly PermitDeadline[];
      /** The job that holds the permit (sidekiq-unique-jobs); absent: the client of the connection holds it. */
      readonly taker?: string;
    } & SemaphoreFields)
  | ({ readonly do: 'refuse-permits'; readonly permits: number } & SemaphoreFields)
  | ({ readonly do: 'drain-permits' } & SemaphoreFields)
  | ({
      readonly do: 'give-permits';
      readonly permits: number;
      readonly ids?: readonly string[];
      /** The releasing client's own time, which decides whether the permits had expired; absent: not shown. */
      readonly clientNow?: RedisTime;
      /** Not a release: a script took back permits that had expired. */
      readonly isReclaim?: true;
    } & SemaphoreFields)
  | ({ readonly do: 'refuse-permit-release'; readonly id: string } & SemaphoreFields)
  | ({ readonly do: 'renew-permits'; readonly deadlines: readonly PermitDeadline[] } & SemaphoreFields)
  | ({
      readonly do: 'set-permits';
      /** The caller's argument: a number of permits, or by how much to change it. */
      readonly asked: number;
      /** The number of free permits afterwards. */
      readonly available: number;
      /** `asked` is the new total; absent: `asked` may be a new total, or the change of the total. */
      readonly isTotal?: true;
      readonly ttlMs?: Millis;
    } & SemaphoreFields)
  /** Like `set-permits`, but only the change of the free permits is known: no command shows the number itself. */
  | ({ readonly do: 'set-total'; readonly total: number; readonly change: number } & SemaphoreFields)
  /** Members of a sorted set, with leases: the permits of a semaphore that is such a set. */
  | {
      readonly do: 'lease-permits';
      readonly lock: string;
      readonly ids: readonly string[];
      /** The score of these members, by the client's clock. */
      readonly score: RedisTime;
      /** Members with this score or a lower one were removed first. */
      readonly bound: RedisTime;
      /** How many permits its client allows; undefined: not shown. */
      readonly limit: number | undefined;
      readonly library: string | undefined;
      readonly isProven: boolean;
      /** The script removes no members and adds none: a member that is gone stays gone. */
      readonly isOnlyRenewal?: true;
      /** When the whole set ends; absent: the script does not set that, or its end was not looked for. */
      readonly keyEnds?: RedisTime | undefined;
    }
  | {
      readonly do: 'refuse-lease';
      readonly lock: string;
      /** The permit that was to be renewed; absent: a new one was refused. */
      readonly renewed?: string | undefined;
      readonly bound: RedisTime;
      readonly limit: number | undefined;
      readonly permits: number;
      readonly library: string | undefined;
      readonly isProven: boolean;
    }
  /**
   * A field of a hash of sidekiq-unique-jobs, with the id of a job: a permit of that job, whichever client queues or
   * runs it.
   */
  | ({
      readonly do: 'hold-member';
      /** The lease of the whole hash; null: not set. */
      readonly lease: Lease | null;
    } & Attempt)
  /** `mayHoldPermit`: the job was refused, or it already holds the permit. */
  | ({ readonly do: 'refuse-member'; readonly mayHoldPermit: boolean } & Attempt)
  /** An unlock deleted the whole hash, whichever jobs had a permit. */
  | { readonly do: 'drop-members'; readonly lock: string; readonly member: string }
  /** An unlock found that the job holds no permit. */
  | { readonly do: 'miss-member'; readonly lock: string; readonly member: string }
  /** Members of any sorted set, or fields of a hash of jobs, were removed. */
  | { readonly do: 'remove-members'; readonly lock: string; readonly ids: readonly string[] }
  | { readonly do: 'set-latch'; readonly lock: string; readonly count: number }
  | {
      readonly do: 'count-down';
      readonly lock: string;
      /** The count reached zero, or below. */
      readonly isLast: boolean;
      /** The script also published the message that wakes the waiters. */
      readonly hasOpened: boolean;
    }
  | { readonly do: 'delete-latch'; readonly lock: string; readonly isProven: boolean };
