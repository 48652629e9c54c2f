import { millisBetween, type RedisTime, redisTime } from '../base/time.ts';
import { dbOf } from '../events/apply/command.ts';
import { expectedBeside } from '../events/apply/companion-reads.ts';
import type { Interpreter } from '../events/interpreter.ts';
import { companionFrom, isTokenKind } from '../events/kinds/kinds.ts';
import { isClaim } from '../events/mirror/counter-claims.ts';
import { channelOf, fieldsOf, type LockKey } from '../events/mirror/lock-key.ts';
import { isTokenOf } from '../events/mirror/tokens/token-memory.ts';
import { lockChannel } from '../events/names/names.ts';
import { recogniseCommand } from '../events/recognise/plain-command.ts';
import { recogniseScript } from '../events/recognise/recognise-script.ts';
import type { ClientsSignal, ConnectionSignal, KeyRead, PushSignal, WatchSignal } from '../signals/signal.ts';
import type { CommandStep, Step } from '../signals/step.ts';
import type { RecordedSignal } from './format.ts';
import type { IsLock } from './redact/lock-words.ts';
import { isAboutLock, redactCommand, redactPush } from './redact/redact-command.ts';
import { redactRead } from './redact/redact-read.ts';
import { signalsOfStep } from './steps-from-recording.ts';

const MOST_ADDRESSES = 50_000;
const IDLE_SECONDS = 35;
const READS_PER_LINE = 50;
/** Actions that do not prove by themselves that a script is about a lock: scripts do the same to other keys. */
const NOT_ALONE: ReadonlySet<string> = new Set(['renew-nothing', 'remove-members', 'delete']);

/**
 * Selects and redacts the steps that an interpreter gets, so that a recording of them gives the same events.
 *
 *   step ─► interpreter ─► events
 *     └───► recorder ────► lock signals, in order, with lock fields only
 *
 * Most steps change nothing and are left out. What they may have shown is added before the next signal that is kept:
 * that time passed, and the client and the name of a connection.
 */
export class Recorder {
  readonly #interpreter: Interpreter;
  readonly #isLock: IsLock;
  /** By address, the newest name of the connection that is in the recording. */
  readonly #names = new Map<string, string | undefined>();
  readonly #introduced = new WeakSet<LockKey>();
  /** The locks that the recording has something about. */
  readonly #recorded = new WeakSet<LockKey>();
  #clients = '[[],[],0]';
  #lookedAt = redisTime(0);
  #recordedLook = redisTime(0);

  constructor(interpreter: Interpreter) {
    this.#interpreter = interpreter;
    const isKnown = (db: number, name: string) => interpreter.keys.find(db, name) !== undefined;
    this.#isLock = (db, key) => {
      const beside = isKnown(db, key) ? undefined : companionFrom(key);
      return isKnown(db, beside ? interpreter.keys.nameFrom(db, beside.lock) : key);
    };
  }

  /** Returns the signals to keep for a step, from which the interpreter has just made `events` events. */
  note(step: Step, events: number): RecordedSignal[] {
    const lookedBefore = this.#lookedAt;
    this.#lookedAt = this.#interpreter.lookedAt;
    const kept = this.#kept(step, events > 0);
    if (kept === undefined) {
      if (events === 0) return [];
      this.#recordedLook = this.#lookedAt;
      return [{ kind: 'time', at: this.#lookedAt }];
    }
    const signals: RecordedSignal[] = lookedBefore === this.#recordedLook ? [] : [{ kind: 'time', at: lookedBefore }];
    if (kept.kind === 'bookmark') for (const { db, name } of kept.reads) this.#noteRecorded(db, name);
    this.#recordedLook = this.#lookedAt;
    if (kept.kind === 'clients') signals.push(...this.#ownersOf(kept));
    if (kept.kind === 'command') signals.push(...this.#introductionOf(kept), ...this.#connectionOf(kept));
    signals.push(...signalsOfStep(kept));
    return signals;
  }

  /** Returns the current state as signals that a recording can begin with. */
  beliefs(at: RedisTime, watch: Omit<WatchSignal, 'at' | 'kind'>): RecordedSignal[] {
    for (const key of this.#interpreter.keys.all()) this.#recorded.add(key);
    return [...beliefsOf(this.#interpreter, at, watch)];
  }

  #noteRecorded(db: number, name: string): void {
    const key = this.#interpreter.keys.find(db, name);
    if (key) this.#recorded.add(key);
  }

  #kept(step: Step, hasEvents: boolean): Step | undefined {
    switch (step.kind) {
      case 'command':
        return this.#keptCommand(step, hasEvents);
      case 'push':
        return this.#keptPush(step, hasEvents);
      case 'bookmark': {
        const redacted = step.reads.map((read) =>
          redactRead(read, this.#isLock, (token) => this.#isToken(read, token)),
        );
        const reads = redacted.filter((read) => read !== undefined);
        return reads.length > 0 || hasEvents ? { ...step, reads } : undefined;
      }
      case 'clients':
        return this.#keptClients(step, hasEvents);
      case 'failover':
      case 'blind-spot':
      case 'server': // a report names only keys and channels of locks
      case 'note':
        return step;
      case 'connection':
      case 'time':
      case 'watch':
        return undefined; // the recorder makes its own signals of these kinds
    }
  }

  /** Whether the value of a string is a token. Its form alone may not show that. */
  #isToken({ db, name }: KeyRead, token: string): boolean {
    return isTokenOf(this.#interpreter.keys.find(db, name), token);
  }

  /**
   * Keeps a push about a lock; at a level with commands only if it led to events. Without commands, any other push that
   * led to events is kept as well: a message about another key shows that nothing more will be heard about a key that
   * disappeared just before.
   */
  #keptPush(push: PushSignal, hasEvents: boolean): PushSignal | undefined {
    const { hasCommands } = this.#interpreter;
    if (isAboutLock(push, this.#isLock)) return hasEvents || !hasCommands ? push : undefined;
    return hasEvents && !hasCommands ? redactPush(push, this.#isLock) : undefined;
  }

  #keptCommand(step: CommandStep, hasEvents: boolean): CommandStep | undefined {
    const { head } = step;
    const [action] = step.inner.length === 0 ? recogniseCommand(head) : [];
    if (action?.do === 'name-connection') {
      const address = head.client ?? '';
      if (!this.#names.has(address)) return undefined;
      this.#names.set(address, action.name === '' ? undefined : action.name);
      return { ...step, head: { ...head, words: ['CLIENT', 'SETNAME', action.name] }, pushes: [] };
    }
    const isWhole = action?.do === 'flush' || action?.do === 'unsubscribe-all';
    if (isWhole && !hasEvents) return undefined;
    const did = step.inner.length > 0 ? recogniseScript(step) : undefined;
    const isLockScript =
      action?.do === 'renew-not-run' ||
      did?.some(
        (action) =>
          !('token' in action || isClaim(action) || NOT_ALONE.has(action.do)) ||
          ('evidence' in action && action.library !== undefined && action.evidence === 'sure') ||
          ('lock' in action && this.#isLock(dbOf(step), action.lock ?? '')),
      ) === true;
    const isTokenLock = (db: number, name: string, heldBy?: string) => {
      const key = this.#interpreter.keys.find(db, name);
      // the key may be a list that wakes waiters
      if (key === undefined) return this.#interpreter.strangeLocks.lockOf(db, name) !== undefined;
      const isHeldBy = (token: string) => key.holders.has(token) || key.mirrors?.tokens?.granted.has(token) === true;
      return isTokenKind(key.kind) && (heldBy === undefined || isHeldBy(heldBy));
    };
    return redactCommand(step, this.#isLock, isLockScript, isTokenLock);
  }

  /** Keeps the rows of lock clients and of connections in doubt; undefined if nothing changed. */
  #keptClients(step: ClientsSignal, hasEvents: boolean): ClientsSignal | undefined {
    const { clients: known, presence } = this.#interpreter;
    if (step.isUnavailable) return hasEvents ? step : undefined;
    const isOfClient = (address: string) => known.uuidAt(address) !== undefined || presence.isDoubtful(address);
    const clients = step.clients.filter(({ address }) => this.#names.has(address) || isOfClient(address));
    const present = new Set(clients.map(({ address }) => address));
    const isComplete = [...this.#names.keys()].every((address) => present.has(address));
    const { concluded } = presence.unheard;
    const now = JSON.stringify([
      clients.map(({ address, idleSeconds }) => [
        address,
        known.connections.nameAt(address),
        idleSeconds > IDLE_SECONDS,
      ]),
      concluded.map(({ client }) => client),
      known.settled,
    ]);
    const isNews = now !== this.#clients;
    this.#clients = now;
    for (const { address } of clients) {
      if (this.#names.has(address)) this.#names.set(address, known.connections.nameAt(address));
    }
    // a connection that was used just before a list was made may be missing from that list: it is forgotten only after
    // a later one
    for (const address of this.#names.keys()) if (!known.connections.has(address)) this.#names.delete(address);
    if (!hasEvents && isComplete && !isNews) return undefined;
    const { at, fresh } = presence.before;
    const before = { at, fresh: [...present].filter((address) => fresh.has(address)) };
    const unheard = concluded.length === 0 ? undefined : { unheard: concluded };
    return { kind: 'clients', at: step.at, clients: clients.map(plainRow), before, ...unheard };
  }

  /** The clients that connections in a list belong to, if no command in the recording shows that. */
  #ownersOf({ clients, at }: ClientsSignal): ConnectionSignal[] {
    return clients.flatMap(({ address }) => {
      const client = this.#interpreter.clients.uuidAt(address);
      if (client === undefined || this.#names.has(address)) return [];
      const name = this.#interpreter.clients.connections.nameAt(address);
      this.#names.set(address, name);
      return [
        { kind: 'connection', at, address, client, name: name ?? null, ...namedAtIn(this.#interpreter, address) },
      ];
    });
  }

  /**
   * A read to insert before a command, so that a replay takes the key for a token lock. Commands alone may not show
   * that it is one, for example if the user named the lock.
   */
  #introductionOf(step: CommandStep): RecordedSignal[] {
    const { head, inner } = step;
    const actions = inner.length === 0 ? recogniseCommand(head) : (recogniseScript(step) ?? []);
    const db = inner.length === 0 ? head.db : dbOf(step);
    const [action] = actions;
    const isShown = action?.do === 'token-try' || action?.do === 'token-drop';
    const key = isShown ? this.#interpreter.keys.find(db, action.lock) : undefined;
    const isFirst = key !== undefined && !this.#recorded.has(key);
    for (const each of actions) if ('lock' in each && each.lock !== undefined) this.#noteRecorded(db, each.lock);
    if (!key || (action?.do === 'token-drop' && !isFirst)) return [];
    const { at } = head;
    const tokens = key.mirrors?.tokens;
    if (tokens?.library !== undefined || !tokens?.isSure || this.#introduced.has(key)) return [];
    this.#introduced.add(key);
    const nothing = { type: 'none', fields: {}, pttl: -2, hasChanged: false, subscribers: null };
    return [
      {
        kind: 'bookmark',
        at,
        reads: [{ db, name: key.name, ...nothing, companions: { library: ['unknown', 'sure'] } }],
      },
    ];
  }

  #connectionOf({ head }: CommandStep): ConnectionSignal[] {
    const address = head.client ?? '';
    const name = this.#interpreter.clients.connections.nameAt(address);
    const isKnown = this.#names.has(address) && this.#names.get(address) === name;
    if (isKnown) return [];
    if (this.#names.size >= MOST_ADDRESSES) this.#names.clear();
    this.#names.set(address, name);
    if (name === undefined) return [];
    return [{ kind: 'connection', at: head.at, address, client: null, name, ...namedAtIn(this.#interpreter, address) }];
  }
}

function namedAtIn({ clients }: Interpreter, address: string): Pick<ConnectionSignal, 'namedAt'> {
  const namedAt = clients.connections.namedAt(address);
  return namedAt === undefined ? {} : { namedAt };
}

/** Copies the fields that a recording keeps: a row may have more. */
function plainRow({ address, name, library, ageSeconds, idleSeconds }: ClientsSignal['clients'][number]) {
  return { address, name, library, ageSeconds, idleSeconds };
}

/**
 * Yields the state of an interpreter at one instant as signals: how it watches, what the server reported, connections,
 * held locks, and other locks with companions.
 */
export function* beliefsOf(
  interpreter: Interpreter,
  at: RedisTime,
  watch: Omit<WatchSignal, 'at' | 'kind'>,
): Generator<RecordedSignal> {
  const learned = interpreter.hasIfEqual ? { hasIfEqual: true as const } : undefined;
  yield { kind: 'watch', at, ...watch, ...learned };
  const { facts } = interpreter.server;
  if (facts) yield { kind: 'server', at, since: null, facts };
  for (const { uuid, addresses, name, isBehindProxy } of interpreter.clients.all()) {
    const proxy = isBehindProxy ? { isBehindProxy: true as const } : undefined;
    for (const address of addresses) {
      yield { kind: 'connection', at, address, client: uuid, name, ...namedAtIn(interpreter, address), ...proxy };
    }
  }
  let reads: KeyRead[] = [];
  for (const key of interpreter.keys.all()) {
    const companions = expectedBeside(key);
    if (key.holders.size === 0 && !companions) continue;
    const fields = fieldsOf(key);
    const isThere = key.holders.size > 0;
    const ttl = key.expiresAt == null ? -1 : Math.max(0, millisBetween(at, key.expiresAt));
    const channel = channelOf(key);
    const listeners = interpreter.waits.listeners.count(channel);
    const subscribers = listeners > 0 ? listeners : null;
    reads.push({
      db: key.db,
      name: key.name,
      type: !isThere ? 'none' : isTokenKind(key.kind) ? 'string' : 'hash',
      fields: isTokenKind(key.kind) ? {} : fields,
      pttl: isThere ? ttl : -2,
      hasChanged: false,
      subscribers,
      ...(channel === lockChannel(key.name) ? {} : { channel }),
      ...(companions ? { companions } : {}),
    });
    if (reads.length < READS_PER_LINE) continue;
    yield { kind: 'bookmark', at, reads };
    reads = [];
  }
  if (reads.length > 0) yield { kind: 'bookmark', at, reads };
}
