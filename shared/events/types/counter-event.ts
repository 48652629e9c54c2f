import type { RedisTime } from '../../base/time.ts';

/** What an event of a semaphore tells: who did it, by its connection, and what is there afterwards as far as was seen. */
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
      /** A semaphore got its number of permits, or another one. */
      readonly type: 'permits.set';
      /** By how much it was raised, or lowered; absent: it was set. */
      readonly changedBy?: number;
      /** A read found it so: nobody saw it set. */
      readonly isFound?: true;
      /** Expirable semaphore: the permits that a read found to be out, and until when; null: for ever. */
      readonly deadlines?: readonly { readonly id: string; readonly expiresAt: RedisTime | null }[];
    } & Permits)
  | ({
      readonly type: 'permits.acquired';
      /** Absent where nobody knows how many were there to be drained. */
      readonly permits?: number;
      /** Until when they are good; absent: for ever. */
      readonly expiresAt?: RedisTime;
      /** All that were free, however many. */
      readonly isDrain?: boolean;
      readonly wokenBy?: 'message' | 'own-timer';
    } & Permits)
  | ({
      readonly type: 'permits.refused';
      /** How many it asked for. */
      readonly permits: number;
      /** Its client listens, so it waits. */
      readonly asleep?: boolean;
    } & Permits)
  | ({
      readonly type: 'permits.released';
      readonly permits: number;
      /** Its time was over, but nobody had noticed: it was given back all the same, and its client told it was not. */
      readonly isLate?: boolean;
      /** More permits were released than were out: by how much the total rose. */
      readonly raisedBy?: number;
    } & Permits)
  | ({
      /** Permits whose time was over were taken back by somebody's script. */
      readonly type: 'permits.expired';
      readonly permits: number;
    } & Permits)
  | { readonly type: 'permits.renewed'; readonly permitIds: readonly string[]; readonly expiresAt: RedisTime | null }
  | { readonly type: 'latch.set'; readonly count: number; readonly holder?: string; readonly isFound?: true }
  | {
      readonly type: 'latch.counted-down';
      /** What is left; absent where that was never seen. */
      readonly count?: number;
      readonly holder?: string;
      /** There was nothing to count down: it was open, or never set. */
      readonly wasOpen?: true;
    }
  | { readonly type: 'latch.opened' }
  | { readonly type: 'latch.deleted'; readonly command?: string };
