import { counted } from './counted.ts';

/** Servers and what a failover does: where a lock is, who copies it, who still believes in a hold that is lost. */
export const servers = {
  onNode: (node: string) => `on ${node}`,
  slot: (slot: number) => `slot ${slot}`,
  shortSlot: (source: string, slot: number) => `${source} slot ${slot}`,
  what: { single: 'server', sentinel: 'master, followed by its Sentinels', cluster: 'shard of a cluster' },
  node: 'Server',
  noNode: 'none known',
  replicas: 'Copied by',
  noReplicas: 'nobody: what it holds is lost with it',
  slots: 'Slots',
  shard: 'Source',

  believers: 'Believers',
  believes: 'believes to hold it',
  believeCount: (count: number) => `${counted(count, 'believer')}`,
  believesWhy:
    'Redis lost this hold when another server took over, and its thread was not told. It works on as if it held the lock.',
  /** Where somebody else holds the lock by now. */
  both: (holder: string, believer: string) => `${holder} holds this lock. ${believer} believes to hold it too.`,
  bothHint: 'Both may be at work at this moment: check what they wrote. Only one of them has the lock in Redis.',
  heldSince: 'Held since',
  lostAt: 'Lost',
  until: 'Lease would end',
  untilUnknown: 'not known',

  failoverTo: (node: string) => `failover to ${node}`,
  restarted: 'Redis restarted',
};
