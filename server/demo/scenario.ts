import type { DemoKind, ThreadAction } from '../../shared/wire/demo.ts';
import type { GroupAction, GroupMember, LocalAction } from './client/protocol.ts';
import type { Outcome } from './client-process.ts';
import type { Occurrence } from './demo-clients.ts';
import type { ServerSpec } from './scenario-servers.ts';

/** One thread, for example `A1`: client A, thread 1. */
export type Role = `${'A' | 'B' | 'C'}${1 | 2 | 3}`;

/** One step. It is reached once `happens` has happened to `who`, and all steps before it are reached. */
export type Step = {
  title: string;
  who: Role | 'A' | 'B' | 'C' | 'anybody' | 'server';
  happens: Occurrence['name'];
  /** Only this attempt of the call, counted from 1. */
  attempt?: number;
  /** Only after a sleep that ended this way. */
  wokenBy?: 'message' | 'own-timer';
  /** Only for this lock; absent: for any lock of the scenario. */
  lock?: string;
  /** How often it must happen; absent: once. */
  times?: number;
};

/** Options of an operation: time limit, lease (absent: the watchdog's), and another lock than the scenario's first. */
export type Times = {
  waitMs?: number;
  leaseMs?: number;
  lock?: string;
  /** Absent: the scenario's own. */
  kind?: DemoKind;
  /** Number of permits, or the count of a latch. */
  permits?: number;
  /** Fair lock: how long a waiter may stay in the queue after its turn could have come, in ms. */
  queueMs?: number;
  /** URL of a server of the scenario; absent: the demo's own. */
  server?: string;
};

/** What a scenario may do. Every promise rejects once the scenario is stopped. */
export type Director = {
  lock(role: Role, times?: Times): Promise<Outcome>;
  tryLock(role: Role, times?: Times): Promise<Outcome>;
  unlock(role: Role, at?: Pick<Times, 'lock' | 'kind' | 'server'>): Promise<Outcome>;
  /** Any other operation of a thread. */
  ask(role: Role, action: ThreadAction, times?: Times): Promise<Outcome>;
  /** Acquires or releases several locks as one. */
  group(role: Role, action: GroupAction, call: { members: GroupMember[]; mostRefused?: number }): Promise<Outcome>;
  /** An operation on a lock in the client's own memory, not in Redis. */
  local(role: Role, action: LocalAction, at: { lock: string; waitMs?: number }): Promise<Outcome>;
  /** Ends every wait of the client with an exception. */
  interrupt(client: 'A' | 'B' | 'C'): Promise<void>;
  /** URL of a private server of the scenario. Servers count from 1. */
  serverUrl(n: number): string;
  killServer(n: number): Promise<void>;
  /** Cuts a replica off from its master. */
  cutLink(n: number): Promise<void>;
  /** Makes a replica the master and redirects the clients to it. */
  promote(n: number): Promise<void>;
  freeze(client: 'A' | 'B' | 'C'): Promise<void>;
  thaw(client: 'A' | 'B' | 'C'): Promise<void>;
  kill(client: 'A' | 'B' | 'C'): Promise<void>;
  /** Settles when the step is reached; steps count from 1. */
  reached(step: number): Promise<void>;
  /** Waits, so that viewers can follow. */
  pause(ms: number): Promise<void>;
};

/** A scenario: the steps that must happen, in order, and the operations that make them happen. */
export type ScenarioScript = {
  id: string;
  title: string;
  summary: string;
  lock: string;
  /** Absent: a plain lock. */
  kind?: DemoKind;
  /** Further locks of the scenario, in the order to show them. */
  otherLocks?: readonly string[];
  /**
   * Private servers for the run: started before it and watched, until the next scenario starts or this one is stopped.
   */
  servers?: readonly ServerSpec[];
  /** Locks in the memory of a client. */
  localLocks?: readonly { client: 'A' | 'B' | 'C'; name: string }[];
  steps: readonly Step[];
  play(director: Director): Promise<void>;
};

/** Every lock in Redis that a scenario uses, its main lock first. */
export function locksOf({ lock, otherLocks = [] }: Pick<ScenarioScript, 'lock' | 'otherLocks'>): readonly string[] {
  return [lock, ...otherLocks];
}
