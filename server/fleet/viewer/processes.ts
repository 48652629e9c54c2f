import { byText } from '../../../shared/insights/attention.ts';
import type { Pulse, PulsePerson } from '../../../shared/wire/fleet/pulse.ts';
import type { SpanningClient } from '../../../shared/wire/fleet/spanning.ts';
import { inParts, type Sliced } from '../../watch/slices/in-slices.ts';

/**
 * One client as a pulse shows it. `name`: the name on the bus of the source that the pulse is about. `source`: the id
 * of the server in that pulse. `lastLock`: the lock that was counted last, so that each lock counts once.
 */
type Seen = {
  readonly name: string;
  readonly source: string;
  readonly person: PulsePerson;
  locks: number;
  lastLock: string;
};

/**
 * Which clients of several sources are one process. A Redisson client knows one server, so an application has one
 * client, with its own id, for each server:
 *
 *   orders   3f2a…:62  "billing" from 10.0.0.7  ─┐ one process, if no other client of these servers
 *   stock    9c1e…:62  "billing" from 10.0.0.7  ─┘ has this name and this host; its thread numbers are the same
 *
 * The shards of a cluster, and libraries that make a token for each lock, have the same id everywhere.
 */
export class Processes {
  /** By id: one entry for each server. */
  readonly #seen = new Map<string, Seen[]>();
  readonly #processes = new Map<string, string>();

  private constructor() {}

  /** Takes the holders and waiters of all pulses. */
  static *of(pulses: Iterable<Pulse>): Sliced<Processes> {
    const processes = new Processes();
    for (const pulse of pulses) {
      processes.#take(pulse);
      yield;
    }
    yield* processes.#conclude();
    return processes;
  }

  #take({ name, rows }: Pulse): void {
    for (const { id, source, holders, sleepers } of rows) {
      for (const holder of holders) if (!holder.isGone) this.#see(name, source, id, holder);
      for (const sleeper of sleepers) this.#see(name, source, id, sleeper);
    }
  }

  /**
   * Joins clients with the same connection name and the same host, one of each server. Those with tokens for ids have
   * neither.
   */
  *#conclude(): Sliced<void> {
    const found = new Map<string, Seen[]>();
    for (const part of inParts(this.#seen.values())) {
      for (const seen of part.flat()) {
        const { name, host } = seen.person;
        if (name && host !== null) addTo(found, `${host} ${name}`, [seen]);
      }
      yield;
    }
    for (const [looks, clients] of found) {
      if (clients.length < 2 || clients.some(({ person }) => person.hasTwin)) continue;
      for (const { person } of clients) this.#processes.set(person.client, looks);
      yield;
    }
  }

  /**
   * An id of a thread that is the same for all clients of its process, as far as they are known. A client without
   * threads has the id of its process.
   */
  threadOf({ client, thread }: Pick<PulsePerson, 'client' | 'thread'>): string {
    const process = this.#processes.get(client) ?? client;
    return thread === null ? process : `${process}:${thread}`;
  }

  /** Whether the same process may have clients of other sources that cannot be recognised. */
  isUnsure({ client, thread, name, host, hasTwin }: PulsePerson): boolean {
    if (thread === null || this.#processes.has(client)) return false;
    return (this.#seen.get(client)?.length ?? 0) < 2 && (!name || host === null || hasTwin);
  }

  /** Processes with clients of several sources, those with the most sources first. */
  onSeveral(): SpanningClient[] {
    const found = new Map<string, Seen[]>();
    for (const [id, clients] of this.#seen) {
      const process = this.#processes.get(id);
      if (process !== undefined || clients.length > 1) addTo(found, process ?? id, clients);
    }
    return [...found.values()]
      .filter((clients) => new Set(clients.map(({ name }) => name)).size > 1)
      .map(spanningClient)
      .sort((a, b) => b.on.length - a.on.length || byText(a.connection ?? '', b.connection ?? ''));
  }

  #see(name: string, source: string, lock: string, person: PulsePerson): void {
    const clients = this.#seen.get(person.client);
    const seen = clients?.find((each) => each.name === name && each.source === source);
    if (!seen) {
      const first = { name, source, person, locks: 1, lastLock: lock };
      if (clients) clients.push(first);
      else this.#seen.set(person.client, [first]);
    } else if (seen.lastLock !== lock) {
      seen.locks++;
      seen.lastLock = lock;
    }
  }
}

function addTo(lists: Map<string, Seen[]>, key: string, more: readonly Seen[]): void {
  const list = lists.get(key);
  if (list) list.push(...more);
  else lists.set(key, [...more]);
}

function spanningClient(clients: readonly Seen[]): SpanningClient {
  const [first] = clients;
  return {
    sameBy: clients.every(({ person }) => person.client === first?.person.client) ? 'id' : 'name',
    connection: first?.person.name ?? null,
    host: first?.person.host ?? null,
    on: clients
      .map(({ name, source, person, locks }) => ({ name, source, client: person.client, locks }))
      .sort((a, b) => byText(a.name, b.name)),
  };
}
