import type { HoldPhrase, WaitPhrase } from '../../en/timeline/marks.ts';
import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';
import { number, withAfter } from '../number.ts';

const HOLD_ENDS = {
  released: '，随后释放',
  freed: '，直到被释放或其键被删除（未看到是哪一种）',
  expired: '，直到租约到期',
  'force-released': '，直到被强制释放',
  deleted: '，直到键被删除',
  evicted: '，直到键被 Redis 淘汰',
  flushed: '，直到数据库被清空',
  lost: '，直到在故障转移或重启中丢失',
  moved: '，直到其键迁移到另一个分片',
  unseen: '；结束过程未被观测到',
  open: '，目前仍在持有',
} as const;

const WAIT_ENDS = {
  message: '，被消息唤醒',
  'own-timer': '，由自己的定时器结束，没有收到消息',
  acquired: '，随后获得了锁',
  'gave-up': '，随后放弃',
  'presumed-gone': '，随后推定已离开',
  unseen: '；结束过程未被观测到',
  open: '，目前仍在等待',
} as const;

const WITH_MODE = { exclusive: '', read: '的读锁', write: '的写锁', permit: '的许可' } as const;

function permits(n: number | null): string {
  return n === null ? '许可' : ` ${number(n)} 个许可`;
}

function permitsOf({ permit, deepest }: HoldPhrase): string {
  if (permit === null) return deepest > 1 ? `最多 ${number(deepest)} 个许可` : '的一个许可';
  return permit.until === null ? `的许可 ${permit.id}` : `的许可 ${permit.id}（有效至 ${permit.until}）`;
}

function atLeast({ length, isOpenStart }: HoldPhrase | WaitPhrase): string {
  return isOpenStart ? `至少 ${length}` : length;
}

function lineOf({ line }: WaitPhrase): string {
  if (line === null) return '';
  const moved =
    line.first === line.last ? `排在第 ${line.first} 位` : `先排第 ${line.first} 位，后排第 ${line.last} 位`;
  return `，${moved}${line.until === null ? '' : `，位置保留到 ${line.until}`}`;
}

export const marks: Translated<Words['marks']> = {
  believes: '自以为持有',
  believed: (who, lock, length) => `${who} 自以为持有 ${lock}，长达 ${length}：这次持有已在故障转移或重启中丢失。`,
  holds: (count) => `持有 ×${count}`,
  waits: '等待',
  point: {
    renewed: {
      word: '续期',
      many: (n) => `${number(n)} 次续期`,
      sentence: (who, lock) => `${who} 续期了 ${lock} 的租约。`,
    },
    reentered: {
      word: '重入',
      many: (n) => `${number(n)} 次重入`,
      sentence: (who, lock, count) => `${who} 再次获取 ${lock}：现在持有 ×${count ?? 2}。`,
    },
    'partly-released': {
      word: '部分释放',
      many: (n) => `${number(n)} 次部分释放`,
      sentence: (who, lock, count) => `${who} 释放了一层 ${lock}：仍持有 ×${count ?? 1}。`,
    },
    released: {
      word: '释放',
      many: (n) => `${number(n)} 次释放`,
      sentence: (who, lock) => `${who} 释放了 ${lock}。`,
    },
    freed: {
      word: '已不再持有',
      many: (n) => `${number(n)} 次持有结束`,
      sentence: (who, lock) => `${who} 已不再持有 ${lock}：被释放或被删除（未看到是哪一种）。`,
    },
    refused: {
      word: '被拒绝',
      many: (n) => `${number(n)} 次被拒绝的尝试`,
      sentence: (who, lock) => `${who} 请求 ${lock}，被拒绝。`,
    },
    'unlock-refused': {
      word: '解锁被拒',
      many: (n) => `${number(n)} 次被拒绝的解锁`,
      sentence: (who, lock) => `${who} 试图解锁它并未持有的 ${lock}。`,
    },
    'renewal-refused': {
      word: '续期被拒',
      many: (n) => `${number(n)} 次被拒绝的续期`,
      sentence: (who, lock) => `${who} 试图为已不再持有的 ${lock} 续期。`,
    },
    expired: {
      word: '租约过期',
      many: (n) => `${number(n)} 次过期`,
      sentence: (who, lock) => `${who} 失去了 ${lock}：租约到期。`,
    },
    'taken-away': {
      word: '被收回',
      many: (n) => `${number(n)} 次失去持有`,
      sentence: (who, lock, _count, how) => `${who} 失去了 ${lock}：${how}。`,
    },
    'permits-set': {
      word: '设置许可',
      many: (n) => `${number(n)} 次许可数变化`,
      sentence: (who, lock, n) =>
        n === null ? `${who} 设置了 ${lock} 的许可数。` : `${who} 设置了 ${lock} 的许可数：共 ${number(n)} 个。`,
    },
    'permits-taken': {
      word: '取走许可',
      many: (n) => `${number(n)} 次取走许可`,
      sentence: (who, lock, n) => `${who} 取走了 ${lock} 的${permits(n)}。`,
    },
    'permits-refused': {
      word: '许可不足',
      many: (n) => `${number(n)} 次被拒绝的尝试`,
      sentence: (who, lock, n) => `${who} 请求 ${lock} 的${permits(n)}，可用许可不足。`,
    },
    'permits-back': {
      word: '归还许可',
      many: (n) => `${number(n)} 次归还许可`,
      sentence: (who, lock, n) => `${who} 归还了 ${lock} 的${permits(n)}。`,
    },
    'permits-expired': {
      word: '许可过期',
      many: (n) => `${number(n)} 个过期的许可`,
      sentence: (who, lock) => `${who} 取走的 ${lock} 的一个许可已到期，被收回。`,
    },
    'latch-set': {
      word: '设置闭锁',
      many: (n) => `${number(n)} 次设置闭锁`,
      sentence: (who, lock, n) => `${who} 将 ${lock} 设为 ${n === null ? '未观测到的数值' : number(n)}。`,
    },
    'counted-down': {
      word: '倒数',
      many: (n) => `${number(n)} 次倒数`,
      sentence: (who, lock, n) =>
        n === 0
          ? `${who} 将 ${lock} 倒数到 0：闭锁打开。`
          : `${who} 倒数了 ${lock}：还差 ${n === null ? '（未观测到）' : number(n)}。`,
    },
  },
  many: {
    hold: (n) => `${number(n)} 次持有`,
    wait: (n) => `${number(n)} 次等待`,
    run: (n) => `${number(n)} 次尝试`,
  },
  taken: {
    'force-released': '强制释放',
    deleted: '键被删除',
    evicted: '键被淘汰',
    flushed: '数据库被清空',
    lost: '在故障转移或重启中丢失',
  },
  hold: (quote) => {
    const isPermit = quote.mode === 'permit';
    const deep = quote.deepest > 1 && !isPermit ? `，最多 ×${quote.deepest}` : '';
    const token = quote.token === null ? '' : `，fencing token 为 ${quote.token}`;
    const renewed = quote.renewals > 0 ? `，续期 ${number(quote.renewals)} 次` : '';
    const start = quote.isOpenStart ? '，起点未被观测到' : '';
    const verb = quote.isOpen ? '已持有' : '持有';
    const what = isPermit ? `${quote.lock} ${permitsOf(quote)}` : `${quote.lock}${WITH_MODE[quote.mode]}`;
    return `${quote.who} ${verb} ${what} ${atLeast(quote)}${deep}${token}${renewed}${start}${isPermit && quote.ended === 'expired' ? '，直到到期被收回' : HOLD_ENDS[quote.ended]}。`;
  },
  wait: (quote) => {
    const by = quote.blockers.length > 0 ? `，被 ${quote.blockers.join('、')} 阻塞` : '';
    const verb = quote.isOpen ? '已等待' : '等待';
    const ended = quote.mode === 'latch' && quote.ended === 'message' ? '，直到闭锁打开' : WAIT_ENDS[quote.ended];
    const what = quote.mode === 'permit' ? `${quote.lock} 的许可` : quote.lock;
    return `${quote.who} ${verb} ${what} ${atLeast(quote)}${lineOf(quote)}${by}${ended}。`;
  },
  run: (who, lock, attempts, length) =>
    `${who} 在 ${withAfter(length, '内')}不停顿地请求 ${lock} ${number(attempts)} 次，每次都被拒绝。`,

  label: {
    holds: {
      exclusive: (count) => (count > 1 ? `持有，最多 ×${count}` : `持有 ×${count}`),
      read: (count) => (count > 1 ? `读，最多 ×${count}` : `读 ×${count}`),
      write: (count) => (count > 1 ? `写，最多 ×${count}` : `写 ×${count}`),
      permit: (count) => `许可 ×${count}`,
    },
    withToken: (holds, token) => `${holds} #${token}`,
    asked: (count) => `请求 ${number(count)} 次`,
    place: (position) => [`排在第 ${position} 位`, `第 ${position}`],
    believes: ['已丢失，自以为仍持有', '自以为持有'],
    clientGone: ['客户端已离线，租约仍在倒计时', '客户端已离线', '离线'],
    notRenewed: ['逾期未续期，租约仍在倒计时', '逾期未续期', '未续期'],
    asleep: ['休眠中，已订阅', '休眠'],
    gaveUp: '放弃等待',
    presumedGone: '可能已离开',
    noRenewal: '没有续期',
    leaseNotKnown: '租约何时到期未知',
    notWatching: '未在观测',
    memoryBack: (clock) => `内存中最早到 ${clock}`,
    lockDropped: '已从内存中丢弃',
    nothingEarlier: '此前没有任何记录',
    notLoaded: '未加载',
    outlined: '放大可查看事件',
    loading: (percent) => `正在加载… ${percent} %`,
    notRead: '无法读取，正在重试',
    wokenByMessage: (delay) => `PUBLISH，${withAfter(delay, '后')}醒来`,
    wokenByTimer: '没有消息：自己的定时器',
  },
};
