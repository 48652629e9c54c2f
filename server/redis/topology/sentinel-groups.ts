import { nodeName, serverLike, type WatchUrl } from '../../../shared/base/topology-url.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { RedisProblem } from '../connection/problem.ts';
import { NodeRing, userOf } from './node-ring.ts';
import type { Group } from './replication-group.ts';
import type { GroupsSource } from './topology-poll.ts';

type SentinelUrl = Extract<WatchUrl, { kind: 'sentinel' }>;

/**
 * Asks the Sentinels in turn which server is the master. A Sentinel that was cut off may report an old master: only the
 * newest configuration, by its epoch, counts.
 */
export class SentinelGroups implements GroupsSource {
  readonly ring: NodeRing;
  readonly #url: SentinelUrl;
  #epoch = -1;
  #group: Group | undefined;

  readonly user: string;

  constructor(url: SentinelUrl) {
    this.#url = url;
    this.user = userOf(url.seeds);
    this.ring = new NodeRing(url.seeds, true);
  }

  async ask(): Promise<Group[]> {
    const { master, displayUrl, seeds, db } = this.#url;
    const fields = fieldsOf(
      (await this.ring.ask('SENTINEL', 'MASTER', master).catch(noMaster(master, displayUrl))).reply,
    );
    const [seed] = seeds;
    const epoch = Number(fields.get('config-epoch') ?? 0);
    const host = fields.get('ip') ?? '';
    if (!seed || host === '') throw new Error(`the Sentinels reported no address of ${master}`);
    if (epoch < this.#epoch && this.#group) return [this.#group];
    this.#epoch = epoch;
    const server = serverLike(seed, host, Number(fields.get('port')), db);
    this.#group = { key: master, master: server, replicas: await this.#replicas(master), slots: [] };
    await this.#learnSentinels(master);
    return [this.#group];
  }

  async #replicas(master: string): Promise<string[]> {
    const rows = await this.#rows('SLAVES', master); // Sentinels of all versions know this word
    return rows
      .filter((row) => !/s_down|o_down|disconnected/.test(row.get('flags') ?? ''))
      .map((row) => nodeName(row.get('ip') ?? '', Number(row.get('port'))))
      .sort();
  }

  async #learnSentinels(master: string): Promise<void> {
    const [seed] = this.#url.seeds;
    if (!seed) return;
    const rows = await this.#rows('SENTINELS', master);
    this.ring.learn(rows.map((row) => serverLike(seed, row.get('ip') ?? '', Number(row.get('port')))));
  }

  async #rows(word: string, master: string): Promise<Map<string, string>[]> {
    const { reply } = await this.ring.ask('SENTINEL', word, master);
    return Array.isArray(reply) ? reply.map(fieldsOf) : [];
  }
}

/** If a server is not a Sentinel, or does not know the master, throws the problem that the user can solve. */
function noMaster(master: string, shown: string) {
  return (error: unknown): never => {
    if (/unknown command/i.test(String(error))) {
      throw new RedisProblem(problem('no-sentinel', { where: shown }));
    }
    if (!/no such master/i.test(String(error))) throw error;
    throw new RedisProblem(problem('no-such-master', { where: shown, master }));
  };
}

/** `[name, value, name, value, …]` by name. */
function fieldsOf(reply: unknown): Map<string, string> {
  const flat = Array.isArray(reply) ? reply.map(String) : [];
  const fields = new Map<string, string>();
  for (let at = 0; at + 1 < flat.length; at += 2) fields.set(flat[at] ?? '', flat[at + 1] ?? '');
  return fields;
}
