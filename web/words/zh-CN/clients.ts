import type { Translated } from '../translated.ts';
import type { Words } from '../words.ts';

/** 客户端列表，以及单个客户端的页面。 */
export const clients: Translated<Words['clients']> = {
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
  noHold: '没有此客户端的已知持有。',
  noWait: '没有此客户端的已知等待。',
  column: { lock: '锁', thread: '线程', since: '开始于', count: '持有计数', attempts: '尝试次数' },
  renewals: {
    title: '续期',
    none: (from) => `自 ${from} 起未见到此客户端的看门狗续期。`,
    count: '由其看门狗',
    since: (count, from) => `自 ${from} 起 ${count} 次`,
    late: '租约过去三分之二之后才续期',
    longest: '距续期的最长时间',
    leastLeft: '续期时剩余的最短时间',
    expired: '曾续期后又过期的租约',
    pauses: '停顿',
    pausesWhy:
      '在这些时段里，没有见到此客户端的任何尝试、解锁或续期，而它有多把锁已到续期时间；随后这些续期一起到来。可能是进程停顿，也可能是它与 Redis 的连接停顿。',
    pauseFrom: '开始',
    pauseLength: '时长',
    locks: '锁',
  },
  subscriptions: {
    title: '订阅',
    channel: '频道',
    none: (from) =>
      `未知此客户端有尚未结束的订阅。${from} 之前的订阅，以及可能属于多个客户端的连接上的订阅，可能未列出。`,
    since: (from) =>
      `自 ${from} 起所见到的。更早的订阅，以及可能属于多个客户端的连接上的订阅，可能不在其中。连接已中断的订阅可能仍被列出。`,
    mayHaveEnded: '（可能已结束：有未知客户端退订了此频道）',
    unseen: {
      events: '在 events 级别：看不到。只有 Monitor 级别能看到订阅。',
      replication: '在 replication 级别：看不到。只有 Monitor 级别能看到订阅。',
      snapshot: '在 snapshot 级别：看不到。只有 Monitor 级别能看到订阅。',
      unwatched: '看不到：此来源在这一时刻未被观察。',
    },
  },
  clock: {
    title: '时钟',
    near: '未见到与 Redis 时钟相差 1 秒或以上。',
    ahead: (time) => `比 Redis 的时钟至少快 ${time}。`,
    behind: (time) => `比 Redis 的时钟最多慢 ${time}。`,
    measured: '测量于',
    way: '客户端读取时钟之后，脚本要过一段时间才到达。时钟实际上可能比测得的再快这么多。',
    none: '未测量：没有对公平锁的尝试显示过它。',
    since: (from) => `自 ${from} 起读取`,
  },
  sight: '只有 Monitor 级别才能看到哪些连接属于哪个客户端，以及大多数等待。',
};
