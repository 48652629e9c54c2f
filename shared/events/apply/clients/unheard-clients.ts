import { plusMillis, type RedisTime } from '../../../base/time.ts';
import type { ClientRow, ClientsSignal, UnheardClient } from '../../../signals/signal.ts';
import type { Context } from '../../context.ts';
import type { ReportedPresence } from '../../mirror/clients/client.ts';
import { areSilent, hasLasted, silentFor, unclaimedIn } from '../../mirror/unclaimed.ts';
import { clientOf, isHolder } from '../../names/names.ts';

/** If more connections than this belong to no known client, nothing is concluded from their silence. */
const MOST_UNCLAIMED = 1000;

type Conclusion = Omit<UnheardClient, 'client'>;

/**
 * Clients that hold a lock, but have sent no script of a lock since watching began. CLIENT LIST shows which open
 * connections may be theirs:
 *
 *   none               the client is probably gone
 *   only silent ones   the client is paused, cut off, or gone
 *   others             nothing is known
 *
 * If one of the first two states has lasted for 10 s, the clients are reported as `client.unknown` with the number of
 * these connections. When nothing is known any longer, they are reported again without the number.
 */
export class UnheardClients {
  readonly #to: Context;
  readonly #reported = new Map<string, Conclusion & { readonly seq: number }>();
  /** The time since which the lists show no connection that may belong to these clients, or only silent ones. */
  #since: { readonly isNone: boolean; readonly at: RedisTime } | undefined;

  constructor(to: Context) {
    this.#to = to;
    to.clients.reportedBefore = (uuid) => this.#reportedOf(uuid);
  }

  /** What has been concluded, as a recording keeps it. */
  get concluded(): readonly UnheardClient[] {
    return [...this.#reported].map(([client, { connections, since }]) => ({ client, connections, since }));
  }

  /** Takes the next list. `isProven`: its addresses are known to be those of MONITOR. */
  take({ clients: rows, at, before, unheard = [] }: ClientsSignal, isProven: boolean): void {
    // a recording keeps only a part of the list, and therefore the conclusions
    const now = before ? new Map(unheard.map((each) => [each.client, each])) : this.#conclude(rows, at, isProven);
    for (const [client, { since }] of this.#reported) {
      if (now.has(client)) continue;
      this.#reported.delete(client);
      // a client that has become known was reported as connected at its first command
      if (!this.#to.clients.isKnown(client)) this.#report(client, { since }, at);
    }
    for (const [client, conclusion] of now) {
      const reported = this.#reported.get(client);
      if (reported && reported.connections > 0 === conclusion.connections > 0) continue;
      this.#reported.set(client, { ...conclusion, seq: this.#report(client, conclusion, at) });
    }
  }

  /** Takes back all conclusions, because no list is available from here on, or another server is watched. */
  forget(at: RedisTime): void {
    for (const [client, { since }] of this.#reported) this.#report(client, { since }, at);
    this.#reported.clear();
    this.#since = undefined;
  }

  #conclude(rows: readonly ClientRow[], at: RedisTime, isProven: boolean): Map<string, Conclusion> {
    const { clients, hasCommands, blindTo } = this.#to;
    // lists before a blind spot do not contain connections that a client opened during it
    if (this.#since && blindTo !== undefined && blindTo > this.#since.at) this.#since = undefined;
    const unclaimed = hasCommands && isProven ? unclaimedIn(rows, clients) : undefined;
    const silentMs = unclaimed && unclaimed.length > 0 ? silentFor(unclaimed) : 0;
    const isNone = unclaimed?.length === 0;
    const isOnlySilent =
      unclaimed !== undefined && !isNone && unclaimed.length <= MOST_UNCLAIMED && areSilent(unclaimed);
    if (!isNone && !isOnlySilent) {
      this.#since = undefined;
      return new Map();
    }
    if (this.#since?.isNone !== isNone) this.#since = { isNone, at };
    const { at: since } = this.#since;
    if (!hasLasted(since, at)) return new Map();
    const { length: connections = 0 } = unclaimed ?? [];
    const conclusion = { connections, since: isNone ? since : plusMillis(at, -silentMs) };
    return new Map([...this.#holders()].map((client) => [client, conclusion]));
  }

  /** The clients that hold a lock, but have sent no script of a lock. */
  #holders(): Set<string> {
    const found = new Set<string>();
    for (const key of this.#to.keys.held()) {
      for (const field of key.holders.keys()) {
        const client = isHolder(field) ? clientOf(field) : undefined;
        if (client !== undefined && !this.#to.clients.isKnown(client)) found.add(client);
      }
    }
    return found;
  }

  #reportedOf(client: string): ReportedPresence | undefined {
    const reported = this.#reported.get(client);
    return reported && { presence: 'unknown', since: reported.since, name: null, seq: reported.seq };
  }

  #report(
    client: string,
    { connections, since }: Partial<Conclusion> & Pick<Conclusion, 'since'>,
    at: RedisTime,
  ): number {
    return this.#to.emit(
      { db: 0, lock: '', kind: 'lock', at, certainty: 'inferred' },
      {
        ...({ type: 'client.unknown', client, addresses: [], name: null, library: 'redisson', since } as const),
        ...(connections === undefined ? {} : { connections }),
      },
    );
  }
}
