import { startTimer, steadyMs, stopTimer, type Timer } from '../../redis/connection/surroundings.ts';
import type { LocalAction, MilestoneDetail, Operation } from './protocol.ts';

export type LocalOperation = Operation & { action: LocalAction };

/** True for an operation on a lock in the process's own memory. */
export function isLocal(operation: Operation): operation is LocalOperation {
  return operation.action.startsWith('local');
}

/**
 * Locks in this process's memory: taken or free, without an owner. A thread that takes such a lock twice waits for
 * itself.
 *
 *   while (isTaken) wait();  isTaken = true;
 */
export class LocalLocks {
  readonly #taken = new Set<string>();
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Runs one operation for its thread. Returns its result as text; rejects if it is interrupted. */
  async run(
    { action, lock, waitMs }: LocalOperation,
    interrupt: AbortSignal,
    report: (detail: MilestoneDetail) => void,
  ) {
    if (action === 'localUnlock') {
      this.#taken.delete(lock);
      report({ name: 'local-freed' });
      this.#waiting.get(lock)?.shift()?.();
      return 'ok';
    }
    const startedAt = steadyMs();
    const waitedMs = () => Math.round(steadyMs() - startedAt);
    if (this.#taken.has(lock)) {
      report({ name: 'local-waits' });
      try {
        const isFree = await this.#freed(lock, action === 'localTryLock' ? (waitMs ?? 0) : null, interrupt);
        if (!isFree) {
          report({ name: 'local-gave-up', waitedMs: waitedMs() });
          return 'false';
        }
      } catch (interrupted) {
        report({ name: 'local-let-go', waitedMs: waitedMs() });
        throw interrupted;
      }
    }
    this.#taken.add(lock);
    report({ name: 'local-taken' });
    return action === 'localTryLock' ? 'true' : 'ok';
  }

  forget(): void {
    this.#taken.clear();
    this.#waiting.clear();
  }

  /** True once the lock is free, false after `limitMs`. */
  #freed(lock: string, limitMs: number | null, interrupt: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const list = this.#waiting.get(lock) ?? [];
      this.#waiting.set(lock, list);
      let timer: Timer | undefined;
      const end = () => {
        stopTimer(timer);
        interrupt.removeEventListener('abort', stop);
        if (list.includes(wake)) list.splice(list.indexOf(wake), 1);
      };
      const wake = () => {
        end();
        resolve(true);
      };
      const stop = () => {
        end();
        reject(interrupt.reason);
      };
      if (limitMs !== null) {
        timer = startTimer(() => {
          end();
          resolve(false);
        }, limitMs);
      }
      list.push(wake);
      interrupt.addEventListener('abort', stop, { once: true });
    });
  }
}
