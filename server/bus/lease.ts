import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { startTicks, steadyMs, stopTimer, type Timer } from '../redis/connection/surroundings.ts';
import type { Bus } from './bus.ts';

/** How long a lease lasts without a renewal, and the time between renewals. Attempts come every 2/3 of that time. */
type LeaseTimes = { readonly leaseMs: number; readonly renewMs: number };
export const LEASE_TIMES: LeaseTimes = { leaseMs: 6000, renewMs: 1500 };

/**
 * Extends the lease if it is ours (1); 0: no process has it; -1: another one has it. PEXPIRE also works on a full bus.
 */
const RENEW = `local owner = redis.call('GET', KEYS[1])
if not owner then return 0 end
if owner ~= ARGV[1] then return -1 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`;

const GIVE_UP = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/** The name under which a process has leases: where it runs, and random text, because pids are reused. */
function processName(): string {
  return `${hostname()}:${process.pid}:${randomBytes(6).toString('hex')}`;
}

/**
 * A lease on the bus, which decides which one of several processes works. A process that was frozen may still think it
 * has the lease. Then the streams refuse the ids of what it writes.
 */
export class Lease {
  readonly #bus: Bus;
  readonly #key: string;
  readonly #owner: string;
  readonly #times: LeaseTimes;
  #timer: Timer | undefined;
  #isAsking = false;

  constructor(bus: Bus, key: string, owner = processName(), times = LEASE_TIMES) {
    this.#bus = bus;
    this.#key = key;
    this.#owner = owner;
    this.#times = times;
  }

  get owner(): string {
    return this.#owner;
  }

  /** Acquires the lease if no process has it. A bus that does not answer counts as a refusal. */
  async take(): Promise<boolean> {
    const { leaseMs } = this.#times;
    const reply = await this.#bus.connection.call('SET', this.#key, this.#owner, 'NX', 'PX', leaseMs).catch(() => null);
    return reply === 'OK';
  }

  /**
   * Waits for the lease. `waits` is called after each failed attempt. Returns whether the lease was acquired before
   * `signal` aborted.
   */
  async wait(signal: AbortSignal, waits: () => Promise<void>): Promise<boolean> {
    while (!signal.aborted) {
      const began = steadyMs();
      if (await this.take()) return true;
      await waits().catch(() => undefined);
      await untilTime(Math.max(50, this.#times.renewMs / 1.5 - (steadyMs() - began)), signal);
    }
    return false;
  }

  /**
   * Renews the lease until `end`. `lost` is called once, if another process has the lease. While the bus is
   * unavailable, `lost` is not called.
   */
  keep(lost: () => void): void {
    this.#timer = startTicks(() => void this.#renew(lost), this.#times.renewMs);
  }

  /** Stops renewing, and releases the lease if it is still ours. */
  async end(): Promise<void> {
    stopTimer(this.#timer);
    this.#timer = undefined;
    await this.#bus.connection.call('EVAL', GIVE_UP, 1, this.#key, this.#owner).catch(() => undefined);
  }

  async #renew(lost: () => void): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { leaseMs } = this.#times;
    const reply = await this.#bus.connection.call('EVAL', RENEW, 1, this.#key, this.#owner, leaseMs).catch(() => null);
    this.#isAsking = false;
    if (this.#timer === undefined) return;
    if (reply === -1) {
      stopTimer(this.#timer);
      this.#timer = undefined;
      lost();
    }
    if (reply === 0) await this.take(); // the lease ran out, for example because the bus began again without its data
  }
}

/** Settles after this many ms, or when `signal` aborts. */
export function untilTime(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
