import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';

export const groups: Translated<Words['groups']> = {
  member: (place, of, isRedLock) =>
    isRedLock
      ? `同一把 RedLock 的第 ${place} 个成员，共 ${of} 个`
      : `同一把联锁（MultiLock）的第 ${place} 个成员，共 ${of} 个`,
  memberOf: (place, of, isRedLock, names) =>
    isRedLock
      ? `同一把 RedLock 的第 ${place} 台服务器，共 ${of} 台：${names}。`
      : `同一把联锁（MultiLock）的第 ${place} 个成员，共 ${of} 个：${names}。`,
  inferred: '根据事件推断得出：Redis 不保存这些锁属于一体。',
  state: {
    held: '持有中',
    'waited-for': '等待中',
    refused: '被拒绝',
    'given-back': '已回滚',
    released: '已释放',
    'never-held': '从未持有',
    lost: '已丢失',
  },
  thisOne: '当前锁',
  notWatched: (source) => `目前未观测 ${source}`,
  majority: (held, of) => `在 ${of} 台服务器中的 ${held} 台上持有，已达多数`,
  noMajority: (held, of) => `在 ${of} 台服务器中的 ${held} 台上持有，未达多数`,
  round: (round) => `第 ${round} 轮`,
  end: { released: '已一并释放', 'rolled-back': '已回滚', lost: '已丢失' },
  step: {
    'fix-up': '全部成员到手后，租约改为所请求的时长',
    'roll-back': '因另一成员未能获取而回滚',
    'never-held': '从未持有：RedLock 会对所有成员解锁',
  },
  events: '其全部事件',
  filter: '锁组',
  showOnly: (id) => `只显示锁组 ${id} 的事件`,
  values: '值',
  value: (value, count) => (count === null ? value : `${value}（×${count}）`),
  valuesHint: 'Redisson 只保存值的哈希。',
  wanted: (values) => `请求 ${values}`,
};
