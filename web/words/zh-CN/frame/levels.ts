import { LEVEL_COSTS } from '../../../../shared/base/level-costs.ts';
import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';

const EVENTS = LEVEL_COSTS.events;

export const levels: Translated<Words['levels']> = {
  cannotSee: '当前看不到的内容：',
  seesAll: '在此级别下，没有已知的观测不到的锁信息。',
  sees: {
    monitor: '谁在请求、谁被拒绝、谁因何被唤醒。',
    replication: '锁的变化和唤醒消息，顺序精确；但看不到被拒绝的尝试，也看不到是哪个客户端。',
    events: '锁的变化和唤醒消息，但看不到被拒绝的尝试。',
    snapshot: '当前的持有者，每 2 秒读取一次。',
  },
  costs: {
    monitor: '开销取决于所有命令的字节数，而不只是锁的命令。',
    replication:
      '像副本一样读取复制流：实测开销低于“仅键事件”级别，但 Redis 会多算一个从不确认的副本。如果客户端使用 WAIT，或设置了 min-replicas-to-write，或有 Sentinel 或集群，则会被拒绝。',
    events: `我们的命令最多占用一个核的 ${EVENTS.ofCore}%，读取变化的锁时最多 ${EVENTS.readsOfCore}%。键事件在满负荷的 Redis 上，纯锁流量最多损失 ${EVENTS.atLimit}% 的吞吐量，其他流量损失 0–${EVENTS.usual}%。`,
    snapshot: `每 2 秒一次有界扫描：最多占用一个核的 ${LEVEL_COSTS.snapshot.ofCore}%。`,
  },
  price: {
    would: (percent, isMeasured) =>
      `MONITOR 现在约占此 Redis 一个 CPU 核的 ${percent}%（${isMeasured ? '依据此前的实测' : '估算'}）。`,
    now: (percent, isMeasured) => `MONITOR 约占此 Redis 一个 CPU 核的 ${percent}%（${isMeasured ? '实测' : '估算'}）。`,
  },
  pricedOut: 'Redis 只用一个核执行命令，因此执行的命令会减少。',
  priceUnknown: '无法得知 MONITOR 在此处的开销：该用户无权执行 INFO。',
  redisLoad: (commands, megabytes, used) =>
    `Redis 每秒执行 ${commands} 条命令，接收 ${megabytes} MB${used === null ? '' : `；占用一个 CPU 核的 ${used}%`}。`,
  loadBefore: (commands, pingBefore, ping) =>
    `启用 MONITOR 之前：每秒 ${commands} 条命令。PING 耗时 ${ping}，此前为 ${pingBefore}。`,
  noOutputLimit: {
    none: '此 Redis 对 pub/sub 客户端没有输出限制：如果 Lockscope 被暂停或本机休眠，MONITOR 的输出会占满 Redis 的内存。',
    unknown:
      'Lockscope 无法读取此 Redis 的输出限制。如果没有限制，一旦 Lockscope 被暂停或本机休眠，MONITOR 的输出会占满 Redis 的内存。',
  },
  onNow: '当前级别',
  onFor: (length) => `还将持续 ${length}`,
  switchTo: {
    monitor: '切换到 MONITOR',
    replication: '切换到复制流（实验性）',
    events: '切换到仅键事件',
    snapshot: '切换到仅快照',
  },
  elsewhere: '此数据源由另一个进程（观察者）观测。其级别在启动该进程处选择：lockscope observe URL --observe LEVEL。',
  monitorWarning: 'MONITOR 能看到是谁、为什么。启用期间，Redis 会把每条命令都复制给 Lockscope。',
  monitorGuard: '一旦 Redis 变慢，保护机制会停止它。',
  howLong: '持续多久',
  limits: { '60000': '1 分钟', '300000': '5 分钟', none: '直到我停止' },
  startMonitor: { '60000': '启动 MONITOR 1 分钟', '300000': '启动 MONITOR 5 分钟', none: '启动 MONITOR' },
  forPrice: (percent) => `（约占一个核的 ${percent}%）`,
  startAnyway: '仍然启用，持续 30 秒',
  back: '返回',
};
