import type { LineSignal } from '../../shared/signals/signal.ts';
import type { Step } from '../../shared/signals/step.ts';
import { scriptCallFromHead, scriptShaOf } from '../../shared/signals/step.ts';
import type { Check, Expected } from './expected.ts';
import { compareReleases, inBoth, type Releases, type Script, type ScriptOf, scriptOf } from './scripts.ts';

/** What the account remembers of one lock beyond what Redis keeps. */
export type LockNotes = {
  kind: string;
  /** The event that began each hold, by field of the hash, or by token. */
  readonly holds: Map<string, Expected>;
  /** How each hold ended, by field or token. After an expiry, a late unlock is refused with the reason `expired`. */
  readonly ended: Map<string, 'expired' | 'gone'>;
  /** When each thread was last refused the lock, if it has not acquired the lock since. */
  readonly refusedAt: Map<string, number>;
  /** When each thread was first refused the lock, and in which mode, since it last acquired the lock. */
  readonly firstRefusedAt: Map<string, { readonly mode: unknown; readonly at: number }>;
  /** The holder of each value of a group lock, and when its hold ends. */
  readonly owners: Map<string, { readonly holder: string; readonly end: number }>;
  /** The values of a group lock whose hold expired, each with its former holder. */
  readonly lost: Set<string>;
  /** The counter of a fenced lock, as far as events have been compared. */
  readonly fence: { isRead: boolean; isReported: boolean; token: string; holder: string };
  /** When the lock's key last expired without a key event (microseconds). */
  unheardEnd: number;
  /** Tokens that ever held the lock, and the token that each connection used last. */
  readonly everHeld: Set<string>;
  readonly tokenAt: Map<string, string>;
  /** When a token was last refused a renewal or a release. */
  readonly refusals: Map<string, number>;
};

/** What is known before a trace is read. */
export type Known = {
  /** The version of Redisson in the trace. */
  readonly release?: string | undefined;
  /** What the scripts of the trace do, if they are not in the table. */
  readonly scripts?: ScriptOf;
  /** When clients were killed, by their uuid and by the name of their connections (microseconds). No line shows it. */
  readonly killed?: ReadonlyMap<string, number>;
  /** When the events were read (microseconds), if the trace continues: later conclusions may be missing. */
  readonly readAt?: number;
};

/**
 * Libraries that an acquisition does not show, neither by the name of the lock nor by its token. A later script of the
 * library shows them, for example a release.
 */
const LATE: ReadonlySet<string> = new Set(['redis-semaphore', 'python-redis-lock', 'redlock-universal', 'upstash']);
/**
 * Libraries whose scripts other programs use as well: only a release shows that their string is a lock, and nothing
 * shows the library.
 */
export const UNNAMED: ReadonlySet<string> = new Set(['redlock-py']);
/** How the events of a lock show that its library is not known. */
export const UNKNOWN_LIBRARY: Expected['fields'] = { kindKnown: false, evidence: Array.isArray };

/** What the account remembers of a whole trace. */
export class Tracker {
  readonly #notes = new Map<string, LockNotes>();
  readonly #releases = new Map<string, Releases>();
  /** The clients whose holder ids came from each address. */
  readonly #clientsAt = new Map<string, Set<string>>();
  readonly #named = new Map<string, Set<string>>();
  readonly #totals = new Map<string, number>();
  readonly #listening = new Map<string, Set<string>>();
  /** Names of connections, by address. */
  readonly connections = new Map<string, string>();
  /** Expired permits that a script took back. */
  readonly expiredPermits = new Set<string>();
  /** Strings that a library uses as locks. The whole trace is needed to know them. */
  readonly tokenNames = new Set<string>();
  /** Names in `tokenNames` that only the name itself and a SETNX show as locks. */
  readonly #plainNames = new Set<string>();
  /** Locks that a script of a spin lock releases. */
  readonly spinNames = new Set<string>();
  /** The other library in this trace, and the libraries whose scripts were seen so far. */
  readonly library: string | undefined;
  readonly sure = new Set<string>();
  /** Locks that a script of the other library has used. Some of them have names that do not show the library. */
  readonly used = new Set<string>();

  /** The version of Redisson in this trace, if it is known. */
  readonly #release: string | undefined;

  readonly killed: ReadonlyMap<string, number>;
  readonly readAt: number;
  /**
   * The time of the newest end that Redis has reported (microseconds). A message has no time of its own, but comes
   * after the ends that were reported before it.
   */
  heardUntil = 0;
  readonly groups = new Map<string, { readonly db: number; readonly lock: string; readonly notes: LockNotes }>();

  constructor(
    steps: readonly Step[],
    { release, scripts = scriptOf, killed = new Map(), readAt = Number.POSITIVE_INFINITY }: Known,
  ) {
    this.#release = release;
    this.killed = killed;
    this.readAt = readAt;
    for (const step of steps) {
      if (step.kind !== 'command') continue;
      const call = scriptCallFromHead(step.head);
      const script = call && scripts(scriptShaOf(step.head));
      const library = script?.library;
      this.library ??= library;
      for (const key of library && call ? keysOf(library, call.keys) : []) this.tokenNames.add(key);
      if (script?.operation.startsWith('spin-')) this.spinNames.add(call?.keys[0] ?? '');
      const [command = '', name = '', , ...options] = step.head.words;
      const named = libraryOfName(name);
      if (command.toUpperCase() === 'SETNX' && name.endsWith(':lock'))
        for (const names of [this.tokenNames, this.#plainNames]) names.add(name);
      if (command.toUpperCase() === 'SET' && named && options.length > 0) {
        this.library ??= named;
        this.tokenNames.add(name);
      }
    }
  }

  /** Whether it is certain by now that the string with this name is a lock of this library. */
  isSure(library: string | undefined, name: string): boolean {
    if (this.#plainNames.has(name)) return false;
    return library === undefined || isQuorumName(name) || this.sure.has(library) || libraryOfName(name) === library;
  }

  /** The library of a string lock, if it is known by now. */
  libraryOf(name: string): { library?: string } {
    if (this.library === undefined || this.isUnknownSoFar(name) || (isQuorumName(name) && !this.used.has(name)))
      return {};
    return UNNAMED.has(this.library) ? {} : { library: this.library };
  }

  /** Whether no script of its library has shown yet that the string with this name is a lock. */
  isUnknownSoFar(name: string): boolean {
    const isLate = LATE.has(this.library ?? '') || UNNAMED.has(this.library ?? '');
    return isLate && !this.sure.has(this.library ?? '') && this.tokenNames.has(name);
  }

  /** The fields by which an event shows the library of a string lock. */
  signOf(name: string): Expected['fields'] {
    if (this.isUnknownSoFar(name)) return UNKNOWN_LIBRARY;
    return { ...this.libraryOf(name), ...(this.isSure(this.library, name) ? {} : { kindKnown: false }) };
  }

  notes(db: number, lock: string, kind: string): LockNotes {
    const id = `${db}:${lock}`;
    const known = this.#notes.get(id);
    if (known) return known;
    const sets = { everHeld: new Set<string>(), tokenAt: new Map(), refusals: new Map() };
    const fence = { isRead: false, isReported: false, token: '', holder: '' };
    const made: LockNotes = {
      kind,
      fence,
      owners: new Map(),
      lost: new Set(),
      unheardEnd: 0,
      holds: new Map(),
      ended: new Map(),
      refusedAt: new Map(),
      firstRefusedAt: new Map(),
      ...sets,
    };
    this.#notes.set(id, made);
    return made;
  }

  /**
   * The kinds that a lock may have so far. Plain and spin locks share scripts: only a later script shows which of the
   * two it is.
   */
  kindsOf(db: number, lock: string): readonly string[] {
    const { kind } = this.notes(db, lock, 'lock');
    return kind === 'lock' && this.spinNames.has(lock) ? ['lock', 'spin-lock'] : [kind];
  }

  find(db: number, lock: string): LockNotes | undefined {
    return this.#notes.get(`${db}:${lock}`);
  }

  /** Notes which releases of Redisson a client may have, by a script that it sent. */
  noteRelease(holder: string, { script, head }: { script: Script; head: LineSignal }): void {
    const client = clientOf(holder);
    this.noteClient(head.client ?? undefined, holder);
    if (script.releases) this.#releases.set(client, inBoth(this.#releases.get(client), script.releases));
  }

  /** Whether the scripts of a client show that it is no older than a release. */
  isSince(holder: string, release: string): boolean {
    return compareReleases(this.#releases.get(clientOf(holder))?.[0] ?? '0', release) >= 0;
  }

  /** Accepts a range that has the client's release in it, and is no wider than the scripts of the client show. */
  versionOf(holder: string): Check {
    const shown = this.#releases.get(clientOf(holder));
    return (value) => {
      if (!shown) return value === undefined;
      const [first = '', last = first] = String(value).split('–');
      const isNarrow = compareReleases(first, shown[0]) >= 0 && compareReleases(last, shown[1]) <= 0;
      const release = this.#release ?? first;
      return isNarrow && compareReleases(first, release) <= 0 && compareReleases(release, last) <= 0;
    };
  }

  listen(address: string, channel: string, isBeginning: boolean): void {
    const channels = this.#listening.get(address) ?? new Set();
    this.#listening.set(address, channels);
    if (isBeginning) channels.add(channel);
    else channels.delete(channel);
  }

  /**
   * Accepts the number of connections that listen on channels that pass the test, with or without those of killed
   * clients.
   */
  listeners(isMeant: (channel: string) => boolean, at: number): Check {
    const all = [...this.#listening].map(([address, channels]) => ({
      isKilled: this.#isKilled(address, at),
      count: [...channels].filter(isMeant).length,
    }));
    const sum = (each: typeof all) => each.reduce((total, { count }) => total + count, 0);
    const least = sum(all.filter(({ isKilled }) => !isKilled));
    return (value) => typeof value === 'number' && value >= least && value <= sum(all);
  }

  hasKilledListener(channel: string, at: number): boolean {
    return [...this.#listening].some(([address, channels]) => channels.has(channel) && this.#isKilled(address, at));
  }

  #isKilled(address: string, at: number): boolean {
    return (this.killed.get(this.connections.get(address) ?? '') ?? at) < at;
  }

  /** Whether a connection with this name, or this address, listens on a channel. */
  isListening(caller: string, channel: string): boolean {
    return [...this.#listening].some(
      ([address, channels]) => channels.has(channel) && (this.connections.get(address) ?? address) === caller,
    );
  }

  /** Stores the client of an address, from a holder id that it sent. */
  noteClient(address: string | undefined, holder: string): void {
    if (address !== undefined) this.#clientsAt.set(address, this.clientsAt(address).add(clientOf(holder)));
    const name = this.connections.get(address ?? '');
    if (name === undefined) return;
    const clients = this.#named.get(name) ?? new Set();
    this.#named.set(name, clients.add(clientOf(holder)));
  }

  /** The clients whose holder ids came from an address. */
  clientsAt(address: string): Set<string> {
    return this.#clientsAt.get(address) ?? new Set();
  }

  /** Accepts the client of a connection. If several clients used it, each of them is right, and so is an absent one. */
  clientAt(address: string): Check {
    const [only, ...others] = this.clientsAt(address);
    return (reported) =>
      reported === only || (others.length > 0 && (reported === undefined || others.includes(String(reported))));
  }

  /**
   * Accepts the client of a connection that listens on a shared channel: the only client with the connection's name. If
   * no client or several clients have this name, any client is accepted. If another connection with this name listens
   * there too, the client may be absent: a connection may stay open after its client lost it. Any holder is accepted.
   */
  listenerOn(address: string, channel: string): { readonly client: Check; readonly holder: Check } {
    const name = this.connections.get(address) ?? '';
    const isAlone = [...this.#listening].every(
      ([other, channels]) => other === address || !channels.has(channel) || this.connections.get(other) !== name,
    );
    const client: Check = (reported) => {
      const [only, ...others] = this.#named.get(name) ?? [];
      return others.length > 0 || only === undefined || reported === only || (reported === undefined && !isAlone);
    };
    return { client, holder: () => true };
  }

  total(db: number, name: string): number | undefined {
    return this.#totals.get(`${db}:${name}`);
  }

  /** Adds permits to the total, or sets it for the first time. */
  addToTotal(db: number, name: string, permits: number, isFirst: boolean): void {
    const id = `${db}:${name}`;
    this.#totals.set(id, isFirst ? permits : (this.#totals.get(id) ?? 0) + permits);
  }

  /** Raises the total if more permits are free than the total. */
  noteFree(db: number, name: string, available: number): void {
    const total = this.total(db, name);
    if (total !== undefined && total < available) this.#totals.set(`${db}:${name}`, available);
  }
}

/** The client's uuid in a holder id. */
export function clientOf(holder: string): string {
  return holder.slice(0, holder.indexOf(':'));
}

/** Whether this is a lock of Pottery or of RedLock.net, which name their locks alike. */
function isQuorumName(name: string): boolean {
  return name.startsWith('redlock:');
}

/** The library of a lock, for libraries whose locks can be recognised by their names. */
function libraryOfName(name: string): string | undefined {
  if (name.startsWith('job-lock:')) return 'shedlock';
  if (name.startsWith('framework/schedule-')) return 'laravel';
  return undefined;
}

/** The keys of a script that are locks: those of node-redis-warlock have a lease and a token among their keys. */
export function keysOf(library: string, keys: readonly string[]): readonly string[] {
  return library === 'warlock' ? keys.slice(0, 1) : keys;
}
