import { forgetOldest } from '../../base/forget-oldest.ts';
import { type Millis, plusMillis, type RedisTime } from '../../base/time.ts';
import type { Counts, Denial, ServerFacts, ServerSignal } from '../../signals/server-signal.ts';
import type { About, Context } from '../context.ts';

/** While the same errors go on, they are reported at most this often. */
const AGAIN_AFTER_MS: Millis = 10_000;
/** After a pause longer than this, the same error counts as a new one. */
const FAILS_FOR_MS: Millis = 20_000;
/** After a pause longer than this, the same denial counts as a new one. */
const DENIED_FOR_MS: Millis = 600_000;
/** The same denial is reported at most this often. */
const DENIED_AGAIN_MS: Millis = 60_000;
const MOST_RUNS = 1000;
/** This many errors of a usual kind since their last report are unusual. */
const UNUSUALLY_MANY = 100;
/**
 * Errors in normal operation: the first use of a script, the probes of clients and exporters, a cluster client that
 * learns where the slots are. Alone, they are reported only in large numbers. NOPERM is also reported if Redis refused
 * a command that locks need, and ERR if a script failed and PUBLISH was refused: the script may not publish.
 */
const USUAL = new Set(['NOSCRIPT', 'ERR', 'MOVED', 'ASK', 'TRYAGAIN', 'LOADING', 'NOPERM']);
const COMMANDS_OF_LOCKS = ['eval', 'evalsha', 'publish', 'spublish', 'subscribe', 'ssubscribe'];

type Pending = { since: RedisTime; errors: Counts; rejected: Counts; failed: Counts; evicted: number; used?: number };

/** Remembers what a server reported last, and collects the errors that it returns into few events. */
export class ServerReports {
  readonly #to: Pick<Context, 'emit'>;
  #facts: ServerFacts | undefined;
  #pending: Pending | undefined;
  /** When each error, by its name, and each denial, by its key, was last in an event. */
  readonly #reportedAt = new Map<string, RedisTime>();
  /** The time since which each error or denial has been repeated without a long pause, and its last occurrence. */
  readonly #runs = new Map<string, { readonly began: RedisTime; readonly last: RedisTime }>();

  constructor(to: Pick<Context, 'emit'>) {
    this.#to = to;
  }

  /** The newest facts; undefined: nothing was reported since the last failover. */
  get facts(): ServerFacts | undefined {
    return this.#facts;
  }

  /** Forgets what was reported, because another server answers. */
  displace(): void {
    this.#facts = undefined;
    this.#pending = undefined;
    this.#reportedAt.clear();
    this.#runs.clear();
  }

  take(signal: ServerSignal): void {
    const { at, facts, denied = [], stoodStill } = signal;
    if (facts && !isSame(facts, this.#facts)) {
      this.#facts = facts;
      this.#to.emit(about(at), { type: 'server.reported', ...facts });
    }
    if (stoodStill) {
      const { by, ...still } = stoodStill;
      const isGuess = still.shownBy === 'clients' || (still.shownBy === 'pause' && !still.isOfWrites);
      const certainty = isGuess ? 'inferred' : 'observed';
      this.#to.emit({ ...about(at), by, certainty }, { type: 'server.stood-still', ...still });
    }
    for (const denial of denied) this.#deny(denial, at);
    this.#collect(signal);
    this.passTime(at);
  }

  /** Reports the collected errors, if they are due. */
  passTime(at: RedisTime): void {
    const pending = this.#pending;
    if (!pending || !this.#isDue(pending, at)) return;
    this.#pending = undefined;
    const { since, errors, rejected, failed, evicted, used } = pending;
    for (const name of Object.keys(errors)) this.#reportedAt.set(name, at);
    this.#to.emit(about(at), {
      type: 'server.refused',
      errors,
      since,
      began: Object.fromEntries(Object.keys(errors).map((name) => [name, this.#runs.get(name)?.began ?? since])),
      ...(isEmpty(rejected) ? undefined : { rejected }),
      ...(isEmpty(failed) ? undefined : { failed }),
      ...(evicted === 0 ? undefined : { evicted }),
      ...(used === undefined ? undefined : { usedMemoryBytes: used }),
    });
  }

  #deny({ by, ...denial }: Denial, at: RedisTime): void {
    const key = denialKey(denial);
    const began = this.#goesOn(key, at, at, DENIED_FOR_MS);
    const last = this.#reportedAt.get(key) ?? NEVER;
    if (at < plusMillis(last, DENIED_AGAIN_MS)) return;
    this.#reportedAt.set(key, at);
    for (const notes of [this.#reportedAt, this.#runs]) forgetOldest(notes, MOST_RUNS);
    this.#to.emit({ ...about(at), by }, { type: 'server.denied', ...denial, began });
  }

  /** Notes an error or a denial; returns since when it has been repeated without a longer pause than `pauseMs`. */
  #goesOn(key: string, since: RedisTime, at: RedisTime, pauseMs: Millis): RedisTime {
    const before = this.#runs.get(key);
    const began = before && at <= plusMillis(before.last, pauseMs) ? before.began : since;
    this.#runs.set(key, { began, last: at });
    return began;
  }

  #collect({ at, since, errors = {}, rejected = {}, failed = {}, evicted = 0, usedMemoryBytes }: ServerSignal): void {
    if (since === null || (isEmpty(errors) && !this.#pending)) return;
    for (const name of Object.keys(errors)) this.#goesOn(name, since, at, FAILS_FOR_MS);
    const before = this.#pending ?? { since, errors: {}, rejected: {}, failed: {}, evicted: 0 };
    this.#pending = {
      since: before.since,
      errors: sum(before.errors, errors),
      rejected: sum(before.rejected, rejected),
      failed: sum(before.failed, failed),
      evicted: before.evicted + evicted,
      ...(usedMemoryBytes === undefined ? undefined : { used: usedMemoryBytes }),
    };
  }

  #isDue({ errors, rejected, failed }: Pending, at: RedisTime): boolean {
    const isOfLocks = COMMANDS_OF_LOCKS.some((name) => name in rejected);
    const isPublishRefused =
      ('publish' in rejected || 'spublish' in rejected) && ('eval' in failed || 'evalsha' in failed);
    const isUnusual = (name: string) =>
      !USUAL.has(name) ||
      (errors[name] ?? 0) >= UNUSUALLY_MANY ||
      (name === 'NOPERM' && isOfLocks) ||
      (name === 'ERR' && isPublishRefused);
    const unusual = Object.keys(errors).filter(isUnusual);
    return unusual.some((name) => at >= plusMillis(this.#reportedAt.get(name) ?? NEVER, AGAIN_AFTER_MS));
  }
}

/**
 * The key under which a denial is remembered. Of the denied object's name, only the part before a brace counts, so all
 * unlock latches have one key, and all channels of a kind.
 */
function denialKey({ user, reason, context, object }: Omit<Denial, 'by'>): string {
  return JSON.stringify([user, reason, context, object.split('{', 1)[0]]);
}

const NEVER = Number.NEGATIVE_INFINITY as RedisTime;

function about(at: RedisTime): About {
  return { db: 0, lock: '', kind: 'lock', at };
}

function isSame(a: ServerFacts, b: ServerFacts | undefined): boolean {
  return b !== undefined && (Object.keys({ ...a, ...b }) as (keyof ServerFacts)[]).every((name) => a[name] === b[name]);
}

function isEmpty(counts: Counts): boolean {
  return Object.keys(counts).length === 0;
}

function sum(a: Counts, b: Counts): Counts {
  const both: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) both[name] = (both[name] ?? 0) + count;
  return both;
}
