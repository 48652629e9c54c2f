import type { WatchUrl } from '../../../shared/base/topology-url.ts';
import { ClusterGroups } from './cluster-groups.ts';
import type { Topology } from './replication-group.ts';
import { SentinelGroups } from './sentinel-groups.ts';
import { TopologyPoll } from './topology-poll.ts';

/** The topology behind this URL, from Sentinels or from a cluster. */
export function openTopology(url: Exclude<WatchUrl, { kind: 'single' }>): Topology {
  return new TopologyPoll(url.displayUrl, url.kind === 'sentinel' ? new SentinelGroups(url) : new ClusterGroups(url));
}
