import type { Due } from './event-queue.ts';

/**
 * One process of the simulation: a client, Lockscope, or a server. While it is frozen (SIGSTOP), nothing of it runs.
 * After it is thawed, its timers run first, and then what has arrived is read, as in Node.
 */
export class SimulatedProcess {
  /** The address of the machine on which the process runs. */
  readonly ip: string;
  isFrozen = false;
  /** False after SIGKILL: the process no longer runs anything. */
  isAlive = true;
  /** How far the wall clock of the process is ahead of the simulated time, in ms. */
  aheadMs = 0;
  /** What became due while the process was frozen. */
  held: Due[] = [];

  constructor(ip = '127.0.0.1') {
    this.ip = ip;
  }
}
