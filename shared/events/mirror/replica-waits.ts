import { forgetOldest } from '../../base/forget-oldest.ts';
import { type Millis, millisBetween, type RedisTime } from '../../base/time.ts';
import type { Action } from '../action.ts';
import type { LockKind } from '../types/lock-kind.ts';
import type { ReplicaCommand } from '../types/replica-event.ts';

/** A script, as its connection sent it. */
export type SentScript = {
  readonly by: string;
  readonly at: RedisTime;
  readonly db: number;
  readonly actions: readonly Action[];
  /** The `seq` of the script's last event; undefined: it has none. */
  readonly seq: number | undefined;
};

/** A script that a thread ran on its lock. */
export type LockScript = Pick<SentScript, 'by' | 'db' | 'seq'> & {
  readonly sentAt: RedisTime;
  readonly lock: string;
  readonly kind: LockKind;
  readonly holder: string;
  readonly client: string;
  /** The latch of an unlock. */
  readonly latch: string | undefined;
};

/** A script whose client waits for replicas. */
export type ReplicaWait = LockScript & {
  readonly at: RedisTime;
  readonly command: ReplicaCommand;
  readonly replicas: number;
  readonly limitMs: Millis;
};

/** A client sends the script and its WAIT in one packet, so the server reads them within this time. */
const PIPELINED: Millis = 100;
const MOST_WAITS = 2000;
const MOST_CLIENTS = 2000;
/** A client that asks for the replicas before each script has the answer within this time. */
const ASKED_WITHIN: Millis = 3000;
/** After this long without a slow wait, a client's next slow wait begins a new series. */
const SERIES_ENDS_AFTER: Millis = 30_000;

/** Clients that wait until replicas have confirmed a script, by connection. */
export class ReplicaWaits {
  #script: SentScript | undefined;
  readonly #waits = new Map<string, ReplicaWait>();
  /** The connection of each unlock that is waited for, by its latch. */
  readonly #unlocks = new Map<string, string>();
  /** The present series of slow waits of each client. */
  readonly #slow = new Map<string, { readonly began: RedisTime; readonly last: RedisTime; readonly times: number }>();

  /**
   * When any client last asked for the replicas. If no client was seen to ask: the time of the first script with a
   * WAIT, whose client may have asked just before.
   */
  #askedAt: RedisTime | undefined;
  /** The clients of `hasWaitedUnasked`. */
  readonly #unasked = new Set<string>();

  noteScript(script: SentScript): void {
    this.#script = script;
  }

  /** The newest lock script of all connections, if this one sent it, and at most 100 ms before; otherwise undefined. */
  sentBefore(by: string, at: RedisTime): SentScript | undefined {
    const script = this.#script;
    return script?.by === by && millisBetween(script.at, at) <= PIPELINED ? script : undefined;
  }

  /** A client asks which replicas there are. */
  noteAsking(at: RedisTime): void {
    this.#askedAt = at;
  }

  /**
   * Whether this client once sent WAIT after a script although no client had asked for the replicas in the 3 s before:
   * such a client asks only if it must.
   */
  hasWaitedUnasked(client: string): boolean {
    return this.#unasked.has(client);
  }

  /** Notes that a connection waits for replicas. */
  begin(wait: ReplicaWait): void {
    const { by, client, latch, sentAt } = wait;
    this.#askedAt ??= sentAt;
    if (millisBetween(this.#askedAt, sentAt) > ASKED_WITHIN) {
      this.#unasked.add(client);
      forgetOldest(this.#unasked, MOST_CLIENTS);
    }
    this.#drop(by);
    this.#waits.set(by, wait);
    if (latch !== undefined) this.#unlocks.set(latch, by);
    forgetOldest(this.#waits, MOST_WAITS);
    forgetOldest(this.#unlocks, MOST_WAITS);
  }

  /** Removes and returns the wait after the unlock with this latch. */
  takeUnlock(latch: string): ReplicaWait | undefined {
    const by = this.#unlocks.get(latch);
    return by !== undefined && this.#waits.get(by)?.latch === latch ? this.#drop(by) : undefined;
  }

  /** Removes and returns the wait after this client's oldest unlock of a lock. */
  takeUnlockOf(client: string, db: number, lock: string): ReplicaWait | undefined {
    for (const [latch, by] of this.#unlocks) {
      const wait = this.#waits.get(by);
      if (wait?.client === client && wait.lock === lock && wait.db === db) return this.takeUnlock(latch);
    }
    return undefined;
  }

  /** Removes and returns this client's waits whose limit ended before `at`, by at most `slackOf` that limit. */
  takeEnded(client: string, at: RedisTime): ReplicaWait[] {
    const ended = [...this.#waits.values()].filter((wait) => wait.client === client && hasEnded(wait, at));
    for (const { by } of ended) this.#drop(by);
    return ended;
  }

  /** Counts a slow wait of this client. Returns when its present series began, and how many slow waits it has. */
  countSlow(client: string, at: RedisTime): { began: RedisTime; times: number } {
    const known = this.#slow.get(client);
    const { began, times } =
      known && millisBetween(known.last, at) <= SERIES_ENDS_AFTER ? known : { began: at, times: 0 };
    this.#slow.delete(client);
    this.#slow.set(client, { began, last: at, times: times + 1 });
    forgetOldest(this.#slow, MOST_CLIENTS);
    return { began, times: times + 1 };
  }

  /** Forgets all scripts and waits: not everything was seen. */
  forget(): void {
    this.#script = undefined;
    this.#askedAt = undefined;
    this.#waits.clear();
    this.#unlocks.clear();
  }

  #drop(by: string): ReplicaWait | undefined {
    const wait = this.#waits.get(by);
    this.#waits.delete(by);
    if (wait?.latch !== undefined) this.#unlocks.delete(wait.latch);
    return wait;
  }
}

/** The longest time between the limit of a wait and the client's next command. */
export function slackOf(limitMs: Millis): Millis {
  return limitMs / 2 + 100;
}

function hasEnded({ at: since, limitMs }: ReplicaWait, at: RedisTime): boolean {
  const ms = millisBetween(since, at);
  return limitMs > 0 && ms >= limitMs && ms <= limitMs + slackOf(limitMs);
}
