import type { RedisTime } from '../../base/time.ts';

/** Common fields of semaphore events. */
type Permits = {
  /**
   * The name of the client's connection, or its address if it has no name. For sidekiq-unique-jobs: the id of the job.
   */
  readonly holder?: string;
  /** Expirable semaphore: the ids of the permits that this event is about. */
  readonly permitIds?: readonly string[];
  /** The number of free permits after this event; absent: not known. */
  readonly available?: number;
  /** The number of all permits after this event; absent: not known. */
  readonly total?: number;
};

/** What happens to semaphores and latches. */
export type CounterDetail =
  | ({
      /** The number of permits was set or changed. */
      readonly type: 'permits.set';
      /** By how much the number was raised (or lowered, if negative); absent: it was set, or `isFound`. */
      readonly changedBy?: number;
      /** The semaphore's own scripts were not seen to set this: a read or another command showed it. */
      readonly isFound?: true;
      /** Expirable semaphore, with `isFound`: the acquired permits, and when they expire; null: never. */
      readonly deadlines?: readonly { readonly id: string; readonly expiresAt: RedisTime | null }[];
    } & Permits)
  | ({
      readonly type: 'permits.acquired';
      /** Absent if it is not known how many permits a drain found. */
      readonly permits?: number;
      /** The client (uuid) that took permits without ids, if its connection has sent a lock script. */
      readonly client?: string;
      /** When the permits expire; absent: never, or not known. */
      readonly expiresAt?: RedisTime;
      /** The client acquired all free permits (`drainPermits`). */
      readonly isDrain?: boolean;
      readonly wokenBy?: 'message' | 'own-timer';
    } & Permits)
  | ({
      readonly type: 'permits.refused';
      /** How many permits the client asked for. */
      readonly permits: number;
      /** Whether the client is subscribed, so that it waits; absent: the client is not known. */
      readonly asleep?: boolean;
    } & Permits)
  | ({
      readonly type: 'permits.released';
      readonly permits: number;
      /**
       * The permit had expired before, but no script had taken it back. It was returned, although the reply says that
       * it was not.
       */
      readonly isLate?: boolean;
      /** More permits were released than were acquired: by how much the total rose. */
      readonly raisedBy?: number;
    } & Permits)
  | ({
      /** A client's script took back permits that had expired. */
      readonly type: 'permits.expired';
      readonly permits: number;
    } & Permits)
  | ({
      readonly type: 'permits.renewed';
      readonly permitIds: readonly string[];
      readonly expiresAt: RedisTime | null;
    } & Omit<Permits, 'holder' | 'permitIds'>)
  | { readonly type: 'latch.set'; readonly count: number; readonly holder?: string; readonly isFound?: true }
  | {
      readonly type: 'latch.counted-down';
      /** The remaining count; absent: not known. */
      readonly count?: number;
      readonly holder?: string;
      /** There was nothing to count down: the latch was open, or never set. */
      readonly wasOpen?: true;
    }
  | { readonly type: 'latch.opened' }
  | { readonly type: 'latch.deleted'; readonly command?: string };
