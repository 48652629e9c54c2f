import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';
import { number } from '../number.ts';

export const counters: Translated<Words['counters']> = {
  out: (out, total) => `已取出 ${number(out)} / ${number(total)}`,
  free: (available) => `剩余 ${number(available)}`,
  left: (count) => (count === 0 ? '已打开' : `还差 ${number(count)}`),
  permits: '许可',
  latch: '闭锁',
  fact: { free: '可用', out: '已取出', total: '总数', left: '剩余计数', state: '状态' },
  notSeen: '未观测到',
  open: '已打开：无需等待',
  closed: (count) => `关闭：还需倒数 ${number(count)} 次`,
  takers: '已取出的许可',
  takerTable: '已取出许可列表',
  takerColumn: { id: '许可', taker: '取走者', count: '许可数', since: '开始于', until: '有效至' },
  overdue: '已到期：下一次尝试会将其收回',
  noOwner: '许可没有所有者。谁取走了许可是根据连接推断的：归还时优先抵扣归还者自己取走的。',
  othersHave: (permits) => `其他连接另取走了 ${number(permits)} 个许可。`,
  taken: (permits) => `${number(permits)} 个许可`,
  asked: (permits) => `请求 ${number(permits)} 个`,
  freeOf: (available, total) => `可用 ${number(available)} / ${number(total)}`,
  changed: (by) => (by < 0 ? `减少 ${number(-by)} 个` : `增加 ${number(by)} 个`),
  found: '读取时已是如此，设置过程未被观测到',
  drained: '取走了全部可用许可',
  late: '许可已过期，客户端被告知归还失败',
  raised: (by) => `比已取出的多归还 ${number(by)} 个，总数因此增加`,
  until: (length) => `有效期 ${length}`,
  forEver: '永久有效',
  ids: (shown, more) => (more > 0 ? `${shown} 等 ${number(more)} 个` : shown),
  count: (count) => `计数 ${number(count)}`,
  wasOpen: '闭锁此前已打开，或从未设置',
};
