import { type RedisTime, redisTime } from '../base/time.ts';
import type { BlindReason } from '../signals/blind-reason.ts';
import type { FailoverSignal, WatchSignal } from '../signals/signal.ts';
import type { CommandStep, Step } from '../signals/step.ts';
import type { Action } from './action.ts';
import { applyAction } from './apply/apply-action.ts';
import { applyClientList } from './apply/client-list.ts';
import { applyLossPush } from './apply/losses.ts';
import { applyPassingTime } from './apply/passing-time.ts';
import { applyBookmark } from './apply/reads/bookmark.ts';
import { KeyEvents } from './apply/reads/key-events.ts';
import type { About, Context, Failover } from './context.ts';
import type { EventDetail, LockEvent } from './event.ts';
import { Clients } from './mirror/clients.ts';
import { FREEING, withoutClaims } from './mirror/counter-claims.ts';
import { type LockKey, LockKeys } from './mirror/lock-keys.ts';
import { OwnLocks } from './mirror/own-locks.ts';
import { Presence } from './mirror/presence.ts';
import { Waiters } from './mirror/waiters.ts';
import { clientOf } from './names/names.ts';
import { recogniseCommand } from './recognise/plain-command.ts';
import { recogniseScript } from './recognise/recognise-script.ts';
import { type ScriptVersion, SPIN_SCRIPT, scriptVersionFromHead } from './recognise/script-versions.ts';

/** How often leases and sleepers are checked, in microseconds of stream time. */
const LOOK_EVERY = 250_000;
/** Held locks are read every 10 s. If stream time moves on by more than this at once, the clock of Redis was set. */
const CLOCK_STEP = 60_000_000;

/** The fields that all events have, writable while an event is built. */
type EventHead = { -readonly [Field in CommonField]: LockEvent[Field] } & { by?: string; because?: number[] };
type CommonField = 'seq' | 'at' | 'source' | 'db' | 'lock' | 'kind' | 'certainty';

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
  watchEpoch = 0;
  failover: Failover | undefined;
  hearsChanges = false;
  readonly libraries = new Set<string>();
  readonly isNamed: (name: string) => boolean;
  readonly ownLocks = new OwnLocks();
  onDoubt: (key: LockKey) => void = () => {};
  readonly #source: string;
  #hasCommands: boolean;
  #hearsMessages = true;
  readonly #keyEvents = new KeyEvents(this);
  #events: LockEvent[] = [];
  #seq: number;
  #at = redisTime(0);
  #lookedAt = redisTime(0);
  #blindFrom: RedisTime | undefined;

  constructor(options: {
    source: string;
    firstSeq?: number;
    hasCommands?: boolean;
    isNamed?: (name: string) => boolean;
  }) {
    this.#source = options.source;
    this.#seq = options.firstSeq ?? 1;
    this.#hasCommands = options.hasCommands ?? true;
    this.isNamed = options.isNamed ?? (() => false);
  }

  get hasCommands(): boolean {
    return this.#hasCommands;
  }

  get hearsMessages(): boolean {
    return this.#hearsMessages;
  }

  /** Stream time at which leases and sleepers were last checked. */
  get lookedAt(): RedisTime {
    return this.#lookedAt;
  }

  /** A key that is gone for a reason still unknown: the next read decides. */
  get undecided(): LockKey | undefined {
    return this.#keyEvents.undecided;
  }

  /** Returns the events of this step, including those that only the passed time proves (an expired lease). */
  interpret(step: Step): LockEvent[] {
    this.#events = [];
    if (step.kind === 'watch') this.#watch(step);
    else this.#take(step);
    return this.#events;
  }

  /** A new connection, or another level: the setting of key events may have changed as well. */
  #watch({ level, hearsMessages }: WatchSignal): void {
    this.#hasCommands = level === 'monitor';
    this.#hearsMessages = hearsMessages !== false;
    this.hearsChanges = false;
  }

  #take(step: Exclude<Step, WatchSignal>): void {
    this.keys.now = step.kind === 'command' ? step.head.at : step.at;
    switch (step.kind) {
      case 'command': {
        // What Redis reported comes before what the passed time alone would prove.
        for (const push of step.pushes) applyLossPush(this, push);
        this.#advance(step.head.at);
        const before = this.#seq;
        this.#command(step);
        this.#noteUse(step.head, before);
        break;
      }
      case 'push': {
        const isLoss = applyLossPush(this, step);
        this.#advance(step.at);
        if (!isLoss && !this.hasCommands) this.#keyEvents.hear(step);
        break;
      }
      case 'bookmark':
        this.#advance(step.at);
        if (!this.#keyEvents.isMoved(step)) this.#keyEvents.settle();
        applyBookmark(this, step);
        this.#keyEvents.settle();
        break;
      case 'clients':
        applyClientList(this, this.presence, step);
        break;
      case 'failover':
        this.#at = redisTime(Math.max(this.#at, step.at));
        this.#failOver(step);
        break;
      case 'blind-spot':
        this.#at = redisTime(Math.max(this.#at, step.at));
        if (step.phase === 'began') this.#beginBlindSpot(step.reason);
        else this.#endBlindSpot(step.reason);
        break;
      case 'connection':
        if (step.client !== null) this.clients.learn(step.address, step.client, step.at);
        if (step.name !== null) this.clients.name(step.address, step.name, step.at, step.namedAt);
        break;
      case 'time':
        this.#advance(step.at);
        break;
    }
  }

  /** Adds an event and returns its `seq`. The time of observed events never decreases. */
  emit(about: About, detail: EventDetail): number {
    const { db, lock, kind, by, because, certainty = 'observed' } = about;
    const seq = this.#seq++;
    const isObserved = certainty === 'observed';
    const at = isObserved && about.at < this.#at ? this.#at : about.at;
    if (isObserved) this.#at = at;
    const event: EventHead = { seq, at, source: this.#source, db, lock, kind, certainty };
    if (by !== undefined) event.by = by;
    const causes = because && causesFrom(because);
    if (causes) event.because = causes;
    if (kind === 'token-lock') Object.assign(event, tokenFields(this.keys.find(db, lock)));
    this.#events.push(Object.assign(event, detail, this.#versionNews(detail)));
    return seq;
  }

  #command(step: CommandStep): void {
    const { head, inner } = step;
    const by = head.client ?? undefined;
    if (inner.length === 0) {
      for (const action of recogniseCommand(head)) {
        applyAction(this, action, { db: head.db, by, released: undefined, pushes: step.pushes });
      }
      return;
    }
    const actions = withoutClaims(this.keys, recogniseScript(step), step);
    if (actions) return this.#script(step, actions, by);
    for (const line of inner) {
      for (const action of recogniseCommand(line)) applyAction(this, action, { db: line.db, by, released: undefined });
    }
  }

  /** A connection that did something to a lock is there, even if no client list has it yet. */
  #noteUse({ client, at }: CommandStep['head'], before: number): void {
    if (this.#seq > before && client !== null && this.clients.has(client)) this.clients.note(client, at);
  }

  #script(step: CommandStep, actions: readonly Action[], by: string | undefined): void {
    const version = by === undefined ? undefined : this.#learn(step, actions, by);
    const isSpinScript = version?.operation === SPIN_SCRIPT;
    let from = { db: dbOf(step), by, isSpinScript, released: undefined as number | undefined };
    for (const action of actions) {
      const before = this.#seq;
      applyAction(this, action, from);
      if (FREEING.has(action.do)) from = { ...from, released: this.#releaseSince(before) };
    }
  }

  /** The release among the events from `seq` on, else the last event. The end of another kind's hold may follow it. */
  #releaseSince(seq: number): number | undefined {
    if (this.#seq === seq) return undefined;
    const release = this.#events.findLast((event) => event.seq >= seq && event.type === 'lock.released');
    return release?.seq ?? this.#seq - 1;
  }

  /** Learns from a lock script which client uses this connection, and from its SHA which releases the client can be. */
  #learn(step: CommandStep, actions: readonly Action[], by: string): ScriptVersion | undefined {
    const version = scriptVersionFromHead(step.head);
    let known = '';
    for (const action of actions) {
      // The evicted queue head is not the caller.
      if (!('holder' in action) || action.do === 'fair-evict') continue;
      const uuid = clientOf(action.holder);
      if (uuid === known) continue;
      known = uuid;
      this.clients.learn(by, uuid, step.head.at);
      if (version) this.clients.dateBy(uuid, version);
    }
    return version;
  }

  /** The releases a client can be, added to its acquisitions and renewals. */
  #versionNews(detail: EventDetail): { clientVersion: string } | undefined {
    if (detail.type !== 'lock.acquired' && detail.type !== 'lease.renewed') return undefined;
    const range = detail.holder === undefined ? undefined : this.clients.versionOf(clientOf(detail.holder));
    return range ? { clientVersion: range.text } : undefined;
  }

  #advance(at: RedisTime): void {
    if (at < this.#lookedAt + LOOK_EVERY) return;
    const isStep = this.#lookedAt > 0 && at > this.#lookedAt + CLOCK_STEP;
    this.#lookedAt = at;
    if (!isStep) return applyPassingTime(this, at);
    // Ends that were computed by the clock before prove nothing now: the keys are read again first.
    for (const key of this.keys.held()) {
      key.isEndOutdated = true;
      this.onDoubt(key);
    }
  }

  #failOver({ how, from, to, replicatedUntil }: FailoverSignal): void {
    const known = replicatedUntil === null ? undefined : { replicatedUntil };
    const about: About = { db: 0, lock: '', kind: 'lock', at: this.#at };
    const seq = this.emit(about, { type: 'failover', how, from, to, ...known });
    this.clients.displace();
    this.presence.displace();
    this.waits.listeners.displace();
    this.failover = { seq, how, watchEpoch: this.watchEpoch, replicatedUntil };
  }

  #beginBlindSpot(reason: BlindReason): void {
    this.#blindFrom = this.#at;
    this.emit({ db: 0, lock: '', kind: 'lock', at: this.#at }, { type: 'blind-spot.began', reason });
  }

  #endBlindSpot(reason: BlindReason): void {
    this.watchEpoch++;
    const from = this.#blindFrom ?? this.#at;
    this.#blindFrom = undefined;
    this.emit({ db: 0, lock: '', kind: 'lock', at: this.#at }, { type: 'blind-spot.ended', reason, from });
  }
}

/** Fields added to every token-lock event: the library, and `kindKnown: false` while the key only looks like a lock. */
function tokenFields(key: LockKey | undefined): { library?: string; kindKnown?: false } {
  const tokens = key?.mirrors?.tokens;
  const library = tokens?.library === undefined ? undefined : { library: tokens.library };
  return tokens?.isSure === false ? { ...library, kindKnown: false } : { ...library };
}

/** The causes that are `seq`s of events; `undefined` if no cause is one. */
function causesFrom(because: readonly (number | undefined)[]): number[] | undefined {
  let causes: number[] | undefined;
  for (const cause of because) {
    if (cause === undefined || cause < 0) continue;
    if (causes) causes.push(cause);
    else causes = [cause];
  }
  return causes;
}

/** The database a script worked in. Redis 6 reports the caller's database, even if the script selected another one. */
export function dbOf({ head, inner }: CommandStep): number {
  const [first] = inner;
  if (first?.words[0]?.toLowerCase() === 'select') return Number(first.words[1]);
  return first?.db ?? head.db;
}
