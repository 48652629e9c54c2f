import { byText } from '../../../shared/insights/attention.ts';
import type { Pulse, PulsePerson } from '../../../shared/wire/fleet/pulse.ts';
import type { SpanningClient } from '../../../shared/wire/fleet/spanning.ts';

/** One client as the pulse of one source shows it. */
type Seen = { readonly name: string; readonly source: string; readonly person: PulsePerson; locks: number };

/**
 * Which clients of several sources are one process. A Redisson client knows one server, so an application has one client, with
 * its own id, for each server:
 *
 *   orders   3f2a…:62  "billing" from 10.0.0.7  ─┐ one process, if no other client of these servers
 *   stock    9c1e…:62  "billing" from 10.0.0.7  ─┘ has this name and this host; its thread numbers are the same
 *
 * The shards of a cluster, and libraries that make a token for each lock, have the same id everywhere.
 */
export class Processes {
  readonly #seen = new Map<string, Map<string, Seen>>();
  readonly #processes = new Map<string, string>();

  constructor(pulses: Iterable<Pulse>) {
    for (const { name, rows } of pulses) {
      for (const { source, holders, sleepers } of rows) {
        const alive = holders.filter(({ isGone }) => !isGone);
        for (const person of new Map([...alive, ...sleepers].map((each) => [each.client, each])).values()) {
          this.#see(name, source, person);
        }
      }
    }
    for (const [looks, clients] of this.#byLooks()) {
      const isSure = new Set(clients.map(({ name, source }) => `${name} ${source}`)).size === clients.length;
      const ids = new Set(clients.map(({ person }) => person.client));
      if (isSure && clients.every(({ person }) => !person.hasTwin))
        for (const id of ids) this.#processes.set(id, looks);
    }
  }

  /** The same for all threads that are one, as far as is known. */
  threadOf({ client, thread }: Pick<PulsePerson, 'client' | 'thread'>): string {
    const process = this.#processes.get(client) ?? client;
    return thread === null ? process : `${process}:${thread}`;
  }

  /** Whether the same process may have clients of other sources that cannot be recognised. */
  isUnsure({ client, thread, name, host, hasTwin }: PulsePerson): boolean {
    if (thread === null || this.#processes.has(client)) return false;
    return (this.#seen.get(client)?.size ?? 0) < 2 && (!name || host === null || hasTwin);
  }

  /** Processes with clients of several sources, those with the most sources first. */
  onSeveral(): SpanningClient[] {
    const found = new Map<string, Seen[]>();
    for (const [id, clients] of this.#seen) {
      const process = this.#processes.get(id) ?? id;
      found.set(process, [...(found.get(process) ?? []), ...clients.values()]);
    }
    return [...found.values()]
      .filter((clients) => new Set(clients.map(({ name }) => name)).size > 1)
      .map(spanningClient)
      .sort((a, b) => b.on.length - a.on.length || byText(a.connection ?? '', b.connection ?? ''));
  }

  #see(name: string, source: string, person: PulsePerson): void {
    const clients = this.#seen.get(person.client) ?? new Map<string, Seen>();
    this.#seen.set(person.client, clients);
    const seen = clients.get(`${name} ${source}`) ?? { name, source, person, locks: 0 };
    seen.locks++;
    clients.set(`${name} ${source}`, seen);
  }

  /** All clients with a connection name and one host, by both. Those with tokens for ids have neither. */
  #byLooks(): Map<string, Seen[]> {
    const found = new Map<string, Seen[]>();
    for (const clients of this.#seen.values()) {
      for (const seen of clients.values()) {
        const { name, host } = seen.person;
        if (!name || host === null) continue;
        const looks = JSON.stringify([name, host]);
        found.set(looks, [...(found.get(looks) ?? []), seen]);
      }
    }
    return found;
  }
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
