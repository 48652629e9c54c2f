import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { clientOf, parseHolder } from '../../../shared/events/names/names.ts';
import { nameInId } from '../../../shared/state/lock-state.ts';
import type { Demo, DemoFault, DemoGroupOperation, DemoReport, DemoServerFault } from '../../../shared/wire/demo.ts';

/** One client of the demo: its letter, its name, and the uuid of every process that played it. */
export type CastMember = { readonly id: string; readonly name: string; readonly uuids: readonly string[] };

/** One lock on the stage. The same name on several servers is several locks. */
export type StageLock = {
  readonly name: string;
  /** The server it is on; null: any. */
  readonly source: string | null;
};

/** A private server of the scenario. */
type StageServer = {
  /** The source that watches it. */
  readonly source: string;
  /** The name on the page: `Redis 1`. */
  readonly name: string;
  /** The name of the master it replicates. The master and its replica have the same source. */
  readonly copyOf?: string | undefined;
};

/** The input of the stage: the events of its locks since the run began, and what the demo reported meanwhile. */
export type StageRun = {
  /** Id of the scenario; null if the user drives the threads by hand. */
  readonly scenario: string | null;
  readonly lock: string;
  /** Every lock of the stage, in its order; `lock` is the name of the first. */
  readonly locks: readonly StageLock[];
  /** Private servers of the scenario; empty: everything is on the demo's own Redis. */
  readonly servers: readonly StageServer[];
  /** The run's beginning: second 0 of the stage. */
  readonly from: RedisTime;
  /** The lease that watchdogs renew; a hold with another lease is never renewed. Null: not known. */
  readonly watchdogMs: number | null;
  readonly cast: readonly CastMember[];
  /** In order of `seq`; if the locks are on several servers, in order of time. */
  readonly events: readonly LockEvent[];
  /** Oldest first. */
  readonly faults: readonly DemoFault[];
  /** Locks in a client's own memory. */
  readonly localLocks: NonNullable<Demo['localLocks']>;
  /** What clients reported about locks in their own memory and about refused groups; oldest first. */
  readonly clientReports: readonly DemoReport[];
  /** Faults of the scenario's servers; oldest first. */
  readonly serverFaults: readonly DemoServerFault[];
  /** Calls over several locks; oldest first. */
  readonly groupOperations: readonly DemoGroupOperation[];
};

/** The run before anything is known. */
export const NO_RUN: StageRun = {
  scenario: null,
  lock: '',
  locks: [],
  servers: [],
  localLocks: [],
  clientReports: [],
  serverFaults: [],
  groupOperations: [],
  from: redisTime(0),
  watchdogMs: null,
  cast: [],
  events: [],
  faults: [],
};

/** One thread on the stage. `letter` is unique: `A`, and `A2` for a client's second thread. */
type Actor = { readonly client: string; readonly thread: string; readonly letter: string };

/**
 * The thread with a holder id. An unknown client gets the first four characters of its id as letter. Holders of permits
 * and latches have no thread in their id, only the name of the client's connection: they are thread 1.
 */
export function actorOf(run: Pick<StageRun, 'cast'>, holder: string): Actor {
  const uuid = clientOf(holder);
  const thread = parseHolder(holder)?.thread ?? '1';
  const member = run.cast.find(({ uuids, name }) => uuids.includes(uuid) || name === holder);
  const client = member?.id ?? uuid.slice(0, 4);
  return { client, thread, letter: thread === '1' ? client : `${client}${thread}` };
}

/** True if a hold with this lease seems to have a watchdog. If the watchdog's lease is not known, any lease counts. */
export function hasWatchdog(run: Pick<StageRun, 'watchdogMs'>, leaseMs: number | null): boolean {
  return leaseMs !== null && (run.watchdogMs === null || leaseMs === run.watchdogMs);
}

/** The key of a lock on the stage: its name, with its source if that is set. */
export function keyOfLock({ name, source }: StageLock): string {
  return source === null ? name : `${source}/${name}`;
}

/** The key of the lock of an event; null if that lock is not on the stage. */
export function lockOfEvent(run: Pick<StageRun, 'locks'>, event: Pick<LockEvent, 'lock' | 'source'>): string | null {
  const lock = run.locks.find(
    ({ name, source }) => name === event.lock && (source === null || source === event.source),
  );
  return lock ? keyOfLock(lock) : null;
}

/** The name of a lock on the stage. If several locks have the same name, the name of the server. */
export function nameOnStage(run: Pick<StageRun, 'locks' | 'servers'>, lock: StageLock): string {
  if (new Set(run.locks.map(({ name }) => name)).size === run.locks.length) return lock.name;
  return run.servers.find(({ source }) => source === lock.source)?.name ?? keyOfLock(lock);
}

export function lockOfId(run: Pick<StageRun, 'locks'>, id: string): StageLock | undefined {
  return run.locks.find(
    ({ name, source }) => nameInId(id) === name && (source === null || id.startsWith(`${source}/`)),
  );
}
