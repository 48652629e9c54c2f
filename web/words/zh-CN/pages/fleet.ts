import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';

/** 数据源页：总线上的所有数据源。 */
export const fleet: Translated<Words['fleet']> = {
  title: '全部数据源',
  sources: (count) => `${count} 个数据源`,
  follows: (followed, all) =>
    followed === all
      ? `共 ${all} 个数据源，全部正在跟踪。`
      : `共 ${all} 个数据源，正在跟踪其中 ${followed} 个；其余只显示每秒摘要。`,
  followsMeaning: (most) => `打开某个数据源即开始跟踪其事件。最多同时跟踪 ${most} 个，最久未查看的会被放弃。`,
  busLost: (url) => `总线 ${url} 没有响应。`,
  busLostHint: '页面显示的是之前的状态。请检查总线是否在运行。',
  none: '还没有观测器向这条总线写入数据。',
  noneHint: '请在每台服务器旁启动一个：lockscope observe REDIS_URL --bus BUS_URL',
  find: '查找锁、客户端或数据源',
  list: '数据源，最需要关注的在前',
  head: {
    source: '数据源',
    state: '状态',
    problems: '未解决的问题',
    held: '持有',
    waiting: '等待',
    longest: '最长等待',
    level: '级别',
    lag: '延迟',
    observer: '观测器',
  },
  live: '实时',
  followed: '跟踪中',
  notLive: (since) => `自 ${since} 起不再更新`,
  blind: (since) => `自 ${since} 起未被观测`,
  notWatched: '未被观测',
  critical: (count) => `${count} 个严重`,
  warnings: (count) => `${count} 个警告`,
  noProblems: '无',
  activeSince: (host, since) => `${host}，自 ${since}`,
  standbys: (count) => (count === 0 ? '无备用' : `${count} 个备用`),
  found: (count) => `${count} 个锁`,
  foundList: '匹配的锁（每个数据源的前 200 个）',
  foundNone: (text) => `没有锁、客户端或数据源与“${text}”匹配。`,
  foundNoneHint: '只搜索每个数据源中最需要关注的 200 个锁。打开数据源可搜索其全部内容。',
  foundHead: { lock: '锁', source: '数据源', holder: '持有者', waiting: '等待' },
  free: '空闲',
  spanning: {
    title: '跨多个数据源',
    noCircle: '未发现跨多个数据源互相等待的线程。',
    circle: (duration) => `跨多个数据源，至少已持续 ${duration}`,
    part: '属于一个跨多个数据源的死锁',
    circleList: '此死锁中的等待',
    circleHead: { waiter: '线程', lock: '等待', source: '所在数据源', holder: '持有者' },
    sameBy: {
      id: '很可能：这些客户端在各数据源上的 ID 相同。',
      name: '很可能：Redis 不显示哪些客户端属于同一进程。此处它们的连接名、主机和线程号相同，且这些服务器上没有其他客户端与之相同。',
    },
    advice: '结束其中一个进程最安全。或手动释放其中一个锁：持有它的线程此后将在没有锁的情况下工作。',
    unseen: '部分等待未知，因此可能遗漏此类死锁：',
    reason: {
      silent: (source) => `${source}：不再更新。`,
      'beyond-pulse': (source) => `${source}：等待的线程多于每秒摘要所能包含的数量。`,
      processes: (source) =>
        `${source}：有线程在等待，但其客户端没有连接名，或与同一主机上的其他客户端同名，因此无法识别它在其他数据源上的客户端。`,
      clocks: (source) =>
        `${source}：线程似乎互相等待，但按服务器时钟，其中一个线程之后又获取了锁。如果这些时钟不一致，则可能是死锁。`,
    },
    redLocks: 'RedLock',
    redLockList: '由一个线程在多个数据源上持有的锁（每个数据源的前 200 个锁）',
    redLockHead: { lock: '锁', holder: '持有者', on: '所在数据源', others: '由其他线程持有', majority: '多数' },
    majority: {
      true: '超过全部数据源的一半',
      false: '最多为这些数据源的一半',
      null: '未知：每秒摘要不含空闲的锁',
    },
    clients: '出现在多个数据源上的客户端',
    clientList: '在多个数据源上持有或等待锁的进程（每个数据源的前 200 个锁）',
    clientHead: { client: '客户端', host: '主机', on: '所在数据源' },
    onSource: (source, locks) => `${source}：${locks} 个锁`,
  },
};
