import type { LockEvent } from '../../../shared/events/event.ts';
import { regroupIn } from '../../../shared/events/groups/regrouped.ts';
import { RunThinner } from '../../../shared/spans/thin-runs.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import type { BatchMessage, SnapshotMessage } from '../../../shared/wire/socket.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { LetterDraft, type Letters } from './letters.ts';

/** Maximum number of events kept in the page; the server keeps more. */
export const EVENT_CAP = 10_000;
/** Maximum number of dropped lock ids, client names and locks with letters that the page remembers. */
const SIDE_CAP = 5_000;

/** Everything the page knows from the socket, as of `seq`. */
export type LiveState = {
  /** `refused`: the server has too many viewers. */
  readonly link: 'connecting' | 'live' | 'lost' | 'refused';
  readonly locks: ReadonlyMap<string, Lock>;
  /** The newest events, without the inner events of dense runs. */
  readonly events: readonly LockEvent[];
  /** From this `seq` on, only events inside dense runs are missing. */
  readonly wholeFrom: number;
  /** Removes the events inside dense runs; null before the first event. */
  readonly thinner: RunThinner | null;
  readonly sources: readonly Source[];
  /** When the sources were last received, in this machine's time. */
  readonly sourcesHeardAt: number;
  readonly seq: number;
  /** Number of snapshots received. Some events before the newest snapshot may be missing. */
  readonly snapshotCount: number;
  /** Number of events that the server did not send because this page was slow. They can be read over HTTP. */
  readonly skipped: number;
  readonly lastHeardAt: number | null;
  /** Number of locks that the server knows and this page has not loaded. */
  readonly unloaded: number;
  /** Number of held locks by the last count of the server; null: all locks are loaded, or the server sent no count. */
  readonly heldByServer: number | null;
  /** Letters by lock id, including letters of former holders. */
  readonly letters: ReadonlyMap<string, Letters>;
  /** The names of clients in CLIENT LIST, by client id. Clients whose hold has ended are included. */
  readonly names: ReadonlyMap<string, string>;
  /** Ids of locks that the server has dropped since the last snapshot. */
  readonly gone: ReadonlySet<string>;
};

export type LiveMessage =
  | { readonly type: 'link'; readonly link: LiveState['link'] }
  | { readonly type: 'heard'; readonly heardAt: number }
  | {
      readonly type: 'snapshot';
      readonly heardAt: number;
      readonly message: SnapshotMessage;
      /** True if the server was restarted: its events are numbered from one again. */
      readonly isNewRun?: boolean;
    }
  | { readonly type: 'batch'; readonly heardAt: number; readonly message: BatchMessage }
  | { readonly type: 'sources'; readonly heardAt: number; readonly sources: readonly Source[] }
  /** History that another part of the page has read, used for its letters. */
  | { readonly type: 'history-read'; readonly events: readonly LockEvent[]; readonly locks: readonly LockState[] }
  /**
   * Locks read over HTTP. A lock is ignored if the socket has dropped it, or if the known state of the lock is not
   * older. `total`: the number of locks that the server knows; null: all of them have been read now; absent: as before.
   */
  | { readonly type: 'locks-read'; readonly locks: readonly Lock[]; readonly total?: number | null }
  /**
   * The number of locks that the server knows, and how many of them are held. Ignored if all locks are loaded.
   */
  | { readonly type: 'locks-counted'; readonly total: number; readonly held: number };

export const EMPTY_LIVE_STATE: LiveState = {
  link: 'connecting',
  locks: new Map(),
  events: [],
  wholeFrom: 0,
  thinner: null,
  sources: [],
  sourcesHeardAt: 0,
  seq: 0,
  snapshotCount: 0,
  skipped: 0,
  lastHeardAt: null,
  unloaded: 0,
  heldByServer: null,
  letters: new Map(),
  names: new Map(),
  gone: new Set(),
};

/** True while the page has no connection to the server, so that its state may be outdated. */
export function isCutOff({ link }: Pick<LiveState, 'link'>): boolean {
  return link === 'lost' || link === 'refused';
}

/** Returns the state after the messages, applied in order. A collection that does not change stays the same object. */
export function reduceLive(state: LiveState, messages: readonly LiveMessage[]): LiveState {
  if (messages.length === 0) return state;
  const next = new LiveDraft(state);
  for (const message of messages) next.apply(message);
  return next.state();
}

/** A state that messages change. Copies a collection at its first change. */
class LiveDraft {
  #state: LiveState;
  #locks: Map<string, Lock> | null = null;
  #events: LockEvent[] | null = null;
  readonly #letters: LetterDraft;
  #names: Map<string, string> | null = null;
  #gone: Set<string> | null = null;

  constructor(state: LiveState) {
    this.#state = state;
    this.#letters = new LetterDraft(state.letters);
  }

  apply(message: LiveMessage): void {
    switch (message.type) {
      case 'link':
        this.#state = { ...this.#state, link: message.link };
        break;
      case 'heard':
        this.#state = { ...this.#state, lastHeardAt: message.heardAt };
        break;
      case 'sources':
        this.#state = { ...this.#state, sources: message.sources, sourcesHeardAt: message.heardAt };
        break;
      case 'snapshot':
        this.#applySnapshot(message.message, message.heardAt, message.isNewRun === true);
        break;
      case 'batch':
        this.#applyBatch(message.message, message.heardAt);
        break;
      case 'history-read':
        for (const lock of message.locks) this.#letters.takeState(lock);
        for (const event of message.events) this.#letters.takeEvent(event);
        break;
      case 'locks-read':
        for (const lock of message.locks) {
          const known = this.#loaded.get(lock.id);
          const isGone = (this.#gone ?? this.#state.gone).has(lock.id);
          if (!isGone && (!known || known.changedAt < lock.changedAt)) this.#takeLock(lock);
        }
        if (message.total !== undefined) this.#count(message.total);
        break;
      case 'locks-counted':
        if (this.#state.unloaded > 0) this.#count(message.total, message.held);
        break;
    }
  }

  state(): LiveState {
    return {
      ...this.#state,
      ...(this.#locks ? { locks: this.#locks } : {}),
      ...(this.#events ? this.#keptEvents(this.#events) : {}),
      letters: this.#letters.letters(SIDE_CAP),
      ...(this.#names ? { names: newest(this.#names, SIDE_CAP) } : {}),
      ...(this.#gone ? { gone: new Set([...this.#gone].slice(-SIDE_CAP)) } : {}),
    };
  }

  /**
   * Starts again from a snapshot. After a restart of the server, the known events are dropped, because the server
   * numbers its events from 1 again.
   */
  #applySnapshot(message: SnapshotMessage, heardAt: number, isNewRun: boolean): void {
    if (isNewRun || message.seq < this.#state.seq) {
      this.#events = [];
      this.#state = { ...this.#state, thinner: null };
    }
    this.#locks = new Map();
    this.#gone = new Set();
    for (const [client, name] of Object.entries(message.names ?? {})) this.#name(client, name);
    for (const lock of message.locks) this.#takeLock(lock);
    this.#count(message.total ?? null, message.totalHeld ?? null);
    this.#state = {
      ...this.#state,
      link: 'live',
      seq: message.seq,
      sources: message.sources,
      sourcesHeardAt: heardAt,
      snapshotCount: this.#state.snapshotCount + 1,
      lastHeardAt: heardAt,
    };
  }

  #applyBatch(message: BatchMessage, heardAt: number): void {
    if (message.toSeq < this.#state.seq) return; // sent again after a reconnect: already applied
    if (message.events.length > 0) {
      for (const event of message.events) if (event.seq > this.#state.seq) this.#takeEvent(event);
    }
    for (const lock of message.locks) {
      // the lock may also be new to the server: its next count corrects this number
      if (this.#state.unloaded > 0 && !this.#loaded.has(lock.id)) this.#setUnloaded(this.#state.unloaded - 1);
      this.#takeLock(lock);
    }
    for (const id of message.gone) {
      this.#changedLocks().delete(id);
      this.#gone ??= new Set(this.#state.gone);
      this.#gone.add(id);
    }
    this.#state = {
      ...this.#state,
      link: 'live',
      seq: message.toSeq,
      skipped: this.#state.skipped + (message.skipped ?? 0),
      ...(message.sources ? { sources: message.sources, sourcesHeardAt: heardAt } : {}),
      lastHeardAt: heardAt,
    };
  }

  #takeEvent(event: LockEvent): void {
    this.#events ??= [...this.#state.events];
    const thinner = this.#state.thinner ?? new RunThinner();
    const isWhole = this.#events.at(-1)?.seq === event.seq - 1;
    if (this.#state.thinner === null || !isWhole) {
      this.#state = { ...this.#state, thinner, wholeFrom: isWhole ? this.#state.wholeFrom : event.seq };
    }
    this.#letters.takeEvent(event);
    thinner.take(this.#events, event);
    if (event.groupSeqs) regroupIn(this.#events, event);
  }

  #keptEvents(events: readonly LockEvent[]): Pick<LiveState, 'events' | 'wholeFrom'> {
    const dropped = events.at(-EVENT_CAP - 1)?.seq ?? 0;
    return { events: events.slice(-EVENT_CAP), wholeFrom: Math.max(this.#state.wholeFrom, dropped + 1) };
  }

  #takeLock(lock: Lock): void {
    this.#changedLocks().set(lock.id, lock);
    if ((this.#gone ?? this.#state.gone).has(lock.id)) {
      this.#gone ??= new Set(this.#state.gone);
      this.#gone.delete(lock.id);
    }
    this.#letters.takeLock(lock);
    for (const { client, name } of [...lock.holders, ...lock.waiters]) if (name !== null) this.#name(client, name);
  }

  /** `total`: how many locks the server has; null: all are loaded. `held`: how many of them are held; null: unknown. */
  #count(total: number | null, held = this.#state.heldByServer): void {
    this.#setUnloaded(total === null ? 0 : Math.max(0, total - this.#loaded.size), held);
  }

  #setUnloaded(unloaded: number, held = this.#state.heldByServer): void {
    this.#state = { ...this.#state, unloaded, heldByServer: unloaded > 0 ? held : null };
  }

  get #loaded(): ReadonlyMap<string, Lock> {
    return this.#locks ?? this.#state.locks;
  }

  #changedLocks(): Map<string, Lock> {
    this.#locks ??= new Map(this.#state.locks);
    return this.#locks;
  }

  #name(client: string, name: string): void {
    if ((this.#names ?? this.#state.names).get(client) === name) return;
    this.#names ??= new Map(this.#state.names);
    this.#names.set(client, name);
  }
}

function newest<K, V>(map: Map<K, V>, cap: number): Map<K, V> {
  return map.size <= cap ? map : new Map([...map].slice(-cap));
}
