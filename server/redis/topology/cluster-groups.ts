import { serverLike, type WatchUrl } from '../../../shared/base/topology-url.ts';
import { aclLine, allow } from '../../../shared/doctor/rights/acl-line.ts';
import { shownCommand } from '../../../shared/doctor/rights/rights.ts';
import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import { RedisProblem } from '../connection/problem.ts';
import { endpointsFromSlots, parseClusterNodes } from './cluster-nodes.ts';
import { ClusterShards } from './cluster-shards.ts';
import { NodeRing, userOf } from './node-ring.ts';
import type { Group } from './replication-group.ts';
import type { GroupsSource } from './topology-poll.ts';

type ClusterUrl = Extract<WatchUrl, { kind: 'cluster' }>;

const MOST_ENDPOINTS = 10_000;

/** Asks the servers of a cluster in turn which server is the master of which slots. */
export class ClusterGroups implements GroupsSource {
  readonly ring: NodeRing;
  readonly #url: ClusterUrl;
  readonly #shards = new ClusterShards();
  /** Endpoints of every server seen so far. A failed server is no longer reported, but keeps its endpoint. */
  readonly #endpoints = new Map<string, string | null>();

  readonly user: string;

  constructor(url: ClusterUrl) {
    this.#url = url;
    this.user = userOf(url.seeds);
    this.ring = new NodeRing(url.seeds);
  }

  async ask(): Promise<Group[]> {
    const { displayUrl } = this.#url;
    const { reply, from } = await this.ring.ask('CLUSTER', 'NODES').catch(noCluster(displayUrl, this.user));
    const slots = await this.ring.askAt(from, 'CLUSTER', 'SLOTS').catch(noneIfRefused);
    if (this.#endpoints.size > MOST_ENDPOINTS) this.#endpoints.clear();
    for (const [id, endpoint] of endpointsFromSlots(slots)) this.#endpoints.set(id, endpoint);
    const nodes = parseClusterNodes(String(reply), from, this.#endpoints, this.#url.seeds[0]?.host);
    this.ring.learn(nodes.map(({ host, port }) => serverLike(from, host, port)));
    const groups = this.#shards.take(nodes).map(
      ({ key, master, replicas, slots }): Group => ({
        key,
        master: serverLike(from, master.host, master.port),
        replicas,
        slots,
      }),
    );
    if (groups.length > 0) return groups;
    throw new RedisProblem(problem('no-slots', { where: displayUrl }));
  }
}

/** Returns no endpoints if the user may not ask for them: then addresses are used. */
function noneIfRefused(error: unknown): unknown[] {
  if (/^NOPERM/.test(error instanceof Error ? error.message : '')) return [];
  throw error;
}

function noCluster(shown: string, user: string) {
  return (error: unknown): never => {
    if (/^NOPERM/.test(error instanceof Error ? error.message : '')) throw new RedisProblem(nodesRefused(user));
    if (!/cluster support disabled/i.test(String(error))) throw error;
    throw new RedisProblem(problem('no-cluster', { where: shown }));
  };
}

function nodesRefused(user: string): Problem {
  const commands = ['cluster|nodes', 'cluster|slots'];
  return problem('not-permitted', {
    ...{ user, absent: [], keys: [], isDatabase: false },
    commands: commands.map(shownCommand),
    grant: aclLine(user, commands.map(allow)),
  });
}
