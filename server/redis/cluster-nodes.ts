import type { SlotRanges } from '../../shared/base/key-slot.ts';

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

/**
 * Reads the reply of CLUSTER NODES. A server that does not know its own address is where it was reached.
 *
 *   id 10.0.0.2:7002@17002,host.example myself,master - 0 0 3 connected 10923-16383 [93->-id]
 */
export function parseClusterNodes(text: string, asked: { host: string; port: number }, hasTls = false): ClusterNode[] {
  const nodes: ClusterNode[] = [];
  for (const line of text.split('\n')) {
    const [id = '', address = '', flagText = '', master = '-', , , epoch = '0', , ...slots] = line.trim().split(' ');
    const flags = flagText.split(',');
    const place = /^(.*):(\d+)(?:@\d*)?(?:,([^,=]*))?/.exec(address);
    if (!place || flags.includes('handshake')) continue;
    const isMyself = flags.includes('myself');
    const [, ip = '', port = '0', name = ''] = place;
    // certificates are mostly for names
    const host = hasTls && name !== '' && name !== '?' ? name : ip;
    if (host === '' && !isMyself) continue; // `noaddr`
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
