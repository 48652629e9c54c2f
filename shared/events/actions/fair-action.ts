import type { Millis } from '../../base/time.ts';
import type { Lease, RefusalReply } from '../types/lease.ts';

/** What a fair lock's scripts do, to its hold and to its queue. */
export type FairAction = {
  /** The name that its queue goes by; absent: its own. Name mappers left the queue's alone before 3.52.0. */
  readonly queueName?: string;
} & FairDoing;

type FairDoing =
  | {
      /** The head had stood there longer than it may: the script of somebody else struck it out. */
      readonly do: 'fair-evict';
      readonly lock: string;
      readonly holder: string;
      /** By the clock of the client that ran the script; null where that cannot be read. */
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
      readonly told: RefusalReply;
      readonly reason: 'held' | 'error' | 'own-hold';
      /** The error came as the script looked for the caller's hold, after it had found that the key exists. */
      readonly isThere?: true;
      /** The script found nobody holding the lock: it was not the caller's turn. */
      readonly isFree: boolean;
      /** Until when the caller may now stand in the queue, in epoch ms; null where the script did not set it. */
      readonly deadline: Millis | null;
      /** It went to the tail just now. */
      readonly isQueued: boolean;
      /** How long it would be let wait, which its deadline is computed from; null for a try that does not wait. */
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
      /** A script looked at the head of the queue, after its evictions. Null: the queue is empty. */
      readonly do: 'fair-head';
      readonly lock: string;
      readonly head: string | null;
    }
  | QueueEdit;

/** A plain command changed the queue, or the deadlines beside it. */
export type QueueEdit = {
  readonly do: 'queue-edit';
  /** The lock that the names of the queue's keys give. */
  readonly lock: string;
  readonly command: string;
  /** Waiters taken out of the list. */
  readonly removed?: readonly string[];
  /** Waiters taken from one end of the list. */
  readonly popped?: { readonly end: 'head' | 'tail'; readonly count: number };
  /** New deadlines; null: the waiter has none any longer. */
  readonly deadlines?: readonly { readonly holder: string; readonly deadline: Millis | null }[];
};

/** Deadlines that a script moved: whose, and by how much. */
export type QueueShift = { readonly ms: Millis; readonly holders: readonly string[] };
