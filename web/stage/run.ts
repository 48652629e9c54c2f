import type { RedisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { clientOf, parseHolder } from '../../shared/events/names.ts';
import type { DemoFault } from '../../shared/wire/demo.ts';

/** One client of the demo: its letter, its name, and the uuid of every process that played it. */
export type CastMember = { readonly id: string; readonly name: string; readonly uuids: readonly string[] };

/** Everything the stage tells: the events of one lock since a run began, and what was done to processes meanwhile. */
export type StageRun = {
  /** Id of the scenario; null when threads are only driven by hand. */
  readonly scenario: string | null;
  readonly lock: string;
  /** The run's beginning: second 0 of the stage. */
  readonly from: RedisTime;
  /** The lease the watchdogs keep; a hold with another one is never renewed. Null: not known. */
  readonly watchdogMs: number | null;
  readonly cast: readonly CastMember[];
  /** In order of `seq`. */
  readonly events: readonly LockEvent[];
  /** Oldest first. */
  readonly faults: readonly DemoFault[];
};

/** One thread on the stage. `letter` tells it apart: `A`, and `A2` for a client's second thread. */
export type Actor = { readonly client: string; readonly thread: string; readonly letter: string };

/** Who a holder id is on this stage; strangers keep the beginning of their id. */
export function actorOf(run: Pick<StageRun, 'cast'>, holder: string): Actor {
  const uuid = clientOf(holder);
  const thread = parseHolder(holder)?.thread ?? '1';
  const client = run.cast.find(({ uuids }) => uuids.includes(uuid))?.id ?? uuid.slice(0, 4);
  return { client, thread, letter: thread === '1' ? client : `${client}${thread}` };
}

/** True when a hold with this lease is kept alive by a watchdog, as far as its lease tells. */
export function hasWatchdog(run: Pick<StageRun, 'watchdogMs'>, leaseMs: number | null): boolean {
  return leaseMs !== null && (run.watchdogMs === null || leaseMs === run.watchdogMs);
}
