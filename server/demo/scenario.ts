import type { DemoKind, ThreadAction } from '../../shared/wire/demo.ts';
import type { GroupAction, GroupMember, LocalAction } from './client/protocol.ts';
import type { Outcome } from './client-process.ts';
import type { Occurrence } from './roster.ts';
import type { ServerWish } from './scenario-servers.ts';

/** One thread of the cast, such as `A1`: client A, thread 1. */
export type Role = `${'A' | 'B' | 'C'}${1 | 2 | 3}`;

/** One step: it is reached when this happened to this thread, or to this client, and all steps before it are reached. */
export type Step = {
  title: string;
  who: Role | 'A' | 'B' | 'C' | 'anybody' | 'server';
  happens: Occurrence['name'];
  /** Only this attempt of the wait. */
  attempt?: number;
  /** Only after a sleep that ended so. */
  wokenBy?: 'message' | 'own-timer';
  /** Only at this lock; absent: at any of the scenario. */
  lock?: string;
  /** Reached when it happened this often; absent: once. */
  times?: number;
};

/** How long a thread waits (`tryLock`), and a lease of its own instead of the watchdog's; at another lock of the scenario. */
export type Times = {
  waitMs?: number;
  leaseMs?: number;
  lock?: string;
  /** Absent: the scenario's own. */
  kind?: DemoKind;
  /** How many permits, or the count of a latch. */
  permits?: number;
  /** Fair lock: how long a waiter may stand in the queue. */
  queueMs?: number;
  /** URL of a server of the scenario; absent: the demo's own. */
  server?: string;
};

/** What a scenario may do. Everything rejects once the scenario is stopped. */
export type Director = {
  lock(role: Role, times?: Times): Promise<Outcome>;
  tryLock(role: Role, times?: Times): Promise<Outcome>;
  unlock(role: Role, at?: Pick<Times, 'lock' | 'kind' | 'server'>): Promise<Outcome>;
  /** Anything else that a thread can do. */
  ask(role: Role, action: ThreadAction, times?: Times): Promise<Outcome>;
  /** Takes or gives back several locks as one. */
  group(role: Role, action: GroupAction, of: { members: GroupMember[]; mayFail?: number }): Promise<Outcome>;
  /** The same for a lock in the client's own memory, which Redis knows nothing of. */
  local(role: Role, action: LocalAction, at: { lock: string; waitMs?: number }): Promise<Outcome>;
  /** Ends every wait of the client with an exception. */
  interrupt(client: 'A' | 'B' | 'C'): Promise<void>;
  /** Servers of the scenario's own; they count from 1. */
  serverUrl(n: number): string;
  killServer(n: number): Promise<void>;
  /** A copy hears nothing of its master any more. */
  cutLink(n: number): Promise<void>;
  /** A copy becomes the master, and clients are led to it. */
  promote(n: number): Promise<void>;
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
  /** Absent: a plain lock. */
  kind?: DemoKind;
  /** Further locks it plays with, in the order they should stand in. */
  otherLocks?: readonly string[];
  /** Private servers it needs: started for the run, watched, and removed after it. */
  servers?: readonly ServerWish[];
  /** Locks in the memory of a client. */
  localLocks?: readonly { client: 'A' | 'B' | 'C'; name: string }[];
  steps: readonly Step[];
  play(director: Director): Promise<void>;
};

/** Every lock in Redis a scenario plays with, the first one first. */
export function locksOf({ lock, otherLocks = [] }: Pick<ScenarioScript, 'lock' | 'otherLocks'>): readonly string[] {
  return [lock, ...otherLocks];
}
