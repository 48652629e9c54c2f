import type { RedisTime } from '../../../shared/base/time.ts';
import type { DemoReport } from '../../../shared/wire/demo.ts';

/** A lock in a client's own memory, as that client reports it. Redis does not see it. */
export type LocalLock = {
  /** The thread that took it; null: free. */
  readonly takenBy: number | null;
  /** The thread that waits for it, and since when. */
  readonly waiting: { readonly thread: number; readonly since: RedisTime } | null;
};

export const FREE: LocalLock = { takenBy: null, waiting: null };

/** The lock after a report of its client. */
export function localAfter(lock: LocalLock, { name, thread }: DemoReport, at: RedisTime): LocalLock {
  switch (name) {
    case 'local-taken':
      return { takenBy: thread, waiting: null };
    case 'local-waits':
      return { ...lock, waiting: { thread, since: at } };
    case 'local-gave-up':
    case 'local-let-go':
      return { ...lock, waiting: null };
    case 'local-freed':
      return { ...lock, takenBy: null };
    case 'group-refused':
      return lock;
  }
}
