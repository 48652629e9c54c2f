import { type Millis, plusMillis, type RedisTime, redisTime } from '../base/time.ts';
import { keyEventFromPush } from '../signals/keyspace-message.ts';
import type { PushSignal } from '../signals/signal.ts';
import { type CommandStep, type Step, scriptShaOf } from '../signals/step.ts';
import type { Action } from './action.ts';
import { applyAction } from './apply-action.ts';
import { applyBookmark } from './apply-bookmark.ts';
import { Clients } from './clients.ts';
import type { Certainty, EventDetail, LockEvent, LockKind } from './event.ts';
import { clearKey, type LockKey, LockKeys } from './lock-keys.ts';
import { clientOf, lockChannel, lockOfChannel } from './names.ts';
import { recogniseCommand } from './recognise/plain-command.ts';
import { recognisePlainLock } from './recognise/plain-lock.ts';
import { scriptVersionOf, versionText } from './recognise/script-versions.ts';
import { type Wait, WaitingRoom } from './waiting-room.ts';

/** One recogniser per family of locks, asked in order; the first that knows the script speaks for it. */
const RECOGNISERS: readonly ((step: CommandStep) => Action[] | undefined)[] = [recognisePlainLock];

/** Stream time after which a lease that passed its end is over even if Redis has not said so. */
const EXPIRY_GRACE: Millis = 1000;
/** How often, in stream time, leases and sleepers are looked through. */
const LOOK_EVERY = 250_000;

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

/** What all events have, while one is being put together. */
type EventHead = { -readonly [Field in CommonField]: LockEvent[Field] } & { by?: string; because?: number[] };
type CommonField = 'seq' | 'at' | 'source' | 'db' | 'lock' | 'kind' | 'certainty';

/**
 * Turns the steps of one source into events, in order.
 *
 * It remembers what Redis must hold (`keys`), who waits (`waits`) and which connection is whose (`clients`), because
 * a script's reply is never on the wire. `seq` counts within this source. Nothing in it reads a clock: time comes
 * with the steps.
 */
export class Interpreter {
  readonly keys = new LockKeys();
  readonly clients = new Clients();
  readonly waits = new WaitingRoom(this.clients);
  /** Counts the stretches of watching: a belief from an earlier one may be out of date without being wrong. */
  stretch = 0;
  /** Whether the commands themselves are seen, or only what they leave behind. */
  hasCommands: boolean;
  /** Called when a key may hold something else than we believe: reading it would tell. */
  onDoubt: (key: LockKey) => void = () => {};
  readonly #source: string;
  #events: LockEvent[] = [];
  #seq: number;
  #at = redisTime(0);
  #lookedAt = redisTime(0);
  #blindFrom: RedisTime | undefined;
  /** A key that vanished by `del`, until the next message tells a release from a deletion. */
  #vanished: { key: LockKey; at: RedisTime } | undefined;

  constructor(options: { source: string; firstSeq?: number; hasCommands?: boolean }) {
    this.#source = options.source;
    this.#seq = options.firstSeq ?? 1;
    this.hasCommands = options.hasCommands ?? true;
  }

  /** Stream time at which leases and sleepers were last looked through. */
  get lookedAt(): RedisTime {
    return this.#lookedAt;
  }

  /** A key that is gone, and nobody said why yet: the next read decides. */
  get undecided(): LockKey | undefined {
    return this.#vanished?.key;
  }

  /** The events this step means, the ones it proves overdue included. */
  interpret(step: Step): LockEvent[] {
    this.#events = [];
    switch (step.kind) {
      case 'command':
        this.#advance(step.head.at);
        this.#command(step);
        break;
      case 'push':
        this.#advance(step.at);
        this.#push(step);
        break;
      case 'bookmark':
        this.#advance(step.at);
        this.#settleVanished();
        applyBookmark(this, step);
        break;
      case 'clients':
        for (const address of this.clients.gone(step.clients, step.at)) this.waits.forget(address);
        for (const wait of this.waits.abandoned()) this.#presumeGone(wait, step.at);
        break;
      case 'blind-spot':
        this.#at = redisTime(Math.max(this.#at, step.at));
        if (step.phase === 'began') this.#beginBlindSpot(step.reason);
        else this.#endBlindSpot(step.reason);
        break;
    }
    return this.#events;
  }

  /** Adds an event and gives back its `seq`. Observed events never go back in time. */
  emit(about: About, detail: EventDetail): number {
    const certainty = about.certainty ?? 'observed';
    const seq = this.#seq++;
    const at = certainty === 'observed' ? redisTime(Math.max(about.at, this.#at)) : about.at;
    if (certainty === 'observed') this.#at = at;
    const { db, lock, kind, by } = about;
    const event: EventHead = { seq, at, source: this.#source, db, lock, kind, certainty };
    if (by !== undefined) event.by = by;
    const because = about.because?.filter((cause): cause is number => cause !== undefined && cause >= 0);
    if (because && because.length > 0) event.because = because;
    this.#events.push(Object.assign(event, detail, this.#versionNews(detail)));
    return seq;
  }

  /**
   * Ends every hold of a key whose lease ran out, each exactly once.
   *
   *   inferred    lease end   now       the end we computed
   *                   x────────|
   *   observed    last line   lease end   …   push   (a push has no time of its own: it comes after both)
   *                   |───────────x
   */
  expire(key: LockKey, now: RedisTime, certainty: Certainty): void {
    const end = key.expiresAt ?? now;
    const at = redisTime(certainty === 'inferred' ? Math.min(now, end) : Math.max(now, end));
    for (const [holder, field] of [...key.holders]) {
      const expiresAt = key.expiresAt == null ? {} : { expiresAt: key.expiresAt };
      const seq = this.emit(
        { db: key.db, lock: key.name, kind: key.kind, at, certainty, because: [field.acquiredSeq] },
        { type: 'lease.expired', holder, mode: field.mode, ...expiresAt },
      );
      key.lastExpiry = seq;
    }
    clearKey(key, 'expired');
  }

  /** Notes that a message may have woken the sleepers of a lock. */
  noteMessage(key: LockKey, seq: number, at: RedisTime): void {
    key.lastMessage = seq;
    key.messageAt = at;
  }

  #command(step: CommandStep): void {
    const { head } = step;
    const by = head.client ?? undefined;
    for (const push of step.pushes) this.#lossOf(push);
    if (step.inner.length === 0) {
      for (const action of recogniseCommand(head)) applyAction(this, action, head.db, by);
      return;
    }
    const db = dbOf(step);
    for (const recognise of RECOGNISERS) {
      const actions = recognise(step);
      if (!actions) continue;
      if (by !== undefined) this.#learn(step, actions, by);
      let released: number | undefined;
      for (const action of actions) {
        applyAction(this, action, db, by, action.do === 'publish' ? released : undefined);
        if (action.do === 'release' || action.do === 'force-release') released = this.#seq - 1;
      }
      return;
    }
    for (const line of step.inner) {
      for (const action of recogniseCommand(line)) applyAction(this, action, line.db, by);
    }
  }

  /** A lock script's head says whose connection this is, and its SHA which releases the client can be. */
  #learn(step: CommandStep, actions: readonly Action[], by: string): void {
    const version = scriptVersionOf(scriptShaOf(step.head));
    for (const action of actions) {
      if (!('holder' in action)) continue;
      const uuid = clientOf(action.holder);
      this.clients.learn(by, uuid, step.head.at);
      if (version) this.clients.dateBy(uuid, version);
    }
  }

  /** A push that no command explains, or, without MONITOR, the only sign there is. */
  #push(push: PushSignal): void {
    if (this.#lossOf(push)) return;
    if (this.hasCommands) return;
    const target = lockOfChannel(push.channel);
    if (target) {
      const key = this.#keyOfChannel(target.name);
      const released = this.#vanished && this.#vanished.key === key ? this.#settleVanished('released') : undefined;
      const action: Action = { do: 'publish', at: push.at, channel: push.channel, message: push.message };
      applyAction(this, action, key?.db ?? 0, undefined, released);
      return;
    }
    const event = keyEventFromPush(push);
    if (!event) return;
    this.#settleVanished();
    const key = this.keys.find(event.db, event.key);
    if (key && key.holders.size > 0 && (event.event === 'del' || event.event === 'unlink')) {
      this.#vanished = { key, at: push.at };
    }
  }

  /** Expiry and eviction have no command: Redis says them in a push only. */
  #lossOf(push: PushSignal): boolean {
    const event = keyEventFromPush(push);
    if (event?.event !== 'expired' && event?.event !== 'evicted') return false;
    const key = this.keys.find(event.db, event.key);
    if (!key || key.holders.size === 0) return true;
    if (event.event === 'expired') {
      this.expire(key, push.at, 'observed');
      return true;
    }
    const [holder] = key.holders.keys();
    key.lastLoss = this.emit(
      { db: key.db, lock: key.name, kind: key.kind, at: push.at },
      { type: 'lock.evicted', ...(holder === undefined ? {} : { holder, holders: [...key.holders.keys()] }) },
    );
    clearKey(key, 'gone');
    return true;
  }

  /** The releases a client can be, told with its acquisitions. */
  #versionNews(detail: EventDetail): { clientVersion: string } | undefined {
    if (detail.type !== 'lock.acquired' && detail.type !== 'lease.renewed') return undefined;
    const range = detail.holder === undefined ? undefined : this.clients.versionOf(clientOf(detail.holder));
    return range ? { clientVersion: versionText(range) } : undefined;
  }

  #keyOfChannel(name: string): LockKey | undefined {
    if (this.#vanished?.key.name === name) return this.#vanished.key;
    for (let db = 0; db < 16; db++) {
      const key = this.keys.find(db, name);
      if (key) return key;
    }
    return undefined;
  }

  /** Key events alone: a `del` followed by the lock's message was a release, any other a deletion. */
  #settleVanished(how: 'released' | 'deleted' = 'deleted'): number | undefined {
    const vanished = this.#vanished;
    this.#vanished = undefined;
    if (!vanished || vanished.key.holders.size === 0) return undefined;
    const { key, at } = vanished;
    const about: About = { db: key.db, lock: key.name, kind: key.kind, at, certainty: 'inferred' };
    let seq: number | undefined;
    for (const [holder, field] of key.holders) {
      const release = { type: 'lock.released', holder, mode: field.mode, holdCount: 0 } as const;
      seq = this.emit(about, how === 'released' ? release : { type: 'lock.deleted', holder });
    }
    clearKey(key, how === 'released' ? 'released' : 'gone');
    if (how === 'deleted' && seq !== undefined) key.lastLoss = seq;
    return seq;
  }

  /** Says what stream time alone proves: leases long past their end, sleepers that should have moved. */
  #advance(at: RedisTime): void {
    if (at < this.#lookedAt + LOOK_EVERY) return;
    this.#lookedAt = at;
    for (const key of this.keys.held()) {
      if (key.expiresAt != null && plusMillis(key.expiresAt, EXPIRY_GRACE) < at) this.expire(key, at, 'inferred');
    }
    const messageAt = (wait: { db: number; lock: string }) => this.keys.find(wait.db, wait.lock)?.messageAt;
    for (const wait of this.waits.silent(at, messageAt)) this.#presumeGone(wait, at);
  }

  #presumeGone(wait: Wait, at: RedisTime): void {
    const kind = this.keys.find(wait.db, wait.lock)?.kind ?? 'lock';
    this.emit(
      { db: wait.db, lock: wait.lock, kind, at, certainty: 'inferred', because: [wait.lastAttemptSeq] },
      { type: 'waiter.dequeued', holder: wait.holder, reason: 'presumed-gone' },
    );
  }

  #beginBlindSpot(reason: string): void {
    this.#blindFrom = this.#at;
    this.emit({ db: 0, lock: '', kind: 'lock', at: this.#at }, { type: 'blind-spot.began', reason });
  }

  #endBlindSpot(reason: string): void {
    this.stretch++;
    const from = this.#blindFrom ?? this.#at;
    this.#blindFrom = undefined;
    this.emit({ db: 0, lock: '', kind: 'lock', at: this.#at }, { type: 'blind-spot.ended', reason, from });
  }

  /** The channel a lock's waiters listen on, and the lock it stands for. */
  channelOf(lock: string): string {
    return lockChannel(lock);
  }
}

/** The database a script worked in. Redis 6 tells that of its caller, whatever the script selected. */
function dbOf({ head, inner }: CommandStep): number {
  const [first] = inner;
  if (first?.words[0]?.toLowerCase() === 'select') return Number(first.words[1]);
  return first?.db ?? head.db;
}
