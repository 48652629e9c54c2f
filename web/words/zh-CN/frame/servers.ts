import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';
import { number } from '../number.ts';

export const servers: Translated<Words['servers']> = {
  onNode: (node) => `位于 ${node}`,
  slot: (slot) => `槽位 ${slot}`,
  shortSlot: (source, slot) => `${source} 槽位 ${slot}`,
  what: { single: '服务器', sentinel: '由 Sentinel 指明的主节点', cluster: '集群的一个分片' },
  node: '服务器',
  noNode: '尚不知道',
  replicas: '副本',
  noReplicas: '没有副本：一旦宕机，没有副本保留其中的锁',
  slots: '槽位',
  shard: '数据源',
  role: '角色',
  roles: { master: '主节点', replica: '副本' },
  uptime: '已运行',
  memory: '内存',
  usedOf: (used, limit) => `${used}，上限 ${limit}`,
  clients: '连接数（含 Lockscope）',
  notAsked: '未知。',
  notReported: '服务器未提供，或此用户无权查询（INFO）。',

  believers: '自以为的持有者',
  believes: '自以为持有此锁',
  believeCount: (count) => `${number(count)} 个自以为的持有者`,
  both: (holder, believer) => `${holder} 持有此锁，而 ${believer} 也自以为持有它。`,
  bothHint: '此刻两者可能同时在工作：请检查它们各自写入的内容。在 Redis 中只有一方持有锁。',
  heldSince: '持有始于',
  lostAt: '丢失于',
  until: '租约本应结束于',
  untilUnknown: '未知',

  failoverTo: (node) => `故障转移至 ${node}`,
  restarted: 'Redis 已重启',
};
