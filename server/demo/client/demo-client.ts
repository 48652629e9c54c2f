import { ConnectionPool } from './connection-pool.ts';
import { LockCommands } from './lock-commands.ts';
import { holderId } from './names.ts';
import type { Milestone, MilestoneDetail, Operation } from './protocol.ts';
import { Subscriptions } from './subscriptions.ts';
import { waitForLock } from './wait-for-lock.ts';
import { Watchdog } from './watchdog.ts';

export type DemoClientSettings = { redisUrl: string; name: string; uuid: string; watchdogMs: number };

/** An unlock by a thread that does not hold the lock. */
export class IllegalMonitorState extends Error {
  override readonly name = 'IllegalMonitorStateException';
}

/** The thread was interrupted while it waited. */
export class Interrupted extends Error {
  override readonly name = 'InterruptedException';
}

const COMMAND_CONNECTIONS = 2;
const UNTIL_CONNECTED_MS = 10_000;

type Tell = (milestone: Omit<Milestone, 'type' | 'at'>) => void;

/** One instance of a lock client: a uuid, some connections, a watchdog, and what its threads hold. */
export class DemoClient {
  readonly #settings: DemoClientSettings;
  readonly #pool: ConnectionPool;
  readonly #commands: LockCommands;
  readonly #subscriptions: Subscriptions;
  readonly #watchdog: Watchdog;
  readonly #tell: Tell;
  /** Lease of each hold, by thread and lock: what a partial release sets again. */
  readonly #leases = new Map<string, { thread: number; lock: string; leaseMs: number }>();
  #interrupt = new AbortController();

  constructor(settings: DemoClientSettings, tell: Tell) {
    this.#settings = settings;
    this.#tell = tell;
    this.#pool = new ConnectionPool(settings.redisUrl, settings.name, COMMAND_CONNECTIONS);
    this.#subscriptions = new Subscriptions(settings.redisUrl, settings.name);
    this.#commands = new LockCommands(this.#pool);
    this.#watchdog = new Watchdog(
      settings.watchdogMs,
      (holds, leaseMs) => this.#commands.renew(holds, leaseMs),
      // The detail decides the shape; the rest is common to all milestones.
      (lock, thread, detail) => this.#tell({ lock, thread, ...detail } as Omit<Milestone, 'type' | 'at'>),
    );
  }

  async whenReady(): Promise<void> {
    await Promise.all([this.#pool.whenReady(UNTIL_CONNECTED_MS), this.#subscriptions.whenReady(UNTIL_CONNECTED_MS)]);
  }

  /** Runs one operation for its thread. Gives its result in words; rejects with what it throws. */
  async run(operation: Operation): Promise<string> {
    switch (operation.action) {
      case 'lock':
        await this.#lock(operation, null);
        return 'ok';
      case 'tryLock':
        return String(await this.#lock(operation, operation.waitMs ?? 0));
      case 'unlock':
        await this.#unlock(operation);
        return 'ok';
      case 'forceUnlock':
        return String(await this.#forceUnlock(operation));
    }
  }

  /** Interrupts every wait and releases every hold, as an orderly shutdown would. */
  async settle(idle: () => Promise<void>): Promise<void> {
    this.#interrupt.abort(new Interrupted('the wait was interrupted'));
    await idle();
    this.#interrupt = new AbortController();
    for (const { thread, lock, leaseMs } of [...this.#leases.values()]) {
      const holder = holderId(this.#settings.uuid, thread);
      try {
        let outcome: boolean | null = false;
        while (outcome === false) outcome = await this.#commands.unlock(lock, holder, leaseMs);
      } catch {
        // Redis cannot be reached: the lease will run out, as no watchdog renews it any more.
      }
      this.#forget(thread, lock);
    }
  }

  cut(): void {
    this.#pool.cut();
    this.#subscriptions.cut();
  }

  async heal(): Promise<void> {
    this.#pool.heal();
    this.#subscriptions.heal();
    await this.whenReady().catch(() => undefined); // it goes on trying by itself
  }

  async #lock(operation: Operation, waitMs: number | null): Promise<boolean> {
    const { thread, lock } = operation;
    const holder = holderId(this.#settings.uuid, thread);
    const leaseMs = operation.leaseMs ?? this.#settings.watchdogMs;
    const isAcquired = await waitForLock({
      lock,
      waitMs,
      attempt: async () => {
        const ttlMs = await this.#commands.attempt(lock, holder, leaseMs);
        if (ttlMs === null) {
          this.#leases.set(leaseKey(thread, lock), { thread, lock, leaseMs });
          if (operation.leaseMs === undefined) this.#watchdog.add(lock, thread, holder);
        }
        return ttlMs;
      },
      subscriptions: this.#subscriptions,
      interrupt: this.#interrupt.signal,
      tell: this.#teller(operation),
    });
    return isAcquired;
  }

  async #unlock(operation: Operation): Promise<void> {
    const { thread, lock } = operation;
    const { uuid, watchdogMs } = this.#settings;
    const leaseMs = this.#leases.get(leaseKey(thread, lock))?.leaseMs ?? watchdogMs;
    const tell = this.#teller(operation);
    const outcome = await this.#commands.unlock(lock, holderId(uuid, thread), leaseMs);
    if (outcome === false) {
      this.#watchdog.removeLevel(lock, thread);
      tell({ name: 'partially-released' });
      return;
    }
    this.#forget(thread, lock);
    tell({ name: outcome ? 'released' : 'unlock-refused' });
    if (outcome === null) {
      throw new IllegalMonitorState(
        `attempt to unlock lock, not locked by current thread by node id: ${uuid} thread-id: ${thread}`,
      );
    }
  }

  async #forceUnlock(operation: Operation): Promise<boolean> {
    this.#watchdog.removeLock(operation.lock);
    const isReleased = await this.#commands.forceUnlock(operation.lock);
    if (isReleased) this.#teller(operation)({ name: 'force-released' });
    return isReleased;
  }

  #forget(thread: number, lock: string): void {
    this.#leases.delete(leaseKey(thread, lock));
    this.#watchdog.removeHold(lock, thread);
  }

  #teller({ op, thread, lock }: Operation): (detail: MilestoneDetail) => void {
    // The detail decides the shape; the rest is common to all milestones.
    return (detail) => this.#tell({ op, thread, lock, ...detail } as Omit<Milestone, 'type' | 'at'>);
  }
}

function leaseKey(thread: number, lock: string): string {
  return `${thread} ${lock}`;
}
