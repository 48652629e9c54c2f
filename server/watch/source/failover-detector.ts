import type { ServerRole } from '../../../shared/base/server-role.ts';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { FailoverSignal } from '../../../shared/signals/signal.ts';
import { fieldsFromInfo, roleFromFields } from '../../redis/connection/info-fields.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';

/** The identity of a server: its process, and its replication history. */
type Identity = { readonly runId: string; readonly history: string; readonly historyBefore: string };
type Sample = { readonly at: RedisTime; readonly offset: number };

/** How many samples of the replication offset are kept. For a replica that is further behind, nothing new is known. */
const MOST_SAMPLES = 120;
/** How many addresses of replicas are remembered. */
const MOST_SERVERS = 1000;
/** Our estimate of Redis's clock may be off by this many µs. */
const CLOCK_SLACK = 20_000;

/**
 * Remembers which server was watched, and which writes its replicas have acknowledged. If the next connection is to
 * another server, or to a restarted one, there was a failover. The writes that had reached a replica are known.
 *
 *   master    offset 100 at 12:00:01      offset 140 at 12:00:02
 *   replica                               acknowledged 120: writes until 12:00:01 have arrived there
 */
export class FailoverDetector {
  /** The replicas, as last reported. */
  replicas: readonly string[] = [];
  /** As INFO last reported; undefined if INFO is refused. */
  role: ServerRole | undefined;
  #node: string | undefined;
  #identity: Identity | undefined;
  #samples: Sample[] = [];
  #arrived = new Map<string, RedisTime>();
  /** Every replica since this connection began: also those that were promoted since. */
  readonly #servers = new Set<string>();

  /** Asks a newly connected server for its identity. Returns the failover if there must have been one. */
  async meetServer(feed: OrderedFeed, node: string): Promise<FailoverSignal | undefined> {
    const [server, replication] = await feed.ask(['INFO', 'server'], ['INFO', 'replication']);
    const now = identityOf(fieldsFromInfo(server), fieldsFromInfo(replication));
    const before = { node: this.#node, identity: this.#identity, arrived: this.#arrived, replicas: this.replicas };
    this.#node = node;
    this.#identity = now;
    this.#servers.clear();
    const isOther = now && before.identity ? now.runId !== before.identity.runId : node !== before.node;
    if (before.node === undefined || !isOther) return undefined;
    this.#samples = [];
    this.#arrived = new Map();
    this.replicas = [];
    const isSuccessor = node !== before.node || (now?.historyBefore ?? '') === before.identity?.history;
    const replicatedUntil = isSuccessor ? arrivedAt(node, before) : null;
    return {
      kind: 'failover',
      at: feed.startedAt,
      how: isSuccessor ? 'promoted' : 'restarted',
      from: before.node,
      to: node,
      replicatedUntil,
    };
  }

  /** Asks the watched server how far behind its replicas are. */
  async measure(feed: OrderedFeed): Promise<void> {
    const at = redisTime(feed.now() - CLOCK_SLACK);
    const [reply] = await feed.ask(['INFO', 'replication']);
    const fields = fieldsFromInfo(reply);
    this.role = roleFromFields(fields);
    const offset = Number(fields.get('master_repl_offset'));
    if (this.role !== 'master' || !Number.isFinite(offset)) return;
    this.#samples.push({ at, offset });
    if (this.#samples.length > MOST_SAMPLES) this.#samples.shift();
    const replicas: string[] = [];
    for (const [name, value] of fields) {
      if (!/^slave\d+$/.test(name)) continue;
      const copy = new Map(value.split(',').map((pair) => pair.split('=') as [string, string]));
      if (copy.get('port') === '0') continue; // reads the stream without being a server, as level `replication` does
      const node = `${copy.get('ip')}:${copy.get('port')}`;
      replicas.push(node);
      if (this.#servers.size < MOST_SERVERS) this.#servers.add(node);
      const sample = this.#samples.findLast((each) => each.offset <= Number(copy.get('offset')));
      if (sample) this.#arrived.set(node, sample.at);
    }
    this.replicas = replicas.sort();
  }

  /**
   * Whether a replica has or had this address. If the watched server receives commands from that address, the replica
   * there is the master now.
   */
  isServer(address: string): boolean {
    return this.#servers.has(address);
  }
}

/**
 * Until when all writes had reached the new master: the replica at `node` or, if the address is the same as before, the
 * only replica. Null if unknown.
 */
function arrivedAt(
  node: string,
  {
    node: from,
    arrived,
    replicas,
  }: { node: string | undefined; arrived: Map<string, RedisTime>; replicas: readonly string[] },
): RedisTime | null {
  const [only, ...others] = replicas;
  const successor = node !== from ? node : others.length === 0 ? only : undefined;
  return successor === undefined ? null : (arrived.get(successor) ?? null);
}

function identityOf(
  server: ReadonlyMap<string, string>,
  replication: ReadonlyMap<string, string>,
): Identity | undefined {
  const runId = server.get('run_id');
  if (runId === undefined) return undefined;
  const history = replication.get('master_replid') ?? '';
  return { runId, history, historyBefore: replication.get('master_replid2') ?? '' };
}
