import type { SlotRanges } from '../../../shared/base/key-slot.ts';

/** One server of a cluster, as CLUSTER NODES reports it. */
export type ClusterNode = {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  /** The server that replied. */
  readonly isMyself: boolean;
  readonly isMaster: boolean;
  /** The masters agree that this server does not answer. */
  readonly isFailed: boolean;
  /** The id of the master of a replica; null for a master. */
  readonly masterId: string | null;
  /** Rises whenever slots get another master. */
  readonly epoch: number;
  readonly slots: SlotRanges;
};

/** The hosts at which clients reach servers, by server id; null: the host in the URL, at another port. */
type Endpoints = ReadonlyMap<string, string | null>;

/**
 * Reads the endpoints for clients from the reply to CLUSTER SLOTS: addresses, names, or null, depending on
 * `cluster-preferred-endpoint-type`. A server without a configured name has `?`.
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
 * Reads the reply to CLUSTER NODES. A server that does not know its own address gets the one at which it was asked.
 * `common` is the host of all servers whose endpoint is null.
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
    const hasName = asked.tls && name !== '' && name !== '?'; // most certificates are for names
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

/**
 * A range of slots. Slots that are being moved are in brackets, which are ignored: those that move away are in a range
 * too, because they are still served here.
 */
function rangeOf(text: string): (readonly [number, number])[] {
  const match = /^(\d+)(?:-(\d+))?$/.exec(text);
  return match ? [[Number(match[1]), Number(match[2] ?? match[1])]] : [];
}
