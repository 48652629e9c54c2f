import type { Millis, RedisTime } from '../../base/time.ts';
import type { LockKind } from '../types/lock-kind.ts';

/** A permit of an expirable semaphore; null: it never expires. */
export type PermitDeadline = { readonly id: string; readonly expiresAt: RedisTime | null };

type OfSemaphore = {
  readonly lock: string;
  /** `semaphore` is also what it is called while nobody has shown that its permits expire. */
  readonly kind: LockKind;
  /** False: any script may do the same to any number, so it counts only where the key is known to be a semaphore. */
  readonly isProven: boolean;
};

/** What scripts of semaphores and latches do. */
export type CounterAction =
  | ({
      readonly do: 'take-permits';
      readonly permits: number;
      readonly deadlines?: readonly PermitDeadline[];
    } & OfSemaphore)
  | ({ readonly do: 'refuse-permits'; readonly permits: number } & OfSemaphore)
  | ({ readonly do: 'drain-permits' } & OfSemaphore)
  | ({
      readonly do: 'give-permits';
      readonly permits: number;
      readonly ids?: readonly string[];
      /** By the clock of the client that gave them back, which decides whether that was in time; absent: not told. */
      readonly clientNow?: RedisTime;
      /** Nobody gave them back: their time was over, and somebody else's script noticed. */
      readonly isReclaim?: true;
    } & OfSemaphore)
  | ({ readonly do: 'refuse-permit-release'; readonly id: string } & OfSemaphore)
  | ({ readonly do: 'renew-permits'; readonly deadlines: readonly PermitDeadline[] } & OfSemaphore)
  | ({
      readonly do: 'set-permits';
      /** What its caller asked for: a number of permits, or by how much to change it. */
      readonly asked: number;
      /** What is free afterwards. */
      readonly available: number;
      /** It says how many there are in all; absent: as it turns out. */
      readonly isTotal?: true;
      readonly ttlMs?: Millis;
    } & OfSemaphore)
  /** The same, as a change of what is free: the number itself is in no line. */
  | ({ readonly do: 'set-total'; readonly total: number; readonly change: number } & OfSemaphore)
  | { readonly do: 'set-latch'; readonly lock: string; readonly count: number }
  | {
      readonly do: 'count-down';
      readonly lock: string;
      /** It came to zero, or below. */
      readonly isLast: boolean;
      /** And those who wait were told. */
      readonly hasOpened: boolean;
    }
  | { readonly do: 'delete-latch'; readonly lock: string; readonly isProven: boolean };
