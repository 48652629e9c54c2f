import type { Millis, RedisTime } from '../base/time.ts';
import type { PushSignal } from '../signals/signal.ts';
import type { Certainty, EventDetail } from './event.ts';
import type { Clients } from './mirror/clients/clients.ts';
import type { Waiters } from './mirror/clients/waiters.ts';
import type { LockKey } from './mirror/lock-key.ts';
import type { LockKeys } from './mirror/lock-keys.ts';
import type { PlainHashes } from './mirror/plain-hashes.ts';
import type { ReplicaWaits } from './mirror/replica-waits.ts';
import type { StrangeLocks } from './mirror/strange-locks.ts';
import type { LongTokens } from './mirror/tokens/long-tokens.ts';
import type { OwnLocks } from './mirror/tokens/own-locks.ts';
import type { OwnScripts } from './mirror/tokens/own-scripts.ts';
import type { SeveralKeys } from './mirror/tokens/several-keys.ts';
import type { UnlockTracker } from './mirror/unlock-tracker.ts';
import type { LockKind } from './types/lock-kind.ts';
import type { FailoverHow } from './types/watch-event.ts';

/**
 * What an applier works on: everything remembered about one Redis, and `emit`, which adds an event.
 *
 * The interpreter implements it. Appliers import this type only, which avoids circular imports.
 */
export type Context = {
  /** What Redis must hold, as far as we know. */
  readonly keys: LockKeys;
  readonly waits: Waiters;
  /** Which connection belongs to which client. */
  readonly clients: Clients;
  /**
   * Rises by one after each blind spot. What was known in an earlier epoch may be out of date without being a mistake.
   */
  readonly watchEpoch: number;
  /** When the newest blind spot that has ended began; undefined: none has ended. */
  readonly blindFrom: RedisTime | undefined;
  /** When the blind spot that began at `blindFrom` ended. */
  readonly blindTo: RedisTime | undefined;
  /** The time since which Redis has been watched this way, without a blind spot; undefined: the next step shows it. */
  readonly watchedFrom: RedisTime | undefined;
  /** The newest failover: a hold that it lost may be noticed long after it. */
  readonly failover: Failover | undefined;
  /** Whether commands are seen (MONITOR), or only their effects. */
  readonly hasCommands: boolean;
  /** Whether key events show what plain commands did. Then a command without a key event changed nothing. */
  hearsChanges: boolean;
  /** Whether Redis publishes the end of each lease. If it does, a command before that event still found the key. */
  hearsEnds: boolean;
  /**
   * Whether Redis publishes deletions. If it does, a key whose value is set without a deletion before was never gone,
   * so no client acquired the lock.
   */
  hearsDeletions: boolean;
  /** Whether this server is known to have SET IFEQ: MONITOR shows such a SET even if Redis rejects it. */
  hasIfEqual: boolean;
  /** Whether release messages are received. Without them, a missing key does not show why it is gone. */
  readonly hearsMessages: boolean;
  /** By how much Redis's clock is behind the times of the steps, in ms. */
  readonly clockBehindMs: Millis;
  /** Libraries that were certainly seen to be used here: a key that looks like a lock of theirs is one. */
  readonly libraries: Set<string>;
  /** Whether the user asked to show a key with this name as a lock. */
  readonly isNamed: (name: string) => boolean;
  /** Keys that look like an application's own locks. */
  readonly ownLocks: OwnLocks;
  /** Locks that have several keys. */
  readonly severalKeys: SeveralKeys;
  /** Hashes in which plain commands wrote holders. */
  readonly plainHashes: PlainHashes;
  /** Keys that look like locks of a form that is not understood. */
  readonly strangeLocks: StrangeLocks;
  /** What an application's own scripts were seen to do. */
  readonly ownScripts: OwnScripts;
  /** Holds of tokens that no lease will end soon. */
  readonly longTokens: LongTokens;
  /** Unlocks whose client may not have its answer yet. */
  readonly unlocks: UnlockTracker;
  /** Clients that wait until replicas have confirmed a script. */
  readonly replicaWaits: ReplicaWaits;
  /** Requests a read of this key, whose content may differ from the mirror. */
  readonly onDoubt: (key: LockKey) => void;
  /** Adds an event and returns its `seq`. */
  emit(about: About, detail: EventDetail): number;
};

/** A change of the server that is watched. */
export type Failover = {
  readonly seq: number;
  readonly how: FailoverHow;
  /** The last watch epoch of the previous server. */
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
  readonly library?: string;
};

/** The origin of an action: its database, client and script. */
export type Origin = {
  readonly db: number;
  /** Address of the client; undefined if it is not known. */
  readonly by: string | undefined;
  /** `seq` of the event that reports what the same script released before this action; undefined: nothing. */
  readonly released: number | undefined;
  /** `seq` of the event that reports the unlock of the same script: a release, a partial release or a refusal. */
  readonly unlocked?: number | undefined;
  /** The script acquires spin locks; plain locks used it as well until 3.18.1. */
  readonly isSpinScript?: boolean;
  /** The keys and arguments of an unknown script, among them a value that it may compare. */
  readonly compared?: readonly string[];
  /** The key events that the command or the script caused. */
  readonly pushes?: readonly PushSignal[];
};
