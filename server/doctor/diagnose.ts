import { loginOf, type RedisUrl } from '../../shared/base/redis-url.ts';
import { nodeOf, type WatchUrl } from '../../shared/base/topology-url.ts';
import { isMeasured } from '../../shared/doctor/level-costs.ts';
import type { Costs } from '../../shared/wire/doctor.ts';
import type { Problem } from '../../shared/wire/problems/problem.ts';
import { printableLines } from '../cli/printable.ts';
import { problemFromError } from '../redis/connection/problem.ts';
import type { Group, TopologyView } from '../redis/topology/replication-group.ts';
import { openTopology } from '../redis/topology/topology.ts';
import { type Examination, examineServer } from './examine.ts';
import { measureCosts, unavailableCost } from './measure.ts';
import { textFromDiagnosis } from './text.ts';

type ServerFindings = Examination &
  Pick<Group, 'replicas' | 'slots'> & { readonly node: string; readonly costs?: Costs };

/** The result of `lockscope doctor`: one server, or each master of a Sentinel group or cluster. */
export type Findings = {
  readonly url: string;
  readonly topology: WatchUrl['kind'];
  /** True if locks can be observed on every server. */
  readonly canObserve: boolean;
  readonly problem: Problem | null;
  readonly servers: readonly ServerFindings[];
};

/**
 * Examines each server behind a URL. Never rejects: failures are in the findings. `places`: the servers with their
 * logins, in the same order.
 */
export async function diagnose(url: WatchUrl): Promise<{ findings: Findings; places: readonly RedisUrl[] }> {
  const { kind: topology, displayUrl } = url;
  const { groups, problem } = url.kind === 'single' ? singleView(url) : await firstView(url);
  const servers = await Promise.all(
    groups.map(async ({ master, replicas, slots }) => {
      const examination = await examineServer(master, (error) =>
        problemFromError(error, master.displayUrl, loginOf(master)),
      );
      return { node: nodeOf(master), replicas, slots, ...examination };
    }),
  );
  const canObserve = servers.length > 0 && servers.every((server) => server.canObserve);
  const findings = { url: displayUrl, topology, canObserve, problem, servers };
  return { findings, places: groups.map(({ master }) => master) };
}

/**
 * Measures what each level costs, one server after the other. A server that cannot be observed is left as it is. If
 * measuring fails, the server gets the problem.
 */
export async function withCosts(
  findings: Findings,
  places: readonly RedisUrl[],
  onStep: (text: string) => void,
): Promise<Findings> {
  const signal = new AbortController().signal;
  const servers: ServerFindings[] = [];
  for (const [at, server] of findings.servers.entries()) {
    const place = places[at];
    servers.push(
      place && server.canObserve ? { ...server, ...(await costsOf(server, place, signal, onStep)) } : server,
    );
  }
  return { ...findings, servers };
}

async function costsOf(
  { levels, node }: ServerFindings,
  place: RedisUrl,
  signal: AbortSignal,
  onStep: (text: string) => void,
): Promise<{ costs: Costs } | { problem: Problem }> {
  const possible = levels.filter(({ level, works }) => works && isMeasured(level)).map(({ level }) => level);
  const report = ({ level, step, steps }: { level: string | null; step: number; steps: number }) =>
    onStep(`${node} ${step}/${steps} ${level ?? 'without a level'}`);
  try {
    const costs = await measureCosts(place, { levels: possible, signal, onStep: report });
    const absent = levels
      .filter(({ level, works }) => !works && isMeasured(level))
      .map(({ level, why }) => unavailableCost(level, why));
    return { costs: { ...costs, levels: [...costs.levels, ...absent] } };
  } catch (error) {
    return { problem: problemFromError(error, place.displayUrl, loginOf(place)) };
  }
}

/** The output of `doctor --json`: fields of the first server, and with Sentinel or Cluster a list of all servers. */
export function jsonFromFindings({ url, topology, canObserve, problem, servers }: Findings): object {
  const [first] = servers;
  const { node: _node, replicas: _replicas, slots: _slots, ...diagnosis } = first ?? NOTHING;
  const body = { v: 1, url, ...diagnosis, canObserve, problem: problem ?? diagnosis.problem };
  return topology === 'single' ? body : { ...body, topology, servers };
}

/** The findings as text, wrapped at `columns`. Control characters in names from the servers are escaped. */
export function textFromFindings(findings: Findings, columns?: number): string {
  return printableLines(textOf(findings, columns));
}

function textOf({ url, topology, canObserve, problem, servers }: Findings, columns?: number): string {
  if (topology === 'single') return servers.map((server) => textFromDiagnosis(url, server, columns)).join('');
  const problemLine = problem ? `${problem.message} ${problem.hint}\n` : '';
  const each = servers.map((server) => {
    const replicas = server.replicas.length > 0 ? `, replicas ${server.replicas.join(', ')}` : ', no replicas';
    const slots = server.slots.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(' ');
    const name = `${server.node}${slots === '' ? '' : `, slots ${slots}`}${replicas}`;
    return textFromDiagnosis(name, server, columns);
  });
  if (servers.length === 0) return `${url}\n${problemLine}Locks cannot be observed here.\n`;
  const end = canObserve ? `All of ${url} can be observed.` : `Not all of ${url} can be observed.`;
  return `${problemLine}${each.join('\n')}\n${end}\n`;
}

const NOTHING = {
  ...{ node: '', replicas: [], slots: [] },
  ...{ canObserve: false, problem: null, capabilities: null, bestLevel: null, levels: [], findings: [] },
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
