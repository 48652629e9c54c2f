import type { Outcome } from './client-process.ts';
import type { Occurrence } from './roster.ts';

/** One thread of the cast, such as `A1`: client A, thread 1. */
export type Role = `${'A' | 'B' | 'C'}${1 | 2 | 3}`;

/** One step: it is reached when this happened to this thread, or to this client, and all steps before it are reached. */
export type Step = {
  title: string;
  who: Role | 'A' | 'B' | 'C';
  happens: Occurrence['name'];
  /** Only this attempt of the wait. */
  attempt?: number;
  /** Only after a sleep that ended so. */
  wokenBy?: 'message' | 'own-timer';
};

/** How long a thread waits (`tryLock`), and a lease of its own instead of the watchdog's. */
export type Times = { waitMs?: number; leaseMs?: number };

/** What a scenario may do. Everything rejects once the scenario is stopped. */
export type Director = {
  lock(role: Role, times?: Times): Promise<Outcome>;
  tryLock(role: Role, times?: Times): Promise<Outcome>;
  unlock(role: Role): Promise<Outcome>;
  freeze(client: 'A' | 'B' | 'C'): Promise<void>;
  thaw(client: 'A' | 'B' | 'C'): Promise<void>;
  kill(client: 'A' | 'B' | 'C'): Promise<void>;
  /** Settles when the step is reached; steps count from 1. */
  reached(step: number): Promise<void>;
  /** Leaves the audience time to look. */
  pause(ms: number): Promise<void>;
};

/** A play for real clients: what must happen in which order, and what is asked of whom. */
export type ScenarioScript = {
  id: string;
  title: string;
  summary: string;
  lock: string;
  steps: readonly Step[];
  play(director: Director): Promise<void>;
};
