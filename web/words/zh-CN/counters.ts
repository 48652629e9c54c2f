import type { Words } from '../words.ts';
import { number } from './number.ts';

export const counters: Words['counters'] = {
  out: (out, total) => `已取出 ${number(out)} / ${number(total)}`,
  free: (available) => `剩余 ${number(available)}`,
  left: (count) => (count === 0 ? '已打开' : `还差 ${number(count)}`),
  permits: '许可',
  latch: '闭锁',
  fact: { free: '可用', out: '已取出', total: '总数', left: '剩余计数', state: '状态' },
  notSeen: '未观测到',
  open: '已打开：无需等待',
  closed: (count) => `关闭：还需倒数 ${number(count)} 次`,
  noOwner: '许可没有所有者。谁取走了许可是根据连接推断的：归还时优先抵扣归还者自己取走的。',
  taken: (permits) => `${number(permits)} 个许可`,
  asked: (permits) => `请求 ${number(permits)} 个`,
  freeOf: (available, total) => `可用 ${number(available)} / ${number(total)}`,
  changed: (by) => (by < 0 ? `减少 ${number(-by)} 个` : `增加 ${number(by)} 个`),
  found: '读取时已是如此，设置过程未被观测到',
  drained: '取走了全部可用许可',
  late: '许可已过期，客户端被告知归还失败',
  until: (length) => `有效期 ${length}`,
  forEver: '永久有效',
  ids: (shown, more) => (more > 0 ? `${shown} 等 ${number(more)} 个` : shown),
  count: (count) => `计数 ${number(count)}`,
  wasOpen: '闭锁此前已打开，或从未设置',
};
