import type { ConnectionPool } from './connection-pool.ts';
import { ExpirableSemaphore } from './kinds/expirable-semaphore.ts';
import { Latch, latchChannel } from './kinds/latch.ts';
import { permitsChannel, Semaphore } from './kinds/semaphore.ts';
import type { MilestoneDetail, Operation } from './protocol.ts';
import type { Subscriptions } from './subscriptions.ts';
import { waitForLock } from './wait-for-lock.ts';

type CounterOperation = Operation & { action: CounterAction };
const ACTIONS = ['trySetPermits', 'acquire', 'tryAcquire', 'release', 'trySetCount', 'countDown', 'await'] as const;
type CounterAction = (typeof ACTIONS)[number];

/** The released permit has expired, or was never acquired. */
class NoSuchPermit extends Error {
  override readonly name = 'IllegalArgumentException';
}

/** Operations on semaphores and count-down latches. */
export class Counters {
  readonly #semaphore: Semaphore;
  readonly #expirable: ExpirableSemaphore;
  readonly #latch: Latch;
  readonly #subscriptions: Subscriptions;

  constructor(pool: ConnectionPool, subscriptions: Subscriptions) {
    this.#semaphore = new Semaphore(pool);
    this.#expirable = new ExpirableSemaphore(pool);
    this.#latch = new Latch(pool);
    this.#subscriptions = subscriptions;
  }

  /** Runs one operation for its thread. Returns its result as text: `ok`, `true` or `false`. */
  async run(
    operation: CounterOperation,
    interrupt: AbortSignal,
    report: (detail: MilestoneDetail) => void,
  ): Promise<string> {
    const { action, lock, permits = 1, waitMs, endsAt } = operation;
    const until = (channel: string, limitMs: number | null, attempt: () => Promise<number | null>) =>
      waitForLock({ channel, waitMs: limitMs, attempt, subscriptions: this.#subscriptions, interrupt, report });
    switch (action) {
      case 'trySetPermits': {
        const isSet = await this.#semaphore.trySetPermits(lock, permits, endsAt);
        if (isSet) report({ name: 'permits-set' });
        return String(isSet);
      }
      case 'acquire':
      case 'tryAcquire': {
        const limitMs = action === 'acquire' ? null : (waitMs ?? 0);
        return String(await until(permitsChannel(lock), limitMs, () => this.#attempt(operation)));
      }
      case 'release':
        return this.#release(operation, report);
      case 'trySetCount': {
        const isSet = await this.#latch.trySetCount(lock, permits, endsAt);
        if (isSet) report({ name: 'latch-set' });
        return String(isSet);
      }
      case 'countDown':
        await this.#latch.countDown(lock);
        report({ name: 'counted-down' });
        return 'ok';
      case 'await':
        return String(await until(latchChannel(lock), waitMs ?? null, () => this.#latch.attempt(lock)));
    }
  }

  /** Forgets the permits of all threads. */
  forget(): void {
    this.#expirable.forget();
  }

  #attempt({ kind, thread, lock, permits = 1, leaseMs }: Operation): Promise<number | null> {
    return kind === 'expirable-semaphore'
      ? this.#expirable.attempt(thread, lock, leaseMs)
      : this.#semaphore.attempt(lock, permits);
  }

  async #release({ kind, thread, lock, permits = 1 }: Operation, report: (detail: MilestoneDetail) => void) {
    if (kind !== 'expirable-semaphore') {
      await this.#semaphore.release(lock, permits);
      report({ name: 'permits-released' });
      return 'ok';
    }
    const isReleased = await this.#expirable.release(thread, lock);
    report({ name: isReleased ? 'permits-released' : 'permit-refused' });
    if (!isReleased) throw new NoSuchPermit('Permit has already been released or does not exist');
    return 'ok';
  }
}

/** True for an operation on a semaphore or a latch. */
export function isOfCounter(operation: Operation): operation is CounterOperation {
  return COUNTER_ACTIONS.has(operation.action);
}

const COUNTER_ACTIONS: ReadonlySet<string> = new Set(ACTIONS);
