import type { Translated } from '../../translated.ts';
import type { Words } from '../../words.ts';

export const range: Translated<Words['range']> = {
  title: '时间范围',
  last: (minutes) => `最近 ${minutes} 分钟`,
  days: (days) => `${days} 天`,
  before: (minutes) => `光标之前 ${minutes} 分钟`,
  between: (from, to) => `${from} 至 ${to}`,
  anyTime: '全部时间',
  now: '现在',
  atCursor: '光标处',
  own: '从 – 到',
  from: '从',
  to: '到',
  show: '显示',
  wrong: '请输入两个时刻。结束必须晚于开始。',
  back: '向前移动一个范围的长度',
  forward: '向后移动一个范围的长度',
  none: '不限范围：显示本页的默认内容',
};
