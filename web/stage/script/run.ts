import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { clientOf, parseHolder } from '../../../shared/events/names/names.ts';
import type { Demo, DemoFault, DemoGroupOperation, DemoServerFault, DemoTelling } from '../../../shared/wire/demo.ts';
import { nameOfLock } from '../../timeline/layout/rows.ts';

/** One client of the demo: its letter, its name, and the uuid of every process that played it. */
export type CastMember = { readonly id: string; readonly name: string; readonly uuids: readonly string[] };

/** One lock on the stage. The same name on several servers is several locks. */
export type StageLock = {
  readonly name: string;
  /** Null: wherever it is. */
  readonly source: string | null;
};

/** A private server of the scenario. */
export type StageServer = {
  /** The source that watches it. */
  readonly source: string;
  /** What people call it: `Redis 1`. */
  readonly name: string;
  /** The master it copies, by its name; both have one source. */
  readonly copyOf?: string | undefined;
};

/** Everything the stage tells: the events of its locks since a run began, and what was done to processes meanwhile. */
export type StageRun = {
  /** Id of the scenario; null when threads are only driven by hand. */
  readonly scenario: string | null;
  readonly lock: string;
  /** Every lock of the scenario, in the order they stand in; `lock` is the first. */
  readonly locks: readonly StageLock[];
  /** Servers the scenario brought with it; none: all of it is on the demo's own Redis. */
  readonly servers: readonly StageServer[];
  /** The run's beginning: second 0 of the stage. */
  readonly from: RedisTime;
  /** The lease the watchdogs keep; a hold with another one is never renewed. Null: not known. */
  readonly watchdogMs: number | null;
  readonly cast: readonly CastMember[];
  /** In order of `seq`. */
  readonly events: readonly LockEvent[];
  /** Oldest first. */
  readonly faults: readonly DemoFault[];
  /** Locks in a client's own memory. */
  readonly localLocks: NonNullable<Demo['localLocks']>;
  /** What clients told of those; oldest first. */
  readonly tellings: readonly DemoTelling[];
  /** What was done to the scenario's servers; oldest first. */
  readonly serverFaults: readonly DemoServerFault[];
  /** Calls over several locks; oldest first. */
  readonly groupOperations: readonly DemoGroupOperation[];
};

/** Before anything is known. */
export const NO_RUN: StageRun = {
  scenario: null,
  lock: '',
  locks: [],
  servers: [],
  localLocks: [],
  tellings: [],
  serverFaults: [],
  groupOperations: [],
  from: redisTime(0),
  watchdogMs: null,
  cast: [],
  events: [],
  faults: [],
};

/** One thread on the stage. `letter` tells it apart: `A`, and `A2` for a client's second thread. */
export type Actor = { readonly client: string; readonly thread: string; readonly letter: string };

/**
 * Who a holder id is on this stage; strangers keep the beginning of their id. Permits and latches name no thread, only
 * the client's connection.
 */
export function actorOf(run: Pick<StageRun, 'cast'>, holder: string): Actor {
  const uuid = clientOf(holder);
  const thread = parseHolder(holder)?.thread ?? '1';
  const member = run.cast.find(({ uuids, name }) => uuids.includes(uuid) || name === holder);
  const client = member?.id ?? uuid.slice(0, 4);
  return { client, thread, letter: thread === '1' ? client : `${client}${thread}` };
}

/** True when a hold with this lease is kept alive by a watchdog, as far as its lease tells. */
export function hasWatchdog(run: Pick<StageRun, 'watchdogMs'>, leaseMs: number | null): boolean {
  return leaseMs !== null && (run.watchdogMs === null || leaseMs === run.watchdogMs);
}

/** What tells a lock of the stage from the others. */
export function keyOfLock({ name, source }: StageLock): string {
  return source === null ? name : `${source}/${name}`;
}

/** The key of the lock an event is about; null: of none on the stage. */
export function lockOfEvent(run: Pick<StageRun, 'locks'>, event: Pick<LockEvent, 'lock' | 'source'>): string | null {
  const lock = run.locks.find(
    ({ name, source }) => name === event.lock && (source === null || source === event.source),
  );
  return lock ? keyOfLock(lock) : null;
}

/** How the stage calls a lock: by its name, and by its server where the name is the same on several. */
export function nameOnStage(run: Pick<StageRun, 'locks' | 'servers'>, lock: StageLock): string {
  if (new Set(run.locks.map(({ name }) => name)).size === run.locks.length) return lock.name;
  return run.servers.find(({ source }) => source === lock.source)?.name ?? keyOfLock(lock);
}

/** The lock of the stage with this id. */
export function lockOfId(run: Pick<StageRun, 'locks'>, id: string): StageLock | undefined {
  return run.locks.find(
    ({ name, source }) => nameOfLock(id) === name && (source === null || id.startsWith(`${source}/`)),
  );
}
