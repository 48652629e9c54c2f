import { nodeOf, type WatchUrl } from '../shared/base/topology-url.ts';
import type { Problem } from '../shared/wire/problems/problem.ts';
import { textFromDiagnosis } from './doctor.ts';
import { printableLines } from './printable.ts';
import { type Diagnosis, probeRedis } from './redis/probe.ts';
import { problemFromError } from './redis/problem.ts';
import type { Group, TopologyView } from './redis/topology/replication-group.ts';
import { openTopology } from './redis/topology/topology.ts';

/** The result of `lockscope doctor`: one server, or each master of a Sentinel group or cluster. */
export type Findings = {
  readonly url: string;
  readonly topology: WatchUrl['kind'];
  /** True if locks can be observed on every server. */
  readonly canObserve: boolean;
  readonly problem: Problem | null;
  readonly servers: readonly (Diagnosis & Pick<Group, 'replicas' | 'slots'> & { readonly node: string })[];
};

/** Probes each server behind a URL. Never rejects: failures are in the findings. */
export async function diagnose(url: WatchUrl): Promise<Findings> {
  const { kind: topology, displayUrl } = url;
  const { groups, problem } = url.kind === 'single' ? singleView(url) : await firstView(url);
  const servers = await Promise.all(
    groups.map(async ({ master, replicas, slots }) => {
      const diagnosis = await probeRedis(master, (error) => problemFromError(error, master.displayUrl));
      return { node: nodeOf(master), replicas, slots, ...diagnosis };
    }),
  );
  const canObserve = servers.length > 0 && servers.every((server) => server.canObserve);
  return { url: displayUrl, topology, canObserve, problem, servers };
}

/** The output of `doctor --json`: fields of the first server, and with Sentinel or Cluster a list of all servers. */
export function jsonFromFindings({ url, topology, canObserve, problem, servers }: Findings): object {
  const [first] = servers;
  const { node: _node, replicas: _replicas, slots: _slots, ...diagnosis } = first ?? NOTHING;
  const one = { v: 1, url, ...diagnosis, canObserve, problem: problem ?? diagnosis.problem };
  return topology === 'single' ? one : { ...one, topology, servers };
}

/** The findings as text. Control characters in names from the servers are escaped. */
export function textFromFindings(findings: Findings): string {
  return printableLines(textOf(findings));
}

function textOf({ url, topology, canObserve, problem, servers }: Findings): string {
  if (topology === 'single') return servers.map((server) => textFromDiagnosis(url, server)).join('');
  const problemLine = problem ? `${problem.message} ${problem.hint}\n` : '';
  const each = servers.map((server) => {
    const replicas = server.replicas.length > 0 ? `, replicas ${server.replicas.join(', ')}` : ', no replicas';
    const slots = server.slots.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(' ');
    return textFromDiagnosis(`${server.node}${slots === '' ? '' : `, slots ${slots}`}${replicas}`, server);
  });
  if (servers.length === 0) return `${url}\n${problemLine}Locks cannot be observed here.\n`;
  const end = canObserve ? `All of ${url} can be observed.` : `Not all of ${url} can be observed.`;
  return `${problemLine}${each.join('\n')}\n${end}\n`;
}

const NOTHING = {
  ...{ node: '', replicas: [], slots: [] },
  ...{ canObserve: false, problem: null, capabilities: null, bestLevel: null, levels: [] },
};

function singleView({ server }: Extract<WatchUrl, { kind: 'single' }>): TopologyView {
  return { groups: [{ key: '', master: server, replicas: [], slots: [] }], problem: null };
}

async function firstView(url: Exclude<WatchUrl, { kind: 'single' }>): Promise<TopologyView> {
  const topology = openTopology(url);
  try {
    return await new Promise<TopologyView>((resolve) => topology.start(resolve));
  } finally {
    topology.stop();
  }
}
