import type { Words } from '../words.ts';

/** 客户端列表，以及单个客户端的页面。 */
export const clients: Words['clients'] = {
  title: '客户端',
  reading: '正在加载客户端。',
  none: '尚未看到任何客户端。',
  noneThen: '在这一时刻尚未看到任何客户端。',
  all: '所有客户端',
  about: '关于此客户端',
  head: { client: '客户端', connection: '连接', library: '客户端库', holds: '持有', waits: '等待', source: '来源' },
  fact: {
    id: '标识',
    name: '名称',
    connection: '连接',
    addresses: '地址',
    library: '客户端库',
    version: '版本',
    source: '来源',
  },
  notKnown: '未知',
  noneSeen: '未见到',
  connectedSince: (clock) => `自 ${clock} 起`,
  lastSeen: (clock) => `最后见于 ${clock}`,
  lastAddresses: '最后已知',
  holds: '持有的锁',
  waits: '等待的锁',
  noHold: '未见到此客户端持有锁。',
  noWait: '未见到此客户端等待锁。',
  column: { lock: '锁', thread: '线程', since: '开始于', count: '持有计数', attempts: '尝试次数' },
  sight: '只有 Monitor 级别才能看到哪些连接属于哪个客户端，以及大多数等待。',
};
