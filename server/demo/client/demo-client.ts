import { ConnectionPool } from './connection-pool.ts';
import { Counters, isOfCounter } from './counters.ts';
import { type OpenConnection, openDemoConnection } from './demo-connection.ts';
import { type HeldKind, isHeldKind, keysOf, waysOfLocking } from './kinds/all-kinds.ts';
import { tokenKey } from './kinds/fenced-lock.ts';
import type { LockProtocol } from './kinds/lock-protocol.ts';
import { forceUnlock, renewHolds } from './kinds/plain-lock.ts';
import { renewReaders } from './kinds/read-write-lock.ts';
import { isLocal, LocalLocks } from './local-locks.ts';
import { expectOurs, foreignOf, freeOurs } from './only-ours.ts';
import type { Milestone, MilestoneDetail, Operation } from './protocol.ts';
import { spinForLock } from './spin-for-lock.ts';
import { Subscriptions } from './subscriptions.ts';
import { waitForLock } from './wait-for-lock.ts';
import { Watchdog, type WatchdogListener } from './watchdog.ts';

export type DemoClientSettings = {
  redisUrl: string;
  name: string;
  uuid: string;
  watchdogMs: number;
  prefix?: string;
  /** Absent: connections over the network. */
  open?: OpenConnection;
};

/** An unlock by a thread that does not hold the lock. */
class IllegalMonitorState extends Error {
  override readonly name = 'IllegalMonitorStateException';
}

/** The thread was interrupted while it waited. */
class Interrupted extends Error {
  override readonly name = 'InterruptedException';
}

const COMMAND_CONNECTIONS = 2;
const UNTIL_CONNECTED_MS = 10_000;
/** Redisson's default for how long a fair lock's waiter may stay in the queue after its turn could have come. */
const QUEUE_MS = 300_000;

type Report = (milestone: Omit<Milestone, 'type' | 'at'>) => void;

/** One lock client: a uuid, its connections, its watchdogs, and the holds of its threads. */
export class DemoClient {
  readonly #settings: DemoClientSettings;
  readonly #pool: ConnectionPool;
  readonly #ways: Readonly<Record<HeldKind, LockProtocol>>;
  readonly #counters: Counters;
  readonly #subscriptions: Subscriptions;
  readonly #watchdog: Watchdog;
  readonly #readersWatchdog: Watchdog;
  readonly #report: Report;
  /** By kind, thread and lock: the lease that a partial release sets again, and the hold count. */
  readonly #leases = new Map<string, { hold: Hold; leaseMs: number; count: number }>();
  readonly #localLocks = new LocalLocks();
  #interrupt = new AbortController();

  constructor(settings: DemoClientSettings, report: Report) {
    this.#settings = settings;
    this.#report = report;
    const { redisUrl: url, name, prefix = '', open = openDemoConnection } = settings;
    const pool = new ConnectionPool(() => open({ url, name, prefix }), COMMAND_CONNECTIONS);
    this.#pool = pool;
    this.#subscriptions = new Subscriptions((listen) => open({ url, name, prefix, ...listen }));
    this.#ways = waysOfLocking(pool);
    this.#counters = new Counters(pool, this.#subscriptions);
    // `detail` decides which milestone it is; the other fields are common to all milestones.
    const note: WatchdogListener = (lock, thread, detail) =>
      this.#report({ lock, thread, ...detail } as Omit<Milestone, 'type' | 'at'>);
    this.#watchdog = new Watchdog(settings.watchdogMs, (holds, leaseMs) => renewHolds(pool, holds, leaseMs), note);
    this.#readersWatchdog = new Watchdog(
      settings.watchdogMs,
      (holds, leaseMs) => renewReaders(pool, holds, leaseMs),
      note,
      true,
    );
  }

  async whenReady(withinMs = UNTIL_CONNECTED_MS): Promise<void> {
    await Promise.all([this.#pool.whenReady(withinMs), this.#subscriptions.whenReady(withinMs)]);
  }

  /** Runs one operation for its thread. Returns its result as text: `ok`, `true` or `false`. */
  async run(operation: Operation): Promise<string> {
    if (isLocal(operation)) {
      return this.#localLocks.run(operation, this.#interrupt.signal, this.#reporter(operation));
    }
    if (operation.own) await expectOurs(this.#pool, operation, operation.own);
    if (isOfCounter(operation)) {
      return this.#counters.run(operation, this.#interrupt.signal, this.#reporter(operation));
    }
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
      default:
        return String(await this.#delete(operation));
    }
  }

  /** Ends every wait with an exception. */
  interrupt(): void {
    this.#interrupt.abort(new Interrupted('the wait was interrupted'));
    this.#interrupt = new AbortController();
  }

  /** Interrupts every wait, waits for `idle`, and then releases every hold. */
  async settle(idle: () => Promise<void>): Promise<void> {
    this.#interrupt.abort(new Interrupted('the wait was interrupted'));
    await idle();
    this.#interrupt = new AbortController();
    this.#counters.forget();
    this.#localLocks.forget();
    for (const { hold, leaseMs } of [...this.#leases.values()]) {
      const way = this.#ways[hold.kind];
      try {
        if (!this.isConnected()) throw new Error('no connection');
        let outcome: boolean | null = false;
        while (outcome === false) outcome = await way.unlock(hold.lock, this.#holderIn(way, hold), leaseMs);
      } catch {
        // Redis is unreachable. The lease will expire, because no watchdog renews it.
      }
      this.#forget(hold);
    }
  }

  /** True while the client can send commands. */
  isConnected(): boolean {
    return this.#pool.isReady();
  }

  /** Closes all connections. */
  close(): void {
    this.#pool.close();
    this.#subscriptions.close();
  }

  cut(): void {
    this.#pool.cut();
    this.#subscriptions.cut();
  }

  async heal(): Promise<void> {
    this.#pool.heal();
    this.#subscriptions.heal();
    await this.whenReady().catch(() => undefined); // the connections keep trying to reconnect
  }

  async #lock(operation: Operation, waitMs: number | null): Promise<boolean> {
    const { thread, lock, leaseMs: ownLeaseMs } = operation;
    const hold = holdOf(operation);
    const way = this.#ways[hold.kind];
    const holder = this.#holderIn(way, hold);
    const leaseMs = ownLeaseMs ?? this.#settings.watchdogMs;
    // a waiter with a time limit may stay in a fair lock's queue for as long as that limit
    const queueMs = operation.queueMs ?? (waitMs || QUEUE_MS);
    const attempt = async () => {
      const ttlMs = await way.attempt({ lock, holder, leaseMs, queueMs, isWaiting: waitMs !== 0 });
      if (ttlMs === null) {
        const count = (this.#leases.get(keyOf(hold))?.count ?? 0) + 1;
        this.#leases.set(keyOf(hold), { hold, leaseMs, count });
        if (hold.kind === 'fenced-lock' && operation.endsAt !== undefined)
          await this.#pool.command('PEXPIREAT', tokenKey(lock), operation.endsAt);
        if (ownLeaseMs === undefined) this.#watchdogOf(way).add(lock, thread, holder);
      }
      return ttlMs;
    };
    const channel = way.channelOf(lock, holder);
    const wait = { waitMs, attempt, interrupt: this.#interrupt.signal, report: this.#reporter(operation) };
    if (channel === null) return spinForLock(wait);
    const giveUp = async () => way.giveUp?.(lock, holder, queueMs);
    return waitForLock({ ...wait, channel, giveUp, subscriptions: this.#subscriptions });
  }

  async #unlock(operation: Operation): Promise<void> {
    const { thread, lock } = operation;
    const { uuid, watchdogMs } = this.#settings;
    const hold = holdOf(operation);
    const way = this.#ways[hold.kind];
    const taken = this.#leases.get(keyOf(hold));
    const report = this.#reporter(operation);
    let outcome: boolean | null;
    try {
      outcome = await way.unlock(lock, this.#holderIn(way, hold), taken?.leaseMs ?? watchdogMs);
    } catch (error) {
      this.#forget(hold); // like Redisson: after an unlock that failed, nothing renews the hold
      throw error;
    }
    // for a shared lock, false means that other readers still hold it
    if (outcome === false && (!way.isShared || (taken && taken.count > 1))) {
      if (taken) taken.count--;
      this.#watchdogOf(way).removeLevel(lock, thread);
      report({ name: 'partially-released' });
      return;
    }
    this.#forget(hold);
    report({ name: outcome === null ? 'unlock-refused' : 'released' });
    if (outcome === null) {
      throw new IllegalMonitorState(
        `attempt to unlock lock, not locked by current thread by node id: ${uuid} thread-id: ${thread}`,
      );
    }
  }

  async #forceUnlock(operation: Operation): Promise<boolean> {
    const { lock, own } = operation;
    this.#watchdog.removeLock(lock);
    const isReleased = own ? await freeOurs(this.#pool, lock, own) : await forceUnlock(this.#pool, lock);
    if (isReleased) this.#reporter(operation)({ name: 'force-released' });
    return isReleased;
  }

  async #delete({ kind = 'lock', lock, own }: Operation): Promise<boolean> {
    this.#watchdog.removeLock(lock);
    this.#readersWatchdog.removeLock(lock);
    if (own) return (await foreignOf(this.#pool, 'delete', keysOf(kind, lock), own)).length === 0;
    return Number(await this.#pool.command('DEL', ...keysOf(kind, lock))) > 0;
  }

  #forget(hold: Hold): void {
    this.#leases.delete(keyOf(hold));
    this.#watchdogOf(this.#ways[hold.kind]).removeHold(hold.lock, hold.thread);
  }

  #holderIn(way: LockProtocol, { thread }: Hold): string {
    return way.holderOf(this.#settings.uuid, thread);
  }

  #watchdogOf(way: LockProtocol): Watchdog {
    return way.isShared ? this.#readersWatchdog : this.#watchdog;
  }

  #reporter({ op, thread, lock }: Operation): (detail: MilestoneDetail) => void {
    // `detail` decides which milestone it is; the other fields are common to all milestones.
    return (detail) => this.#report({ op, thread, lock, ...detail } as Omit<Milestone, 'type' | 'at'>);
  }
}

/** Identifies a hold: one thread, one lock of one kind. */
type Hold = { readonly kind: HeldKind; readonly thread: number; readonly lock: string };

function holdOf({ kind = 'lock', thread, lock }: Operation): Hold {
  if (!isHeldKind(kind)) throw new Error(`a ${kind} has no holders`);
  return { kind, thread, lock };
}

function keyOf({ kind, thread, lock }: Hold): string {
  return `${kind} ${thread} ${lock}`;
}
