import type { RedisTime } from '../../base/time.ts';

/** Common fields of semaphore events: the client's connection, and the permits afterwards, as far as was seen. */
type Permits = {
  readonly holder?: string;
  /** Expirable semaphore: the permits, by their ids. */
  readonly permitIds?: readonly string[];
  readonly available?: number;
  readonly total?: number;
};

/** What happens to semaphores and latches. */
export type CounterDetail =
  | ({
      /** The number of permits was set or changed. */
      readonly type: 'permits.set';
      /** By how much the number was raised (or lowered, if negative); absent: it was set. */
      readonly changedBy?: number;
      /** A read found this number; the command that set it was not seen. */
      readonly isFound?: true;
      /** Expirable semaphore: the acquired permits that a read found, and when they expire; null: never. */
      readonly deadlines?: readonly { readonly id: string; readonly expiresAt: RedisTime | null }[];
    } & Permits)
  | ({
      readonly type: 'permits.acquired';
      /** Absent if it is not known how many permits a drain found. */
      readonly permits?: number;
      /** The client (uuid) that took permits without ids, if its connection has sent a lock script. */
      readonly client?: string;
      /** When the permits expire; absent: never. */
      readonly expiresAt?: RedisTime;
      /** The client acquired all free permits (`drainPermits`). */
      readonly isDrain?: boolean;
      readonly wokenBy?: 'message' | 'own-timer';
    } & Permits)
  | ({
      readonly type: 'permits.refused';
      /** How many permits the client asked for. */
      readonly permits: number;
      /** The client is subscribed, so it waits. */
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
      /** The remaining count; absent if it was never seen. */
      readonly count?: number;
      readonly holder?: string;
      /** There was nothing to count down: the latch was open, or never set. */
      readonly wasOpen?: true;
    }
  | { readonly type: 'latch.opened' }
  | { readonly type: 'latch.deleted'; readonly command?: string };
