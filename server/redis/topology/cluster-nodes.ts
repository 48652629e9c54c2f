import type { SlotRanges } from '../../../shared/base/key-slot.ts';

/** One server of a cluster, as CLUSTER NODES tells of it. */
export type ClusterNode = {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  /** It tells this of itself. */
  readonly isMyself: boolean;
  readonly isMaster: boolean;
  /** The others agree that it does not answer. */
  readonly isFailed: boolean;
  /** The id of its master; null for a master. */
  readonly masterId: string | null;
  /** Rises whenever slots get another master. */
  readonly epoch: number;
  readonly slots: SlotRanges;
};

/** Where clients are to find servers, by their ids; null: where they found the first, at another port. */
export type Endpoints = ReadonlyMap<string, string | null>;

/**
 * Reads the reply of CLUSTER SLOTS for the endpoints that clients are told: addresses, names, or nothing at all, as
 * `cluster-preferred-endpoint-type` says. A server that was told no name of its own has `?`.
 */
export function endpointsFromSlots(reply: unknown): Endpoints {
  const endpoints = new Map<string, string | null>();
  for (const row of Array.isArray(reply) ? reply : []) {
    for (const server of Array.isArray(row) ? row.slice(2) : []) {
      const [endpoint, , id] = Array.isArray(server) ? server : [];
      if (id === undefined) continue;
      if (endpoint === null) endpoints.set(String(id), null);
      else if (!/^(\?|)$/.test(String(endpoint))) endpoints.set(String(id), String(endpoint));
    }
  }
  return endpoints;
}

/**
 * Reads the reply of CLUSTER NODES. A server that does not know its own address is where it was reached; `common` is
 * the host of all whose endpoint is null.
 *
 *   id 10.0.0.2:7002@17002,host.example myself,master - 0 0 3 connected 10923-16383 [93->-id]
 */
export function parseClusterNodes(
  text: string,
  asked: { host: string; port: number; tls: boolean },
  endpoints: Endpoints = new Map(),
  common = asked.host,
): ClusterNode[] {
  const nodes: ClusterNode[] = [];
  for (const line of text.split('\n')) {
    const [id = '', address = '', flagText = '', master = '-', , , epoch = '0', , ...slots] = line.trim().split(' ');
    const flags = flagText.split(',');
    const place = /^(.*):(\d+)(?:@\d*)?(?:,([^,=]*))?/.exec(address);
    if (!place || flags.includes('handshake')) continue;
    const isMyself = flags.includes('myself');
    const [, ip = '', port = '0', name = ''] = place;
    if (ip === '' && !isMyself) continue; // `noaddr`
    const hasName = asked.tls && name !== '' && name !== '?'; // certificates are mostly for names
    const endpoint = endpoints.get(id);
    const host = endpoint === null ? common : hasName ? name : (endpoint ?? ip);
    nodes.push({
      id,
      host: host === '' ? asked.host : host,
      port: Number(port) === 0 ? asked.port : Number(port),
      isMyself,
      isMaster: flags.includes('master'),
      isFailed: flags.includes('fail'),
      masterId: master === '-' ? null : master,
      epoch: Number(epoch),
      slots: slots.flatMap(rangeOf),
    });
  }
  return nodes;
}

/** A run of slots. What moves right now, in brackets, is still served here. */
function rangeOf(text: string): (readonly [number, number])[] {
  const match = /^(\d+)(?:-(\d+))?$/.exec(text);
  return match ? [[Number(match[1]), Number(match[2] ?? match[1])]] : [];
}
