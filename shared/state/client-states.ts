import { type Millis, plusMillis, type RedisTime, redisTime } from '../base/time.ts';
import { isOfClient, type LockEvent } from '../events/event.ts';
import type { PresenceState } from '../events/mirror/clients/client.ts';
import { clientOf } from '../events/names/names.ts';

/** One client of one source at one instant, as its events, its late reactions and failovers show it. */
export type ClientState = {
  readonly source: string;
  readonly client: string;
  readonly name: string | null;
  readonly library: string;
  readonly version: string | null;
  readonly presence: PresenceState;
  /** As in `client.*` events: since when the client is connected or idle, or when it was last seen. */
  readonly since: RedisTime;
  /** The connections that the client has, or was last seen with. */
  readonly addresses: readonly string[];
  readonly changedAt: RedisTime;
  /**
   * As in `client.unknown`: how many open connections may be the client's. Absent: nothing is known about its
   * connections.
   */
  readonly connections?: number;
  /**
   * When a late reaction of the client was last noted. Late reactions in the 10 s after it are not noted. Absent: none
   * was seen.
   */
  readonly lateAt?: RedisTime;
};

/**
 * The keys (`keyOf`) of the clients that changed. `shown`: those whose presence changed or that were dropped. `late`:
 * the client of which only a late reaction was noted.
 */
type ChangedClients = { readonly shown: readonly string[]; readonly late?: string };

const MOST_CHANGES_EACH = 50;
const MOST_CHANGES = 50_000;
/** Late reactions of a client are noted at most once in this time. */
const LATE_AGAIN: Millis = 10_000;

/**
 * The clients of all sources, now and at past instants. Changes are rare, so they are kept here. Beyond 50 changes of a
 * client, its oldest change is dropped. Beyond 50,000 changes in all, the client that changed longest ago is dropped.
 */
export class ClientStates {
  /**
   * The changes of each client by its key (`keyOf`), the newest change last. The client that changed longest ago is
   * first.
   */
  readonly #changes = new Map<string, ClientState[]>();
  #count = 0;

  /** Takes the next event; returns the clients that it changed. */
  take(event: LockEvent): ChangedClients {
    if (event.type === 'failover') return { shown: this.displace(event.source, event.at) };
    if (!isOfClient(event)) return this.#takeLate(event);
    const { source, client, name, library, clientVersion: version = null, since, addresses, at: changedAt } = event;
    const presence = PRESENCE[event.type];
    const unheard = event.connections === undefined ? undefined : { connections: event.connections };
    const lateAt = this.find(source, client)?.lateAt;
    const late = lateAt === undefined ? undefined : { lateAt };
    const state = { source, client, name, library, version, presence, since, addresses, changedAt };
    return { shown: this.#put({ ...state, ...unheard, ...late }) };
  }

  /**
   * Sets the clients of a source, or of all sources, to `unknown` from `at` on, without a number of connections.
   * Returns the keys of the clients that this changed.
   */
  displace(source: string | undefined, at: RedisTime): string[] {
    const known = [...this.#changes.values()].flatMap((changes) => changes.at(-1) ?? []);
    return known
      .filter((state) => (source ?? state.source) === state.source && isKnown(state))
      .flatMap(({ connections: _, ...state }) =>
        this.#put({ ...state, presence: 'unknown', since: lastSeen(state, at), changedAt: at }),
      );
  }

  /** Takes the state of a client that an earlier part of the stream left. */
  restore(state: ClientState): void {
    this.#put(state);
  }

  /** A client now, or as of `at`; undefined: nothing is known about the client at that time. */
  find(source: string, client: string, at?: RedisTime): ClientState | undefined {
    const changes = this.#changes.get(keyOf(source, client));
    return at === undefined ? changes?.at(-1) : changes?.findLast(({ changedAt }) => changedAt <= at);
  }

  /** Every client now, or as of `at`. The client whose newest change of all is the oldest comes first. */
  *clients(at?: RedisTime): Generator<ClientState> {
    for (const changes of this.#changes.values()) {
      const state = at === undefined ? changes.at(-1) : changes.findLast(({ changedAt }) => changedAt <= at);
      if (state) yield state;
    }
  }

  /** Notes that a client reacted late. */
  #takeLate(event: LockEvent): ChangedClients {
    if (!('lateMs' in event) || event.lateMs === undefined || event.holder === undefined) return NONE;
    const { source, at } = event;
    const state = this.find(source, clientOf(event.holder));
    if (!state || (state.lateAt !== undefined && plusMillis(state.lateAt, LATE_AGAIN) > at)) return NONE;
    const [late, ...shown] = this.#put({ ...state, lateAt: at, changedAt: redisTime(Math.max(at, state.changedAt)) });
    return { late, shown };
  }

  /** Returns the key of the client, then those of the clients that were dropped. */
  #put(state: ClientState): [string, ...string[]] {
    const key = keyOf(state.source, state.client);
    const changes = this.#changes.get(key) ?? [];
    this.#changes.delete(key);
    this.#changes.set(key, changes);
    changes.push(state);
    this.#count++;
    if (changes.length > MOST_CHANGES_EACH) {
      changes.shift();
      this.#count--;
    }
    if (this.#count <= MOST_CHANGES) return [key];
    const changed: [string, ...string[]] = [key];
    for (const [oldest, dropped] of this.#changes) {
      if (this.#count <= MOST_CHANGES) break;
      this.#changes.delete(oldest);
      changed.push(oldest);
      this.#count -= dropped.length;
    }
    return changed;
  }
}

/** The key of a client: unique over all sources. */
export function keyOf(source: string, client: string): string {
  return `${source}/${client}`;
}

const NONE: ChangedClients = { shown: [] };
const PRESENCE = {
  'client.connected': 'connected',
  'client.idle': 'idle',
  'client.gone': 'gone',
  'client.unknown': 'unknown',
} as const;

function isKnown({ presence, connections }: ClientState): boolean {
  return presence !== 'unknown' || connections !== undefined;
}

/** When a client was last seen: `at` if it was connected until then. */
function lastSeen({ presence, since }: ClientState, at: RedisTime): RedisTime {
  return presence === 'connected' ? at : since;
}
