import type { Words } from '../words.ts';

const of = (lock: string | null) => (lock === null ? '' : `（${lock}）`);

/** 等待时间花在哪里的页面。 */
export const waits: Words['waits'] = {
  title: '等待时间花在哪里',
  reading: '正在汇总等待。',
  open: '等待时间花在哪里',
  stretch: '时段',
  last: (minutes) => `最近 ${minutes} 分钟`,
  before: (minutes) => `光标之前 ${minutes} 分钟`,
  between: (from, to, length) => `${from} – ${to}（${length}）`,
  backToLast: '最近几分钟',
  inTimeline: '在时间线中显示',
  none: '这段时间内没有线程等待。',
  noneSeen: '这段时间内没有观测到等待。',
  unknown: '看不到这段时间内是否有线程等待。',
  notAll: '这段时间的等待并未全部计入。',
  unseen: {
    level: (source, time) => `${source}：有 ${time} 未启用 monitor 级别，看不到等待。`,
    unwatched: (source, time) => `${source}：有 ${time} 未被观察。`,
  },
  later: (clock) => `内存中的记录从 ${clock} 开始。更早的等待未计入。`,
  cut: (clock) => `持有和等待过多。只计入 ${clock} 之后的。`,
  total: (waits, time) => `${waits} 次等待共 ${time}。`,
  most: {
    hold: (who, lock, time, share) =>
      who === null
        ? `最大的一部分（${time}，${share}）花在多个持有者的持有上。`
        : `最大的一部分（${time}，${share}）花在 ${who} 对 ${lock} 的持有上。`,
    circle: (_who, _lock, time, share) => `最大的一部分（${time}，${share}）花在死锁中：线程互相等待。`,
    waking: (_who, _lock, time, share) => `最大的一部分（${time}，${share}）花在唤醒上：锁已空闲，下一个线程尚未醒来。`,
    free: (_who, _lock, time, share) => `最大的一部分（${time}，${share}）里锁是空闲的，但没有线程来获取。`,
    'evicted-head': (who, lock, time, share) =>
      `最大的一部分（${time}，${share}）花在排在队首${of(lock)}却没有来的 ${who ?? '线程'} 之后。`,
    unclear: (_who, _lock, time, share) => `最大的一部分（${time}，${share}）不知道是被哪个持有者挡住的。`,
    unseen: (_who, _lock, time, share) => `最大的一部分（${time}，${share}）未被观察：锁可能被持有。`,
  },
  costliest: (who, lock, waiters, cost) => `${who} 对 ${lock} 的一次持有让 ${waiters} 个线程共等待了 ${cost}。`,
  part: {
    hold: (who, lock) => (who === null ? '其他持有者' : `被 ${who} 持有${of(lock)}`),
    circle: () => '死锁',
    waking: () => '空闲，下一个线程尚未醒来',
    free: () => '空闲，没有线程来获取',
    'evicted-head': (who) => (who === null ? '排在其他失效队首之后' : `排在失效队首 ${who} 之后`),
    unclear: () => '持有者不明',
    unseen: () => '未被观察',
  },
  by: { locks: '锁', clients: '客户端', threads: '线程', holds: '代价最大的持有', longest: '最长的等待' },
  ranking: '排行',
  head: {
    lock: '锁',
    client: '客户端',
    thread: '线程',
    waits: '等待次数',
    waited: '等待时间',
    spentOn: '花在',
    cost: '让其他线程等待',
    holder: '持有者',
    from: '开始于',
    length: '时长',
    waiters: '等待的线程',
  },
  figures: {
    title: '数据',
    measure: '项目',
    count: '次数',
    median: '中位数',
    p95: '第 95 百分位',
    longest: '最长',
    of: { waits: '最终获得锁的等待', holds: '持有（从头到尾都观测到）', wakeUps: '唤醒，从释放到下一次持有' },
    together: '全部等待合计',
    refusals: '每次等待被拒绝的尝试',
    gaveUp: '放弃的等待',
    compare: '与前一时段比较',
    before: (figure) => `之前：${figure}`,
    partlyBefore: '前一时段只观测到一部分。',
    reading: '正在加载前一时段。',
    since: (all, wakeUps) => `持有和等待从 ${all} 起统计，其他数据从 ${wakeUps} 起统计。`,
  },
  goesOn: (length) => `${length}，仍在继续`,
  atLeast: (length) => `至少 ${length}`,
  noWaits: '没有等待',
  meaning:
    '时间是所有线程之和，只计入这段时间之内的部分。如果一个线程等待的持有者自己又在等待另一把锁，这段时间计入另一把锁的持有者。',
};
