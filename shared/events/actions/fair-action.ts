import type { Millis } from '../../base/time.ts';
import type { Lease, RefusalReply } from '../types/lease.ts';

/** What a fair lock's scripts do to its hold and to its queue. */
export type FairAction = {
  /**
   * The lock's name in the queue's keys; absent: the lock's own name. Before 3.52.0, name mappers did not map these
   * keys.
   */
  readonly queueName?: string;
} & FairDoing;

type FairDoing =
  | {
      /** The head's deadline had passed: another client's script evicted it. */
      readonly do: 'fair-evict';
      readonly lock: string;
      readonly holder: string;
      /** The time by the clock of the client that ran the script; null if that cannot be read. */
      readonly clientNow: Millis | null;
    }
  | {
      readonly do: 'fair-acquire';
      readonly lock: string;
      readonly holder: string;
      readonly lease: Lease | null;
      readonly shift: QueueShift | null;
      readonly clientNow: Millis | null;
    }
  | {
      readonly do: 'fair-refuse';
      readonly lock: string;
      readonly holder: string;
      readonly reported: RefusalReply;
      readonly reason: 'held' | 'error' | 'own-hold';
      /** The error occurred when the script looked for the caller's hold, after it had found that the key exists. */
      readonly isThere?: true;
      /** The script found the lock free, but it was not the caller's turn. */
      readonly isFree: boolean;
      /** The time until which the caller may be in the queue, in epoch ms; null: the script did not set one. */
      readonly deadline: Millis | null;
      /** The script added the caller at the tail. */
      readonly isQueued: boolean;
      /** How long the caller may wait, from which its deadline is computed; null for an attempt that does not wait. */
      readonly waitMs: Millis | null;
      readonly clientNow: Millis | null;
    }
  | {
      readonly do: 'fair-give-up';
      readonly lock: string;
      readonly holder: string;
      readonly shift: QueueShift | null;
    }
  | {
      /** The head of the queue, as a script found it after its evictions. Null: the queue is empty. */
      readonly do: 'fair-head';
      readonly lock: string;
      readonly head: string | null;
    }
  | QueueEdit;

/** A plain command changed the queue, or the deadlines beside it. */
export type QueueEdit = {
  readonly do: 'queue-edit';
  /** The lock named by the queue's keys. */
  readonly lock: string;
  readonly command: string;
  /** Waiters removed from the list. */
  readonly removed?: readonly string[];
  /** Waiters popped from one end of the list. */
  readonly popped?: { readonly end: 'head' | 'tail'; readonly count: number };
  /** New deadlines; null: the waiter no longer has a deadline. */
  readonly deadlines?: readonly { readonly holder: string; readonly deadline: Millis | null }[];
};

/** Deadlines that a script moved: by how much, and for which waiters. */
export type QueueShift = { readonly ms: Millis; readonly holders: readonly string[] };
