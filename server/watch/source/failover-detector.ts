import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { FailoverSignal } from '../../../shared/signals/signal.ts';
import { fieldsFromInfo } from '../../redis/info-fields.ts';
import type { OrderedFeed } from '../../redis/stream/ordered-feed.ts';

/** Who a server is: the process, and the history of writes it has. */
type Identity = { readonly runId: string; readonly history: string; readonly historyBefore: string };
type Sample = { readonly at: RedisTime; readonly offset: number };

/** How many samples of the write offset are kept: a copy that is further behind has nothing known of it. */
const MOST_SAMPLES = 120;
/** Our estimate of Redis's clock may be off by so many µs. */
const CLOCK_SLACK = 20_000;

/**
 * Remembers which server was watched, and how far its copies had come: what tells a failover when the next connection is
 * to another one, and which writes had reached it by then.
 *
 *   master   offset 100 at 12:00:01      offset 140 at 12:00:02
 *   copy                                 told 120: what was written until 12:00:01 has arrived there
 */
export class FailoverDetector {
  /** Servers that copy it, as last heard. */
  replicas: readonly string[] = [];
  /** `master` or `slave`, as it last said of itself; undefined where INFO is refused. */
  role: string | undefined;
  #node: string | undefined;
  #identity: Identity | undefined;
  #samples: Sample[] = [];
  #arrived = new Map<string, RedisTime>();

  /** Asks a server that was connected to who it is; gives back the failover there must have been. */
  async meet(feed: OrderedFeed, node: string): Promise<FailoverSignal | undefined> {
    const [server, replication] = await feed.ask(['INFO', 'server'], ['INFO', 'replication']);
    const now = identityOf(fieldsFromInfo(server), fieldsFromInfo(replication));
    const before = { node: this.#node, identity: this.#identity, arrived: this.#arrived, replicas: this.replicas };
    this.#node = node;
    this.#identity = now;
    const isOther = now && before.identity ? now.runId !== before.identity.runId : node !== before.node;
    if (before.node === undefined || !isOther) return undefined;
    this.#samples = [];
    this.#arrived = new Map();
    this.replicas = [];
    const isHeir = node !== before.node || (now?.historyBefore ?? '') === before.identity?.history;
    const replicatedUntil = isHeir ? arrivedAt(node, before) : null;
    return {
      kind: 'failover',
      at: feed.startedAt,
      how: isHeir ? 'promoted' : 'restarted',
      from: before.node,
      to: node,
      replicatedUntil,
    };
  }

  /** Asks the server that is watched how far its copies are. */
  async measure(feed: OrderedFeed): Promise<void> {
    const at = redisTime(feed.now() - CLOCK_SLACK);
    const [reply] = await feed.ask(['INFO', 'replication']);
    const fields = fieldsFromInfo(reply);
    this.role = fields.get('role');
    const offset = Number(fields.get('master_repl_offset'));
    if (this.role !== 'master' || !Number.isFinite(offset)) return;
    this.#samples.push({ at, offset });
    if (this.#samples.length > MOST_SAMPLES) this.#samples.shift();
    const replicas: string[] = [];
    for (const [name, value] of fields) {
      if (!/^slave\d+$/.test(name)) continue;
      const copy = new Map(value.split(',').map((pair) => pair.split('=') as [string, string]));
      const node = `${copy.get('ip')}:${copy.get('port')}`;
      replicas.push(node);
      const sample = this.#samples.findLast((each) => each.offset <= Number(copy.get('offset')));
      if (sample) this.#arrived.set(node, sample.at);
    }
    this.replicas = replicas.sort();
  }

  /** Whether a line by this address is what a master told its copy. */
  isServer(address: string): boolean {
    return this.replicas.includes(address);
  }
}

/** Until when everything had reached the one that took over: it by its name, or the only one there was. */
function arrivedAt(
  node: string,
  {
    node: from,
    arrived,
    replicas,
  }: { node: string | undefined; arrived: Map<string, RedisTime>; replicas: readonly string[] },
): RedisTime | null {
  const [only, ...others] = replicas;
  const heir = node !== from ? node : others.length === 0 ? only : undefined;
  return heir === undefined ? null : (arrived.get(heir) ?? null);
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
