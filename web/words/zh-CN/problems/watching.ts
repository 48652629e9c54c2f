import { areBesideLocks } from '../../../../shared/wire/problems/keys-beside-locks.ts';
import type {
  ReplicationRefusal,
  SightCode,
  TextsOf,
  ValuesOf,
  WatchingCode,
} from '../../../../shared/wire/problems/values.ts';
import type { Translated } from '../../translated.ts';
import { grantText, refusalsOf } from './redis.ts';

export const WATCHING_TEXTS: Translated<TextsOf<WatchingCode>> = {
  'too-many-shards': ({ refused, most, needsMb }) => ({
    message: `另有 ${refused} 个分片未被观测：${needsMb === null ? '' : '在当前内存上限下，'}Lockscope 最多观测 ${most} 个。`,
    hint:
      needsMb === null
        ? '请用另一个 Lockscope 通过各自的 URL 观测其中一部分。'
        : `请用 --memory ${needsMb}mb 启动，或用另一个 Lockscope 通过各自的 URL 观测其中一部分。`,
  }),
  'observer-ended': (values) => ({ message: `此数据源的观测线程已结束：${causeOf(values)}。`, hint: nextOf(values) }),
  'observer-busy': ({ seconds }) => ({
    message: `此数据源的观测线程在 ${seconds} 秒内没有响应。`,
    hint: '请稍后再试，或缩小请求范围。',
  }),
  'observer-failed': ({ quote }) => ({ message: `此数据源的观测线程无法回答：${quote}`, hint: '请报告此问题。' }),
  'observer-silent': ({ silentMs }) => ({
    message: `此数据源的观测线程已有 ${Math.round(silentMs / 1000)} 秒没有响应。`,
    hint: '不在 fleet 中时，Lockscope 会在一分钟后结束该观测线程并重新启动；在 fleet 中，如有备用观察器，则由它接管。',
  }),
  'monitor-refused': ({ user }) => ({
    message: `用户 ${user} 无权执行 MONITOR。`,
    hint: `如需允许：ACL SETUSER ${user} +monitor。在此之前，键事件级别可显示持有者与租约。`,
  }),
  'subscribe-refused': ({ user, grant }) => ({ message: `用户 ${user} 无权订阅键事件。`, hint: grantText(grant) }),
  'replica-monitor': () => ({
    message: '该服务器是副本：它的 MONITOR 只显示主节点做了什么，而不显示是谁要求的。',
    hint: '如需查看，请观测其主节点。',
  }),
  'no-output-limit': ({ isKnown }) => ({
    message: isKnown
      ? '此 Redis 对 pub/sub 客户端没有输出限制，因此 MONITOR 最多运行 5 分钟。'
      : 'Lockscope 无法读取此 Redis 对 pub/sub 客户端的输出限制，因此 MONITOR 最多运行 5 分钟。',
    hint: '请选择 5 分钟或更短。如需更改：CONFIG SET client-output-buffer-limit "pubsub 32mb 8mb 60"，并授予该用户 +config|get。',
  }),
  'over-budget': ({ costShare, redisCpuShare }) => ({
    message: `MONITOR 将约占此 Redis 一个 CPU 核的 ${percent(costShare)}%${redisCpuShare === null ? '' : `（Redis 目前占用 ${percent(redisCpuShare)}%）`}。`,
    hint: '如仍要短时间启用，请发送 "force": true。',
  }),
  'output-waited': ({ megabytes }) => only(`Redis 中积压了 ${megabytes} MB 的 MONITOR 输出。`),
  'behind-redis': ({ behindMs }) => only(`Lockscope 比 Redis 落后了 ${(behindMs / 1000).toFixed(1)} 秒。`),
  'slow-replies': ({ pingMs, beforeMs }) => only(`PING 耗时 ${pingMs} 毫秒，启用 MONITOR 之前为 ${beforeMs} 毫秒。`),
  'buffer-full': ({ isCounted, limitMb }) => {
    const limit = limitMb === null ? '' : `（上限 ${limitMb} MB）`;
    return only(
      isCounted
        ? `输出缓冲区已满${limit}，Redis 关闭了 MONITOR 连接。`
        : `MONITOR 连接断开，很可能是因为输出缓冲区已满${limit}。`,
    );
  },
  'cut-twice': () => only('MONITOR 连接在一分钟内断开了两次。'),
  'monitor-costly': ({ costShare, redisCpuShare }) =>
    only(`MONITOR 约占 Redis 一个 CPU 核的 ${percent(costShare)}%（Redis 共占 ${percent(redisCpuShare ?? 0)}%）。`),
  'monitor-time-over': () => only('MONITOR 在 5 分钟后结束，因为 Redis 对 pub/sub 客户端没有已知的输出上限。'),
  'monitor-without-scripts': ({ calls }) => ({
    message: `此服务器的 MONITOR 显示了 ${calls} 次脚本调用，却没有显示其中的任何命令（"[0 lua]"）。`,
    hint: '没有这些行，就看不到锁做了什么。代理或托管服务可能会省略它们：如有可能，请直接连接 Redis。',
  }),
  'measuring-already': () => ({ message: '正在测量。', hint: '请等待其结束，或将其取消。' }),
  'level-unavailable': ({ quote }) => only(`此级别在这里无法使用：${quote}`),
  'redis-in-trouble': ({ why, figure }) => ({ message: TROUBLE[why](figure), hint: '请在 Redis 恢复正常后再测量。' }),
  'replication-refused': ({ user }) => ({
    message: `用户 ${user} 无权读取复制流。`,
    hint: `如需允许：ACL SETUSER ${user} +psync +replconf。托管的 Redis 服务通常对所有用户都不允许。`,
  }),
  'replication-unavailable': ({ why }) => {
    const [message, hint] = AGAINST_REPLICATION[why];
    return hint === undefined ? only(message) : { message, hint };
  },
};

const NOT_HERE = '请在此使用键事件级别或 MONITOR 级别。';

const AGAINST_REPLICATION: Readonly<Record<ReplicationRefusal, readonly [message: string, hint?: string]>> = {
  replica: ['该服务器是副本：只读取主节点的复制流。', '请观测其主节点。'],
  cluster: ['该服务器属于一个集群，集群在迁移槽时依赖其副本。', NOT_HERE],
  'no-info': ['Redis 不允许此用户执行 INFO。', '如需允许：ACL SETUSER … +info。'],
  'info-missing': ['该服务器没有 INFO：它已被改名或移除。', NOT_HERE],
  'no-backlog': [
    '该服务器没有启用复制积压缓冲区，Redis 将不得不 fork 并发送全部数据。Lockscope 不会让它这样做。',
    '请连接一个副本：之后 INFO replication 会显示 repl_backlog_active:1。',
  ],
  'no-replica': ['没有在线的副本：Lockscope 将成为第一个，等待副本的客户端会开始等待它。', '请连接一个副本。'],
  'min-replicas': ['设置了 min-replicas-to-write：Redis 会把 Lockscope 算作一个正常的副本。', NOT_HERE],
  waits: [
    '该服务器的客户端在等待副本（WAIT），或者它正在关闭：它们会等待 Lockscope，而 Lockscope 从不确认。',
    NOT_HERE,
  ],
  sentinel: ['有 Sentinel 在监视该服务器：它们会把 Lockscope 记为一个副本。', NOT_HERE],
  'no-pubsub': [
    'Redis 不显示是否有 Sentinel 在监视该服务器，而 Sentinel 会把 Lockscope 记为一个副本。',
    '如需允许：ACL SETUSER … +pubsub|numsub。',
  ],
  'pubsub-missing': [
    '该服务器没有 PUBSUB，因此不显示是否有 Sentinel 在监视它，而 Sentinel 会把 Lockscope 记为一个副本。',
    NOT_HERE,
  ],
  'no-publish': [
    '此用户不能发布消息，因此 Lockscope 无法得知复制流当前处于哪个数据库。',
    '如需允许：ACL SETUSER … +publish &lockscope:probe:*。',
  ],
  scripts: ['该服务器复制的是脚本，而不是脚本的效果（lua-replicate-commands no）。', NOT_HERE],
  'not-continued': ['Redis 没有继续复制流。Lockscope 在 Redis 发送全部数据之前关闭了连接。', NOT_HERE],
  cuts: ['复制连接在一分钟内断开了三次以上。', NOT_HERE],
  slow: ['Lockscope 比复制流落后了 16 MB 以上。', NOT_HERE],
};

const TROUBLE = {
  slow: (ms: number) => `Redis 响应缓慢：一次 PING 耗时 ${ms} 毫秒。`,
  busy: (percentage: number) => `Redis 很忙：占用 ${percentage}% 的单核。`,
  full: (percentage: number) => `Redis 内存将满：已用 maxmemory 的 ${percentage}%。`,
  saving: () => 'Redis 正在保存数据。',
  loading: () => 'Redis 正在加载数据。',
} as const;

export const SIGHT_TEXTS: Translated<TextsOf<SightCode>> = {
  'unseen-expiries': ({ isUnknown }) =>
    only(
      isUnknown
        ? '过期与淘汰可能由推算得出，而非直接收到：不知道 Redis 是否发送相应的键事件。'
        : '过期与淘汰由推算得出，而非直接收到：Redis 没有发送相应的键事件（notify-keyspace-events 需要 Ex）。',
    ),
  'unseen-attempts': () => only('被拒绝的尝试，也就是谁在等待：只能看到有多少连接在监听某把锁。'),
  'unseen-senders': () => only('命令由谁发出，以及被拒绝的解锁与续期。'),
  'unseen-double-changes': () => only('瞬间发生的两次变化可能合并为一次。'),
  'unseen-numbers': () => only('两次读取之间的空闲许可数与闭锁计数：可能是 10 秒之前的值。'),
  'unseen-new-locks': ({ isUnknown }) =>
    only(
      isUnknown
        ? '上次扫描之后新出现的锁：不知道 Redis 是否发送键事件，因此只跟踪已知的锁。'
        : '上次扫描之后新出现的锁：Redis 不发送键事件，因此只跟踪已知的锁（可用 --configure-notifications 改变）。',
    ),
  'unseen-changes': ({ isUnknown }) =>
    only(
      isUnknown
        ? '两次快照之间的变化，若 Redis 不发送键事件（是否发送不得而知）：此处不发送失效通知。'
        : '两次快照之间的变化：该服务器既不发送键事件，也不发送失效通知。',
    ),
  'unseen-between': () => only('两次快照之间的一切：短暂的持有、释放、谁在等待、锁为何易手。'),
  'unseen-commands': () => only('命令由谁发出，以及被拒绝的尝试、解锁与续期。'),
  'unseen-wake-ups': () => only('唤醒消息：此处收不到（分片 pub/sub，或者是副本），因此释放与删除看起来一样。'),
  'unseen-before-scan': ({ percent: done }) => only(`此前已被持有且无人等待的锁：首次扫描已完成 ${done}%。`),
  'unseen-beyond-memory': () => only('部分被持有的锁：被持有的锁超出 --memory 的容量。'),
  'unseen-unmatched': ({ match }) => only(`名称不匹配 ${match.join('、')} 的锁：--match 将其排除。`),
  'unseen-dropped-lines': () => only('总线丢弃部分行之后无人触碰的锁：观察者此后还没有写出它的状态。'),
  'unseen-unsampled': () => only('部分新锁要到下次扫描才可见：太多其他键的变化与锁相似，因此只抽样读取其中一部分。'),
  'unseen-short-locks': ({ count }) =>
    only(`短暂的锁：最近一两分钟内，有 ${count} 个看起来像锁的键在读取之前就已结束。MONITOR 级别可以看到它们。`),
  'unseen-other-values': ({ count, name }) =>
    only(
      `值不是令牌的锁：有 ${count} 个带租约的键，值是数据、单词或数字，与缓存或计数器相同，因此未被当作锁，例如 ${name}。MONITOR 级别会显示或列出其中像锁一样使用的键。`,
    ),
  'unseen-other-forms': () =>
    only(
      '以计数器实现的锁（信号量与闭锁在有客户端等待时才能发现），以集合、有序集合、列表、或含有其他字段的哈希中某个字段实现的锁，以及没有过期时间的字符串，除非名称表明是锁且值是令牌。',
    ),
  'unseen-strange-locks': ({ count, name, form }) =>
    only(`${count} 个看起来像锁、但形式无法理解的键由谁持有：${STRANGE[form]}，例如 ${name}。`),
  'unseen-fields': ({ count }) =>
    only(`${count} 条字段通知中的字段：Redis 以无法识别的格式发送了它们。相应的锁改为通过读取获知。`),
  'unseen-waiters': () => only('谁在等待尚未发现的锁：该服务器的频道超过 10,000 个，或当前用户无权查询数量（INFO）。'),
  'unseen-clients': () =>
    only('哪些客户端仍保持连接：该服务器的连接超过 2,000 个，或当前用户无权查询数量（INFO），列出它们可能阻塞服务器。'),
  'unseen-before-text': () => only('MONITOR 文本开始之前的持有与等待。'),
  'unseen-when-recorded': ({ lack }) => only(WHEN_RECORDED[lack]),
  'unseen-connections': () => only('哪些客户端已连接：MONITOR 文本没有连接列表。'),
  'unseen-replies': () => only('Redis 的回复：MONITOR 文本只有命令。'),
  'unseen-script-lines': () => only('由脚本获取的锁：MONITOR 文本中没有脚本的行（“[0 lua]”）。请打开未过滤的文本。'),
  'unseen-key-events': ({ flags }) => only(`键事件：观测期间，另一个客户端将 notify-keyspace-events 改为 “${flags}”。`),
  'unseen-without-right': ({ loss, user, grant, ...refused }) =>
    only(`${[WITHOUT_RIGHT[loss], ...refusalsOf(refused, `用户 ${user} `)].join('：')}。${grantText(grant)}`),
  'unseen-keys': ({ user, names, commands = [], grant }) => {
    const using = commands.length === 0 ? '' : `用 ${commands.join('、')} `;
    const such = names.length === 0 ? '' : `，例如 ${names.join('、')}`;
    return areBesideLocks(grant)
      ? only(`公平锁的队列和 fencing token：用户 ${user} 无权读取与锁关联的键${such}。${grantText(grant)}`)
      : only(`用户 ${user} 无权${using}读取的键上的锁${such}。可用 --match 将其排除。${grantText(grant)}`);
  },
  'unseen-databases': ({ user, databases, grant }) =>
    only(`数据库 ${databases.join('、')} 中的锁：用户 ${user} 无权使用该数据库。${grantText(grant)}`),
};

const STRANGE: Readonly<Record<ValuesOf<'unseen-strange-locks'>['form'], string>> = {
  counter: '计数器',
  'sorted-set': '有序集合',
  'hash-field': '哈希的字段',
  set: '集合的成员',
  list: '列表中的令牌',
  empty: '空值',
};

const WHEN_RECORDED: Readonly<Record<ValuesOf<'unseen-when-recorded'>['lack'], string>> = {
  presence: '哪些客户端已连接：录制时未知。',
  'key-events': '键事件：录制时并未全部收到。',
  locks: '部分锁：录制时看不到，例如因为没有权限。',
  listeners: '有多少客户端在等待释放：录制时没有统计。',
  unmatched: '录制时名称不匹配 --match 的锁。',
  queues: '公平锁的队列：录制时无法读取。',
  unknown: '录制时看不到什么（例如因为没有权限）：此录制没有写明。',
};

const WITHOUT_RIGHT: Readonly<Record<ValuesOf<'unseen-without-right'>['loss'], string>> = {
  search: '没有事件提示的锁，例如此前已被持有的锁',
  databases: '其他数据库中此前已被持有的锁',
  strings: '键为字符串的锁、防护令牌，以及信号量与闭锁的计数',
  companions: '公平锁的队列，以及信号量的许可',
  large: '字段超过 64 个的锁',
  waiters: '谁在等待尚未发现的锁',
  listeners: '有多少客户端在等待释放',
  clients: '哪些客户端仍保持连接',
  progress: '首次扫描所有键的进度',
  settings: 'Redis 是否发送键事件，因此只跟踪已知的锁',
};

function only(message: string) {
  return { message, hint: '' };
}

function percent(share: number): number {
  return Math.round(share * 100);
}

function causeOf({ cause, quote = '' }: ValuesOf<'observer-ended'>): string {
  switch (cause) {
    case 'silent':
      return '一分钟没有响应';
    case 'stopped':
      return '已被停止';
    case 'exited':
      return `线程退出，代码 ${quote}`;
    case 'failed':
      return quote;
  }
}

function nextOf({ next, failures, most }: ValuesOf<'observer-ended'>): string {
  switch (next) {
    case 'soon':
      return 'Lockscope 会自动重新启动它。请在几秒后重试。';
    case 'again':
      return `Lockscope 会自动重新启动它（第 ${failures} 次，最多 ${most} 次），并重新读取所有锁。`;
    case 'never':
      return 'Lockscope 不再启动它。请重启 Lockscope 并报告此问题。';
  }
}
