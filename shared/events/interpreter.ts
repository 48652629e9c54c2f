import { type Millis, type RedisTime, redisTime } from '../base/time.ts';
import type { BlindReason } from '../signals/blind-reason.ts';
import type { FailoverSignal, WatchSignal } from '../signals/signal.ts';
import type { Step } from '../signals/step.ts';
import { applyClientList } from './apply/clients/client-list.ts';
import { Presence } from './apply/clients/presence.ts';
import { applyCommand } from './apply/command.ts';
import { applyLossPush } from './apply/losses.ts';
import { applyPassingTime } from './apply/passing-time.ts';
import { applyBookmark } from './apply/reads/bookmark.ts';
import { KeyEvents } from './apply/reads/key-events.ts';
import { ServerReports } from './apply/server-report.ts';
import { isAnswer } from './apply/unlocks.ts';
import type { About, Context, Failover } from './context.ts';
import type { EventDetail, LockEvent } from './event.ts';
import { EventWriter } from './event-writer.ts';
import { Clients } from './mirror/clients/clients.ts';
import { Waiters } from './mirror/clients/waiters.ts';
import type { LockKey } from './mirror/lock-key.ts';
import { LockKeys } from './mirror/lock-keys.ts';
import { PlainHashes } from './mirror/plain-hashes.ts';
import { ReplicaWaits } from './mirror/replica-waits.ts';
import { StrangeLocks } from './mirror/strange-locks.ts';
import { LongTokens } from './mirror/tokens/long-tokens.ts';
import { OwnLocks } from './mirror/tokens/own-locks.ts';
import { OwnScripts } from './mirror/tokens/own-scripts.ts';
import { SeveralKeys } from './mirror/tokens/several-keys.ts';
import { UnlockTracker } from './mirror/unlock-tracker.ts';

/** How often leases and waiters are checked, in microseconds of stream time. */
const CHECK_EVERY = 250_000;
/**
 * In microseconds. Held locks are read every 10 s. If stream time moves on by more than this at once, the clock of
 * Redis was set.
 */
const CLOCK_STEP = 60_000_000;

/**
 * Turns the steps of one source into events, in order.
 *
 *   step ─► recognisers ─► actions ─► appliers ─► events        what a script did, from its commands alone
 *                                        │ ▲
 *                                        ▼ │                    what Redis held before it
 *                              keys, waits, clients
 *
 * MONITOR does not show a script's reply, so the interpreter remembers what Redis held before. `seq` counts within this
 * source. Nothing here reads a clock: time comes with the steps.
 */
export class Interpreter implements Context {
  readonly keys = new LockKeys();
  readonly clients = new Clients();
  readonly waits = new Waiters(this.clients);
  readonly presence = new Presence(this);
  readonly server = new ServerReports(this);
  watchEpoch = 0;
  blindFrom: RedisTime | undefined;
  blindTo: RedisTime | undefined;
  watchedFrom: RedisTime | undefined;
  failover: Failover | undefined;
  hearsChanges = false;
  hearsEnds = false;
  hearsDeletions = false;
  hasIfEqual = false;
  readonly libraries = new Set<string>();
  readonly isNamed: (name: string) => boolean;
  readonly ownLocks = new OwnLocks();
  readonly severalKeys = new SeveralKeys();
  readonly plainHashes = new PlainHashes();
  readonly strangeLocks = new StrangeLocks();
  readonly ownScripts = new OwnScripts();
  readonly longTokens = new LongTokens();
  readonly unlocks = new UnlockTracker();
  readonly replicaWaits = new ReplicaWaits();
  onDoubt: (key: LockKey) => void = () => {};
  readonly #writer: EventWriter;
  #hasCommands: boolean;
  #hearsMessages = true;
  #clockBehindMs: Millis = 0;
  readonly #keyEvents = new KeyEvents(this);
  #lookedAt = redisTime(0);
  #blindSince: RedisTime | undefined;

  constructor(options: {
    source: string;
    firstSeq?: number;
    hasCommands?: boolean;
    isNamed?: (name: string) => boolean;
  }) {
    this.#writer = new EventWriter(options.source, options.firstSeq ?? 1, this.keys, this.clients);
    this.#hasCommands = options.hasCommands ?? true;
    this.isNamed = options.isNamed ?? (() => false);
  }

  get hasCommands(): boolean {
    return this.#hasCommands;
  }

  get hearsMessages(): boolean {
    return this.#hearsMessages;
  }

  get clockBehindMs(): Millis {
    return this.#clockBehindMs;
  }

  /** Stream time at which leases and waiters were last checked. */
  get lookedAt(): RedisTime {
    return this.#lookedAt;
  }

  /** A key that is gone for a reason still unknown: the next push or read decides. */
  get undecided(): LockKey | undefined {
    return this.#keyEvents.undecided;
  }

  /** Returns the events of this step, including those that only the passed time proves (an expired lease). */
  interpret(step: Step): LockEvent[] {
    this.#writer.begin();
    this.keys.beginStep();
    if (step.kind === 'watch') this.#watch(step);
    else this.#take(step);
    return this.#writer.events;
  }

  /** A new connection, or another level: the setting of key events may have changed as well. */
  #watch({ at, level, hearsMessages, clockBehindMs = 0, hasIfEqual, isSame }: WatchSignal): void {
    if (isSame) return;
    this.#hasCommands = level === 'monitor';
    this.watchedFrom = at;
    this.unlocks.forget();
    this.replicaWaits.forget();
    this.#keyEvents.forget();
    this.#hearsMessages = hearsMessages !== false;
    this.hearsChanges = false;
    this.hearsEnds = false;
    this.hearsDeletions = false;
    this.hasIfEqual = hasIfEqual === true;
    this.keys.expectCounters();
    if (clockBehindMs !== this.#clockBehindMs) this.#doubtEnds();
    this.#clockBehindMs = clockBehindMs;
  }

  #take(step: Exclude<Step, WatchSignal>): void {
    this.keys.now = step.kind === 'command' ? step.head.at : step.at;
    this.watchedFrom ??= this.keys.now;
    switch (step.kind) {
      case 'command':
        // Expiries that Redis reports are applied before conclusions from the passed time alone.
        for (const push of step.pushes) applyLossPush(this, push);
        // An answer that a client got is also applied first, however late it is.
        if (!isAnswer(step)) this.#advance(step.head.at);
        applyCommand(this, step, this.#writer);
        this.#advance(step.head.at);
        break;
      case 'push': {
        const isLoss = applyLossPush(this, step);
        this.#advance(step.at);
        if (this.hasCommands) break;
        if (isLoss) this.#keyEvents.lost(step);
        else this.#keyEvents.hear(step);
        break;
      }
      case 'bookmark':
        this.#advance(step.at);
        if (!this.#keyEvents.isMoved(step)) this.#keyEvents.settle();
        applyBookmark(this, step);
        this.#keyEvents.settle();
        this.#keyEvents.read(step);
        break;
      case 'clients':
        applyClientList(this, this.presence, step);
        break;
      case 'server':
        this.server.take(step);
        break;
      case 'note': {
        const { at, insight, db, lock, text, author, isAcknowledged } = step;
        const about: About = { db, lock, kind: this.keys.find(db, lock)?.kind ?? 'lock', at };
        this.emit(about, {
          type: 'insight.noted',
          insight,
          text,
          ...(author === null ? {} : { author }),
          isAcknowledged,
        });
        break;
      }
      case 'failover':
        this.#writer.noteTime(step.at);
        this.#failOver(step);
        break;
      case 'blind-spot':
        this.#writer.noteTime(step.at);
        if (step.phase === 'began') this.#beginBlindSpot(step.reason);
        else this.#endBlindSpot(step.reason);
        break;
      case 'connection':
        if (step.client !== null) this.clients.learn(step.address, step.client, step.at);
        if (step.client !== null && step.isBehindProxy) this.clients.noteProxy(step.client);
        if (step.name !== null) this.clients.connections.name(step.address, step.name, step.at, step.namedAt);
        break;
      case 'time':
        this.#advance(step.at);
        break;
    }
  }

  emit(about: About, detail: EventDetail): number {
    return this.#writer.emit(about, detail);
  }

  #advance(at: RedisTime): void {
    if (at < this.#lookedAt + CHECK_EVERY) return;
    const isStep = this.#lookedAt > 0 && at > this.#lookedAt + CLOCK_STEP;
    this.#lookedAt = at;
    this.server.passTime(at);
    if (!isStep) return applyPassingTime(this, at);
    this.#doubtEnds();
  }

  /**
   * Redis's clock was set. Ends that were computed by the clock before prove nothing now, so the keys of held locks are
   * read again first.
   */
  #doubtEnds(): void {
    for (const key of this.keys.held()) {
      key.isEndOutdated = true;
      this.onDoubt(key);
    }
  }

  #failOver({ how, from, to, replicatedUntil }: FailoverSignal): void {
    const known = replicatedUntil === null ? undefined : { replicatedUntil };
    const about: About = { db: 0, lock: '', kind: 'lock', at: this.#writer.at };
    const seq = this.emit(about, { type: 'failover', how, from, to, ...known });
    this.clients.displace();
    this.presence.displace(about.at);
    this.server.displace();
    this.waits.listeners.displace();
    this.unlocks.forget();
    this.replicaWaits.forget();
    this.failover = { seq, how, watchEpoch: this.watchEpoch, replicatedUntil };
  }

  #beginBlindSpot(reason: BlindReason): void {
    this.#blindSince = this.#writer.at;
    this.unlocks.forget();
    this.replicaWaits.forget();
    this.emit({ db: 0, lock: '', kind: 'lock', at: this.#writer.at }, { type: 'blind-spot.began', reason });
  }

  #endBlindSpot(reason: BlindReason): void {
    this.watchEpoch++;
    const from = this.#blindSince ?? this.#writer.at;
    this.#blindSince = undefined;
    this.blindFrom = from;
    this.blindTo = this.#writer.at;
    this.watchedFrom = this.blindTo;
    this.emit({ db: 0, lock: '', kind: 'lock', at: this.#writer.at }, { type: 'blind-spot.ended', reason, from });
  }
}
