import { binaryFromText, textFromBinary } from '../../shared/base/bytes-text.ts';
import { type Millis, millisBetween, plusMillis, type RedisTime } from '../../shared/base/time.ts';
import { expectedBeside } from '../../shared/events/apply/companion-reads.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { Interpreter } from '../../shared/events/interpreter.ts';
import { companionFrom } from '../../shared/events/kinds/kinds.ts';
import { isLockName } from '../../shared/events/libraries/token-found.ts';
import { ChangedKeys } from '../../shared/events/mirror/changed-keys.ts';
import { channelOf, fieldsOf, type LockKey } from '../../shared/events/mirror/lock-key.ts';
import { lockChannel, lockOfChannel } from '../../shared/events/names/names.ts';
import { keyEventFromPush } from '../../shared/signals/keyspace-message.ts';
import type { KeyRead, LineSignal, PushSignal } from '../../shared/signals/signal.ts';
import type { CommandStep, Step } from '../../shared/signals/step.ts';

/**
 * How changes in a trace arrive: at level `events` by key events, also with the fields that Redis 8.8 would have sent,
 * or by client tracking; or at level `monitor`.
 */
export type HeardBy = 'notifications' | 'fields' | 'tracking' | 'commands';

/** How a trace is watched. */
export type Play = {
  readonly heardBy: HeardBy;
  /** The number of the first step that is watched. */
  readonly from: number;
  /** The number of the step at which the first scan reads every held lock. */
  readonly scanAt: number;
  /** Called after each read of a lock, with what Redis holds. */
  onRead?(truth: LockKey | undefined, name: string, at: RedisTime, played: Played): void;
};

export type Played = {
  readonly heardBy: HeardBy;
  /** What happened, since the beginning of the trace. */
  readonly happened: LockEvent[];
  /** The events that Lockscope reports if it watches in this way. */
  readonly reported: LockEvent[];
  /** When watching began; undefined before. */
  since: RedisTime | undefined;
};

/** Rounds and scans read every held lock this often. */
const ROUND_MS: Millis = 10_000;

/**
 * Plays a trace in several ways at once. What happened is the trace at level `monitor` from its beginning; what reads
 * find is taken from there.
 *
 *   steps   … │ from: push · push · read of what changed │ … scan: every held lock is read │ …   again every 10 s
 */
export function playTrace(steps: readonly Step[], plays: readonly Play[]): Played[] {
  const reference = new Interpreter({ source: 'trace' });
  const happened: LockEvent[] = [];
  const players = plays.map((play) => new Player(play, reference, happened));
  for (const [place, step] of steps.entries()) {
    const at = timeOf(step);
    for (const player of players) player.before(place, step, at);
    for (const event of reference.interpret(step)) happened.push(event);
    for (const player of players) player.after(place, step, at);
  }
  return players.map(({ played }) => played);
}

class Player {
  readonly played: Played;
  readonly #play: Play;
  readonly #reference: Interpreter;
  readonly #interpreter: Interpreter;
  readonly #changedKeys: ChangedKeys;
  /** Locks to read before the next command. */
  #late = new Set<string>();
  #roundAt: RedisTime | undefined;

  constructor(play: Play, reference: Interpreter, happened: LockEvent[]) {
    const { heardBy } = play;
    this.#play = play;
    this.#reference = reference;
    this.played = { heardBy, happened, reported: [], since: undefined };
    this.#interpreter = new Interpreter({ source: 'trace', hasCommands: heardBy === 'commands' });
    this.#changedKeys = new ChangedKeys(this.#interpreter.keys);
    // Only a key that was read is tracked.
    if (heardBy === 'tracking') this.#interpreter.keys.onNew = ({ name }) => this.#late.add(name);
    this.#interpreter.onDoubt = ({ name }) => this.#late.add(name);
  }

  before(place: number, step: Step, at: RedisTime): void {
    if (place === this.#play.scanAt) this.#readAll(at);
    if (step.kind === 'command' && this.#late.size > 0) {
      const late = this.#late;
      this.#late = new Set();
      this.#read(late, at);
    }
  }

  after(place: number, step: Step, at: RedisTime): void {
    if (place < this.#play.from) return;
    this.played.since ??= at;
    if (this.#play.heardBy === 'commands') this.#report(this.#interpreter.interpret(step));
    else this.#hear(step, at);
    if (this.#roundAt !== undefined && at >= this.#roundAt) this.#readAll(at);
  }

  #hear(step: Step, at: RedisTime): void {
    const changed = new Set<string>();
    const heard = step.kind === 'push' ? [step] : step.kind === 'command' ? step.pushes : [];
    const pushes = step.kind === 'command' && this.#play.heardBy === 'fields' ? withFields(step) : heard;
    for (const push of pushes) {
      const name = this.#heardOf(push);
      if (name !== undefined) changed.add(name);
    }
    if (this.#interpreter.undecided) changed.add(this.#interpreter.undecided.name);
    // A push alone has no time. An expiry is after the time of the line before it.
    if (step.kind === 'command') this.#read(changed, at);
    else for (const name of changed) this.#late.add(name);
  }

  /** Interprets a push. Returns the lock to read after it, if any. */
  #heardOf(push: PushSignal): string | undefined {
    const { heardBy } = this.#play;
    const event = keyEventFromPush(push);
    if (heardBy === 'notifications' || heardBy === 'fields' || lockOfChannel(push.channel))
      this.#report(this.#interpreter.interpret(push));
    if (!event) return undefined;
    const name = companionFrom(event.key)?.lock ?? event.key;
    if (heardBy === 'tracking') return this.#interpreter.keys.find(0, name) ? name : undefined;
    const verdict = this.#changedKeys.hear(event, this.#hasScanned);
    // Of other strings, the product reads only a sample.
    const isRead = verdict === 'leased' ? this.#hasScanned && isLockName(name) : verdict !== undefined;
    return isRead ? name : undefined;
  }

  get #hasScanned(): boolean {
    return this.#roundAt !== undefined;
  }

  #readAll(at: RedisTime): void {
    this.#roundAt = plusMillis(at, ROUND_MS);
    this.#read(new Set([...inRound(this.#reference), ...inRound(this.#interpreter)]), at);
  }

  #read(names: Iterable<string>, at: RedisTime): void {
    const reads = [...names].map((name) => readOf(this.#reference, name, at));
    if (reads.length === 0) return;
    this.#report(this.#interpreter.interpret(this.#changedKeys.taken({ kind: 'bookmark', at, reads })));
    for (const { name } of reads) this.#play.onRead?.(this.#reference.keys.find(0, name), name, at, this.played);
  }

  #report(events: readonly LockEvent[]): void {
    for (const event of events) this.played.reported.push(event);
  }
}

const OF_HASH = new Set(['hset', 'hincrby', 'hdel']);

/**
 * The pushes of a command, each key event of a hash followed by its fields, as the documentation of Redis 8.8 describes
 * them.
 */
function withFields({ head, inner, pushes }: CommandStep): PushSignal[] {
  const lines = inner.length > 0 ? [...inner] : [head];
  return pushes.flatMap((push) => {
    const event = keyEventFromPush(push);
    if (!event || !OF_HASH.has(event.event)) return [push];
    const isOfEvent = ({ words: [command = '', key] }: LineSignal) =>
      command.toLowerCase() === event.event && key === event.key;
    const [{ words } = { words: [] }] = lines.splice(0, lines.findIndex(isOfEvent) + 1).slice(-1);
    const rest = words.slice(2);
    const fields =
      event.event === 'hset'
        ? rest.filter((_, n) => n % 2 === 0)
        : rest.slice(0, event.event === 'hdel' ? rest.length : 1);
    const [key, ...parts] = [event.key, ...fields].map(
      (name) => `${binaryFromText(name).length}:${binaryFromText(name)}`,
    );
    const message = textFromBinary(`${key}|${parts.join(',')}`);
    return [push, { ...push, channel: `__subkeyevent@${event.db}__:${event.event}`, message }];
  });
}

function timeOf(step: Step): RedisTime {
  if (step.kind === 'blind-spot' || step.kind === 'failover') throw new Error('a trace is of one connection');
  return step.kind === 'command' ? step.head.at : step.at;
}

/** The locks that a round reads: those that are held or listened to. */
function inRound({ keys, waits }: Interpreter): string[] {
  const listened = [...keys.all()].filter((key) => waits.listeners.count(channelOf(key)) > 0);
  return [...keys.held(), ...keys.counters, ...listened].map(({ name }) => name);
}

function readOf(reference: Interpreter, name: string, at: RedisTime): KeyRead {
  const key = reference.keys.find(0, name);
  const channel = key ? channelOf(key) : lockChannel(name);
  // its end has passed, even if no line has shown that yet
  const isOver = key?.expiresAt != null && key.expiresAt <= at;
  const isHeld = key !== undefined && key.holders.size > 0 && !isOver;
  const companions = key && expectedBeside(key);
  const isString = isHeld && key.kind === 'token-lock';
  const pttl = !isHeld ? -2 : key.expiresAt == null ? -1 : Math.max(0, Math.round(millisBetween(at, key.expiresAt)));
  return {
    db: 0,
    name,
    type: isString ? 'string' : isHeld ? 'hash' : 'none',
    fields: isHeld && !isString ? (fieldsOfValues(key) ?? fieldsOf(key)) : {},
    pttl,
    hasChanged: false,
    subscribers: reference.waits.listeners.count(channel),
    ...(channel === lockChannel(name) ? {} : { channel }),
    ...(companions ? { companions } : {}),
  };
}

/** The hash of a group lock: each value with its holder, count and end. */
function fieldsOfValues(key: LockKey): Record<string, string> | undefined {
  const values = key.mirrors?.values;
  if (!values) return undefined;
  const fields: Record<string, string> = {};
  for (const holder of key.holders.keys()) {
    for (const { value, holdCount, expiresAt } of values.heldBy(holder)) {
      fields[value] = holder;
      fields[`${value}:${holder}:lock_count`] = String(holdCount ?? 1);
      if (expiresAt !== null) fields[`${value}:${holder}:expire_time`] = String(Math.round(expiresAt / 1000));
    }
  }
  return fields;
}
