import { forgetOldest } from '../../base/forget-oldest.ts';
import { type Millis, millisBetween, type RedisTime } from '../../base/time.ts';
import type { LockKind } from '../types/lock-kind.ts';
import type { ReplicaCommand } from '../types/replica-event.ts';

/** A script of a lock, as its client sent it. */
export type LockScript = {
  readonly by: string;
  readonly at: RedisTime;
  readonly db: number;
  readonly lock: string;
  readonly kind: LockKind;
  readonly holder: string;
  readonly client: string;
  /** The latch of an unlock. */
  readonly latch: string | undefined;
  /** `seq` of its last event; undefined: it had none. */
  readonly seq: number | undefined;
};

/** A script whose client waits for replicas. */
export type ReplicaWait = LockScript & {
  readonly command: ReplicaCommand;
  readonly replicas: number;
  readonly limitMs: Millis;
};

/** Client and server send both commands in one packet. */
const PIPELINED: Millis = 100;
const MOST_WAITS = 2000;
const MOST_CLIENTS = 2000;
/** A client that asks before each script has its answer within this time. */
const ASKED: Millis = 3000;
/** After this long without a slow wait, a client's next one is its first again. */
const PAUSE: Millis = 30_000;

/** Clients that wait until replicas have confirmed a script, by connection. */
export class ReplicaWaits {
  #script: LockScript | undefined;
  readonly #waits = new Map<string, ReplicaWait>();
  /** The slow waits of each client. */
  readonly #slow = new Map<string, { readonly began: RedisTime; readonly last: RedisTime; readonly times: number }>();

  /** When a client last asked for the replicas, or the time of the first script that was seen: one may have asked just before. */
  #askedAt: RedisTime | undefined;
  readonly #unasked = new Set<string>();

  noteScript(script: LockScript): void {
    this.#askedAt ??= script.at;
    this.#script = script;
  }

  /** A client asks which replicas there are. */
  noteAsking(at: RedisTime): void {
    this.#askedAt = at;
  }

  /** Whether this client once waited after a script before which it had not asked: it asks only if it must. */
  hasWaitedUnasked(client: string): boolean {
    return this.#unasked.has(client);
  }

  /** The connection waits for replicas. Returns the wait; undefined if it did not send a lock's script right before. */
  begin(
    by: string,
    at: RedisTime,
    wait: Pick<ReplicaWait, 'command' | 'replicas' | 'limitMs'>,
  ): ReplicaWait | undefined {
    const script = this.#script;
    if (script?.by !== by || millisBetween(script.at, at) > PIPELINED) return undefined;
    if (this.#askedAt !== undefined && millisBetween(this.#askedAt, script.at) > ASKED) {
      this.#unasked.add(script.client);
      forgetOldest(this.#unasked, MOST_CLIENTS);
    }
    const begun = { ...script, ...wait, at };
    this.#waits.delete(by);
    this.#waits.set(by, begun);
    forgetOldest(this.#waits, MOST_WAITS);
    return begun;
  }

  /** Takes out the wait after the unlock with this latch. */
  takeUnlock(latch: string): ReplicaWait | undefined {
    return this.#take((wait) => wait.latch === latch);
  }

  /** Takes out the wait after this client's oldest unlock of a lock. */
  takeUnlockOf(client: string, db: number, lock: string): ReplicaWait | undefined {
    return this.#take(
      (wait) => wait.latch !== undefined && wait.client === client && wait.lock === lock && wait.db === db,
    );
  }

  /** Takes out this client's waits whose limit ended a moment before. */
  takeEnded(client: string, at: RedisTime): ReplicaWait[] {
    const ended = [...this.#waits.values()].filter((wait) => wait.client === client && hasEnded(wait, at));
    for (const { by } of ended) this.#waits.delete(by);
    return ended;
  }

  /** Counts a slow wait of this client. */
  countSlow(client: string, at: RedisTime): { began: RedisTime; times: number } {
    const known = this.#slow.get(client);
    const { began, times } = known && millisBetween(known.last, at) <= PAUSE ? known : { began: at, times: 0 };
    this.#slow.delete(client);
    this.#slow.set(client, { began, last: at, times: times + 1 });
    forgetOldest(this.#slow, MOST_CLIENTS);
    return { began, times: times + 1 };
  }

  forget(): void {
    this.#script = undefined;
    this.#askedAt = undefined;
    this.#waits.clear();
  }

  #take(isIt: (wait: ReplicaWait) => boolean): ReplicaWait | undefined {
    for (const [by, wait] of this.#waits) {
      if (!isIt(wait)) continue;
      this.#waits.delete(by);
      return wait;
    }
    return undefined;
  }
}

/** How long after its limit a client goes on at the latest. */
export function slackOf(limitMs: Millis): Millis {
  return limitMs / 2 + 100;
}

function hasEnded({ at: since, limitMs }: ReplicaWait, at: RedisTime): boolean {
  const ms = millisBetween(since, at);
  return limitMs > 0 && ms >= limitMs && ms <= limitMs + slackOf(limitMs);
}
