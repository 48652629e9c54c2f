import { counted } from '../counted.ts';

/** Servers and failovers: where a lock is, its replicas, and clients that still think they hold a lost lock. */
export const servers = {
  onNode: (node: string) => `on ${node}`,
  slot: (slot: number) => `slot ${slot}`,
  shortSlot: (source: string, slot: number) => `${source} slot ${slot}`,
  what: { single: 'server', sentinel: 'master, followed by its Sentinels', cluster: 'shard of a cluster' },
  node: 'Server',
  noNode: 'unknown',
  replicas: 'Replicas',
  noReplicas: 'none: if the server fails, no replica has its locks',
  slots: 'Slots',
  shard: 'Source',
  role: 'Role',
  roles: { master: 'master', replica: 'replica' },
  uptime: 'Up for',
  memory: 'Memory',
  usedOf: (used: string, limit: string) => `${used} of ${limit}`,
  clients: 'Connections, Lockscope’s included',
  notAsked: 'Not known.',
  notReported: 'The server does not report it, or this user may not ask (INFO).',

  believers: 'Believers',
  believes: 'thinks it still holds it',
  believeCount: (count: number) => `${counted(count, 'believer')}`,
  /** Shown if another holder has the lock now. */
  both: (holder: string, believer: string) => `${holder} holds this lock. ${believer} still thinks it holds it too.`,
  bothHint: 'Both may be writing right now: check their data. Only one of them has the lock in Redis.',
  heldSince: 'Held since',
  lostAt: 'Lost',
  until: 'Lease would end',
  untilUnknown: 'not known',

  failoverTo: (node: string) => `failover to ${node}`,
  restarted: 'Redis restarted',
};
