import type { RedisTime } from '../base/time.ts';
import type { PushSignal } from '../signals/signal.ts';
import type { Certainty, EventDetail } from './event.ts';
import type { Clients } from './mirror/clients.ts';
import type { LockKey, LockKeys } from './mirror/lock-keys.ts';
import type { OwnLocks } from './mirror/own-locks.ts';
import type { Waiters } from './mirror/waiters.ts';
import type { LockKind } from './types/lock-kind.ts';
import type { FailoverHow } from './types/watch-event.ts';

/**
 * What an applier works on: everything remembered about one Redis, and where events go.
 *
 * The interpreter is one. Appliers know this type only, so that nobody imports in a circle.
 */
export type Context = {
  /** What Redis must hold. */
  readonly keys: LockKeys;
  /** Who waits. */
  readonly waits: Waiters;
  /** Which connection is whose. */
  readonly clients: Clients;
  /** Counts the stretches of watching: a belief from an earlier one may be out of date without being wrong. */
  readonly watchEpoch: number;
  /** The newest failover: what it lost may come to light long after it. */
  readonly failover: Failover | undefined;
  /** Whether the commands themselves are seen, or only what they leave behind. */
  readonly hasCommands: boolean;
  /** Whether key events tell what plain commands did: then one that caused none did nothing. */
  hearsChanges: boolean;
  /** Whether messages of releases come by: where they do not, a key that is gone says nothing of why. */
  readonly hearsMessages: boolean;
  /** Libraries whose own scripts were seen here: what looks like theirs is. */
  readonly libraries: Set<string>;
  /** Whether somebody asked for a key of this name to be shown as a lock. */
  readonly isNamed: (name: string) => boolean;
  /** Keys that look like an application's own locks. */
  readonly ownLocks: OwnLocks;
  /** Asks for a read of this key, which may hold something else than we believe. */
  readonly onDoubt: (key: LockKey) => void;
  /** Adds an event and gives back its `seq`. */
  emit(about: About, detail: EventDetail): number;
};

/** A change of the server that is watched. */
export type Failover = {
  readonly seq: number;
  readonly how: FailoverHow;
  /** The last stretch in which the server before was watched. */
  readonly watchEpoch: number;
  /** Null: not known. */
  readonly replicatedUntil: RedisTime | null;
};

/** What an event is about, beyond its detail. */
export type About = {
  readonly db: number;
  readonly lock: string;
  readonly kind: LockKind;
  readonly at: RedisTime;
  readonly certainty?: Certainty;
  readonly by?: string | undefined;
  readonly because?: readonly (number | undefined)[];
};

/** Where an action comes from. */
export type Origin = {
  readonly db: number;
  /** Address of the client; undefined where nobody is known. */
  readonly by: string | undefined;
  /** `seq` of the release that the same script told before. */
  readonly released: number | undefined;
  /** The script is the one that spin locks acquire with, as plain locks did until 3.18.1. */
  readonly isSpinScript?: boolean;
  /** What the command caused, where it was a plain one. */
  readonly pushes?: readonly PushSignal[];
};
