import type { Millis, RedisTime } from '../../base/time.ts';
import type { ClientDumps } from '../../dumps/client-dump.ts';
import { isOfSource, type LockEvent } from '../../events/event.ts';
import { type LockState, lockIdOf } from '../../state/lock-state.ts';
import type { KnownFacts } from '../../state/server-states.ts';
import type { ClientSight, DroppedEvents, SourceSight } from '../detector.ts';

/** Everything that a pass of the detectors may look at: one instant, live or past. */
export type PassInput = {
  readonly at: RedisTime;
  /**
   * True: the instant is past, and it is not known whether each source had been read by then. Absent: each watched
   * source has been read.
   */
  readonly isPast?: boolean;
  /** The instant by the clock of a source. */
  now(source: string): RedisTime;
  /** How each source is watched at that instant, by id. A source that is not watched maps to `undefined`. */
  readonly sources: ReadonlyMap<string, SourceSight | undefined>;
  /**
   * The lock with this id. `undefined`: it is not looked at, because it is neither held nor waited for, and nothing
   * else can be wrong with it.
   */
  lockOf(id: string): LockState | undefined;
  /** How old an event may be to be looked at. */
  readonly eventsWithinMs: Millis;
  /** The events of a lock that detectors want, oldest first. */
  eventsOf(lockId: string): readonly LockEvent[];
  /** The events that are missing, of any lock; undefined: none are. */
  readonly dropped?: DroppedEvents | undefined;
  /** The events of all locks of a source that detectors of sources want. */
  lockEventsOf(source: string): readonly LockEvent[];
  clientOf(source: string, client: string): ClientSight;
  /** What the server of a source reported about itself; undefined, or absent: not known. */
  serverOf?(source: string): KnownFacts | undefined;
  /** Thread dumps, by client. */
  readonly dumps: ClientDumps;
};

/**
 * What may be different since the previous pass. The state of a lock that is not in `locks` is the same object as
 * before.
 */
export type PassChanges = {
  /** Locks that changed, or whose wanted events did, by id. */
  readonly locks: Iterable<string>;
  /** Keys (`keyOf`) of clients that changed, for example connected or left. */
  readonly clients: ReadonlySet<string>;
  /** Sources about which there are new events, wanted by detectors. */
  readonly sources: ReadonlySet<string>;
  /** Sources whose locks have new events, wanted by detectors. */
  readonly lockEvents: ReadonlySet<string>;
};

/** The key under which the events of a whole source are grouped. */
function idOfSource(source: string): string {
  return lockIdOf({ source, db: 0, lock: '' });
}

/** The wanted events about a whole source. */
export function sourceEventsIn({ eventsOf }: Pick<PassInput, 'eventsOf'>, source: string): readonly LockEvent[] {
  return eventsOf(idOfSource(source)).filter(isOfSource);
}
