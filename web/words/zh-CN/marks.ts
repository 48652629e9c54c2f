import type { Words } from '../words.ts';
import { number } from './number.ts';

const HOLD_ENDS = {
  released: '，随后释放',
  expired: '，直到租约到期',
  'force-released': '，直到被强制释放',
  deleted: '，直到键被删除',
  evicted: '，直到键被 Redis 淘汰',
  flushed: '，直到数据库被清空',
  lost: '，直到如今应答的服务器已不知道它',
  moved: '，直到其键迁移到另一个分片',
  unseen: '；结束过程未被观测到',
  open: '，目前仍在持有',
} as const;

const WAIT_ENDS = {
  message: '，被消息唤醒',
  'own-timer': '，由自己的定时器结束，没有收到消息',
  acquired: '，随后获得了锁',
  'gave-up': '，随后放弃',
  'presumed-gone': '，随后未在应当返回时返回',
  unseen: '；结束过程未被观测到',
  open: '，目前仍在等待',
} as const;

const WITH_MODE = { exclusive: '', read: '的读锁', write: '的写锁', permit: '的许可' } as const;

export const marks: Words['marks'] = {
  holds: (count) => `持有 ×${count}`,
  waits: '等待',
  point: {
    renewed: '续期',
    reentered: '重入',
    'partly-released': '部分释放',
    released: '释放',
    refused: '被拒绝',
    'unlock-refused': '解锁被拒',
    'renewal-refused': '续期被拒',
    expired: '租约过期',
    'taken-away': '被收回',
  },
  taken: { 'force-released': '强制释放', deleted: '键被删除', evicted: '键被淘汰', flushed: '数据库被清空', lost: '丢失：新主节点上没有' },
  many: {
    hold: (n) => `${number(n)} 次持有`,
    wait: (n) => `${number(n)} 次等待`,
    renewed: (n) => `${number(n)} 次续期`,
    reentered: (n) => `${number(n)} 次重入`,
    'partly-released': (n) => `${number(n)} 次部分释放`,
    released: (n) => `${number(n)} 次释放`,
    refused: (n) => `${number(n)} 次被拒绝的尝试`,
    'unlock-refused': (n) => `${number(n)} 次被拒绝的解锁`,
    'renewal-refused': (n) => `${number(n)} 次被拒绝的续期`,
    expired: (n) => `${number(n)} 次过期`,
    'taken-away': (n) => `${number(n)} 次失去持有`,
  },
  hold: (said) => {
    const deep = said.deepest > 1 ? `，最多 ×${said.deepest}` : '';
    const refilled = said.renewals > 0 ? `，续期 ${number(said.renewals)} 次` : '';
    const start = said.isOpenStart ? '，起点未被观测到' : '';
    const verb = said.isOpen ? '已持有' : '持有';
    const what = `${said.lock}${WITH_MODE[said.mode]}`;
    return `${said.who} ${verb} ${what} ${said.length}${deep}${refilled}${start}${HOLD_ENDS[said.ended]}。`;
  },
  wait: (said) => {
    const by = said.blockers.length > 0 ? `，被 ${said.blockers.join('、')} 阻塞` : '';
    const verb = said.isOpen ? '已等待' : '等待';
    return `${said.who} ${verb} ${said.lock} ${said.length}${by}${WAIT_ENDS[said.ended]}。`;
  },
  renewed: (who, lock) => `${who} 续期了 ${lock} 的租约。`,
  reentered: (who, lock, count) => `${who} 再次获取 ${lock}：现在持有 ×${count}。`,
  partlyReleased: (who, lock, count) => `${who} 释放了一层 ${lock}：仍持有 ×${count}。`,
  released: (who, lock) => `${who} 释放了 ${lock}。`,
  refused: (who, lock) => `${who} 请求 ${lock}，被拒绝。`,
  unlockRefused: (who, lock) => `${who} 试图解锁它并未持有的 ${lock}。`,
  renewalRefused: (who, lock) => `${who} 试图为已不再持有的 ${lock} 续期。`,
  expired: (who, lock) => `${who} 失去了 ${lock}：租约到期。`,
  takenAway: (who, lock, how) => `${who} 失去了 ${lock}：${how}。`,

  label: {
    holds: {
      exclusive: (count) => `持有 ×${count}`,
      read: (count) => `读 ×${count}`,
      write: (count) => `写 ×${count}`,
      permit: (count) => `许可 ×${count}`,
    },
    clientGone: ['客户端已离线，租约仍在计时', '客户端已离线', '离线'],
    notRefilled: ['逾期未续期，租约仍在计时', '逾期未续期', '未续期'],
    asleep: ['休眠中，已订阅', '休眠'],
    gaveUp: '放弃等待',
    presumedGone: '可能已离开',
    nobodyRefills: '无人续期',
    notWatching: '未在观测',
    wokenByMessage: (delay) => `PUBLISH，${delay} 后醒来`,
    wokenByTimer: '没有消息：自己的定时器',
  },
};
